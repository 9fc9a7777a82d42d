//! Records of another server, as they were there (behaviour 21). A request takes two round trips: the body is read
//! behind the authorization, and one batch reads what the records name, decides about each, and writes.

mod records;

use crate::areas::mirror::body_bytes;
use crate::kernel::call::writes;
use crate::kernel::{Call, Error, Reply, Result, Row, Statement};
use edgeforge_wire::import::{BYTES, ITEMS, Imported, LISTS, RECORDS, TOGETHER};
use records::Records;
use serde::Deserialize;
use serde_json::{Value, json};

edgeforge_row::statements!(mod sql: "src/areas/imports/imports.sql", "src/areas/imports/plans.sql", "src/areas/imports/issues.sql", "src/areas/imports/talk.sql", "src/areas/imports/builds.sql");

#[derive(Deserialize)]
struct Sent {
    records: Vec<Value>,
}

/// What becomes of a record.
#[derive(Row)]
struct Outcome {
    place: i64,
    verdict: i64,
    refusal: Option<String>,
}

pub async fn import(call: &Call<'_>) -> Result<Reply> {
    let (entry, ()) = call.authorize(()).await?;
    // who writes as others must be able to be everybody already, and not only one of them
    if call.actor_id.get().is_some() {
        return Err(Error::FORBIDDEN);
    }
    call.acts_on("Project", Some(entry.resource.id), None);
    let sent = Records::read(read(&body_bytes(call).await?)?);
    let outcomes = write(call, entry.resource.id, &sent.of_kind).await?;
    Ok(Reply::json(200, &imported(sent.refused, outcomes)))
}

fn read(body: &[u8]) -> Result<Vec<Value>> {
    if body.len() > BYTES {
        return Err(Error::too_large());
    }
    let Sent { records } = serde_json::from_slice(body).map_err(|error| Error::message(format!("body: {error}")))?;
    let lists = records.iter().flat_map(|record| LISTS.iter().filter_map(|name| record.get(*name)?.as_array()));
    let items = lists.map(Vec::len).sum::<usize>();
    let is_large = records.len() > RECORDS || items > ITEMS || records.len() + items > TOGETHER;
    if is_large { Err(Error::too_large()) } else { Ok(records) }
}

async fn write(call: &Call<'_>, project_id: i64, of_kind: &[Vec<Value>; 12]) -> Result<Vec<Outcome>> {
    let now = call.now;
    let present = of_kind.iter().enumerate().filter(|(_, records)| !records.is_empty());
    let staged: Vec<Statement> =
        present.flat_map(|(kind, records)| steps(kind, project_id, json!(records).to_string(), now)).collect();
    if staged.is_empty() {
        return Ok(Vec::new());
    }
    let batch = (
        (writes::sql::silence {}, staged, sql::describe {}),
        (sql::remember { project_id }, sql::renew { project_id }),
        sql::outcome {},
        (sql::unstage {}, writes::sql::end_silence {}),
    );
    // safe to repeat: what has been written is the same then
    match call.write_safely(batch).await {
        Err(failure) if failure.is_duplicate() => {
            let text = "409 Conflict: other records came between. Send these again";
            Err(Error::Refused(409, text.to_owned()))
        }
        outcome => Ok(outcome?.2),
    }
}

/// The statements of a kind, by its place in [`records::KINDS`].
fn steps(kind: usize, project_id: i64, records: String, now: i64) -> Vec<Statement> {
    match kind {
        0 => vec![sql::stage_labels { project_id, records }.into(), sql::add_labels { project_id, now }.into()],
        1 => vec![
            sql::stage_milestones { project_id, records }.into(),
            sql::add_milestones { project_id, now }.into(),
            sql::remember_milestones { project_id }.into(),
            sql::change_milestones {}.into(),
        ],
        2 => vec![
            sql::stage_issues { project_id, records }.into(),
            sql::make_labels { project_id, now }.into(),
            sql::add_issues { project_id }.into(),
            // before the state of an issue changes, which each of its labels follows
            sql::take_labels {}.into(),
            sql::change_issues {}.into(),
            sql::put_labels { project_id }.into(),
            sql::remember { project_id }.into(),
        ],
        3 => vec![
            sql::stage_notes { project_id, records }.into(),
            sql::add_notes { project_id }.into(),
            sql::take_part {}.into(),
            sql::change_notes {}.into(),
            sql::remember { project_id }.into(),
        ],
        4 => vec![
            sql::stage_events { project_id, records }.into(),
            sql::add_state_events {}.into(),
            sql::add_other_events {}.into(),
            sql::add_notes_of_events { project_id }.into(),
            sql::change_notes_of_events {}.into(),
            sql::change_events {}.into(),
        ],
        5 => vec![
            sql::stage_awards { project_id, records }.into(),
            sql::add_awards {}.into(),
            sql::take_part_by_awards {}.into(),
            sql::change_awards {}.into(),
        ],
        6 => vec![sql::stage_links { project_id, records }.into(), sql::add_links { project_id }.into()],
        7 => vec![
            sql::stage_releases { project_id, records }.into(),
            sql::add_releases { project_id }.into(),
            sql::add_release_links { project_id }.into(),
            sql::add_release_milestones { project_id }.into(),
            sql::change_releases {}.into(),
        ],
        8 => vec![sql::stage_environments { project_id, records }.into(), sql::add_environments { project_id }.into()],
        9 => vec![
            sql::stage_deployments { project_id, records }.into(),
            sql::add_deployments { project_id }.into(),
            sql::change_deployments {}.into(),
        ],
        10 => vec![
            sql::stage_statuses { project_id, records }.into(),
            sql::add_statuses { project_id }.into(),
            sql::change_statuses {}.into(),
        ],
        _ => vec![
            sql::stage_comments { project_id, records }.into(),
            sql::add_comments { project_id }.into(),
            sql::change_comments {}.into(),
        ],
    }
}

/// Counts what became of the records. `refused`: those that were wrong by themselves.
fn imported(refused: Vec<(usize, String)>, outcomes: Vec<Outcome>) -> Imported {
    let mut imported = Imported { refused, ..Imported::default() };
    for Outcome { place, verdict, refusal } in outcomes {
        let place = usize::try_from(place).unwrap_or_default();
        match verdict {
            0 => imported.new += 1,
            1 => imported.changed += 1,
            2 => imported.same += 1,
            3 => imported.kept.push(place),
            _ => imported.refused.push((place, refusal.unwrap_or_default())),
        }
    }
    imported.kept.sort_unstable();
    imported.refused.sort_unstable();
    imported
}
