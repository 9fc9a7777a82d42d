pub mod v3;
pub mod v4;

use crate::areas::events;
use crate::areas::issues::MilestoneRow;
use crate::kernel::chunks::run_in_chunks;
use crate::kernel::store::Failure;
use crate::kernel::text::names::check_letters;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Parameters, Patch, Result, Row, Statement, ValidationErrors};

edgeforge_row::statements!(mod sql: "src/areas/milestones/milestones.sql");

#[derive(Debug, Row)]
struct MilestoneSearchRow {
    #[row(flatten)]
    milestone: MilestoneRow,
    full_path: String,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum State {
    Active,
    Closed,
    All,
}

impl State {
    fn stored(self) -> Option<&'static str> {
        (self != State::All).then(|| self.word())
    }
}

#[derive(Debug, Parameters)]
struct NewMilestone {
    title: String,
    description: Option<String>,
    due_date: Option<String>,
    start_date: Option<String>,
}

async fn create(call: &Call<'_>, input: Result<(NewMilestone, ValidationErrors)>) -> Result<(MilestoneRow, Entry)> {
    let input = input.and_then(|(new, mut errors)| {
        check_letters(&mut errors, "title", Some(&new.title));
        if new.title.trim().is_empty() {
            errors.missing("title");
        }
        check(new.due_date.as_deref(), new.start_date.as_deref(), errors)?;
        Ok(new)
    });
    let (new, entry, ()) = call.authorize_with(input, |_| ()).await?;
    let create = sql::create {
        project_id: entry.resource.id,
        title: new.title.trim(),
        description: new.description.as_deref(),
        due_date: new.due_date.as_deref(),
        start_date: new.start_date.as_deref(),
        now: call.now,
    };
    let batch = (create, Vec::from(events::milestone(call, &entry, None, "create")?));
    Ok((stored(call.write(batch).await.map(|(row, _)| row))?, entry))
}

#[derive(Debug, Parameters)]
struct MilestoneChange {
    title: Patch<String>,
    description: Patch<String>,
    due_date: Patch<String>,
    start_date: Patch<String>,
    state_event: Option<StateEvent>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum StateEvent {
    Close,
    Activate,
}

async fn update(
    call: &Call<'_>,
    id: Result<i64>,
    input: Result<(MilestoneChange, ValidationErrors)>,
) -> Result<(MilestoneRow, Entry)> {
    let input = input.and_then(|(change, mut errors)| {
        check_letters(&mut errors, "title", change.title.set().map(String::as_str));
        if change.title == Patch::Clear {
            errors.add("title", "can't be blank");
        }
        let (due_date, start_date) = (change.due_date.set(), change.start_date.set());
        check(due_date.map(String::as_str), start_date.map(String::as_str), errors)?;
        Ok(change)
    });
    let (_, entry, row) = call.authorize_with(id, |id| sql::one { id: *id }).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let change = input?;
    let due_date = change.due_date.over(&row.due_date);
    let start_date = change.start_date.over(&row.start_date);
    check_order(due_date.as_deref(), start_date.as_deref())?;
    let action = match change.state_event {
        Some(StateEvent::Close) if row.state == "active" => Some("close"),
        Some(StateEvent::Activate) if row.state == "closed" => Some("reopen"),
        _ => None,
    };
    let title = change.title.set().map(|title| title.trim());
    let is_same = title.is_none_or(|title| title == row.title)
        && change.description.over(&row.description) == row.description
        && (&due_date, &start_date) == (&row.due_date, &row.start_date);
    if is_same && action.is_none() {
        call.expect_unmodified(row.updated_at)?;
        return Ok((row, entry));
    }
    let update = sql::update {
        id: row.id,
        title,
        keeps_description: change.description.is_keep(),
        description: change.description.set(),
        due_date,
        start_date,
        state: change.state_event.map(|event| if event == StateEvent::Close { "closed" } else { "active" }),
        now: call.now,
    };
    let written = |action| events::milestone(call, &entry, Some(row.id), action).map(Vec::from);
    let batch = (update, action.map(written).transpose()?);
    let unmodified = call.unmodified_since().map(|since| sql::expect_unmodified { id: row.id, since }.into());
    // a batch with an event is not repeated, because the event would be written twice
    let outcome = if action.is_none() || unmodified.is_some() {
        call.write_unmodified(unmodified, batch).await
    } else {
        call.write(batch).await
    };
    Ok((stored(outcome.map(|(row, _)| row))?, entry))
}

fn stored(outcome: std::result::Result<Option<MilestoneRow>, Failure>) -> Result<MilestoneRow> {
    let taken = || Error::field("title", "has already been taken");
    match outcome {
        Err(failure) if failure.is_duplicate() => Err(taken()),
        Err(failure) if failure.is_expectation() => Err(Error::changed()),
        outcome => outcome?.ok_or_else(Error::no_record),
    }
}

fn check(due_date: Option<&str>, start_date: Option<&str>, mut errors: ValidationErrors) -> Result<()> {
    for (name, date) in [("due_date", due_date), ("start_date", start_date)] {
        if date.is_some_and(|date| time::date(date).is_none()) {
            errors.add(name, "is invalid");
        }
    }
    errors.result()?;
    check_order(due_date, start_date)
}

fn check_order(due_date: Option<&str>, start_date: Option<&str>) -> Result<()> {
    match due_date.zip(start_date) {
        Some((due, start)) if due < start => Err(Error::field("due_date", "must be greater than start date")),
        _ => Ok(()),
    }
}

#[derive(Row)]
struct Deletion {
    id: i64,
    updated_at: i64,
    issues: i64,
}

/// Issues that lose their milestone in one statement, and bytes of their texts after which no further one does.
const CHUNK: i64 = 25;
const BYTES: i64 = 1_000_000;

/// One request removes the milestone from a limited number of issues. The next deletion in the project continues.
async fn delete(call: &Call<'_>, id: Result<i64>) -> Result<()> {
    let (_, entry, found) = call.authorize_with(id, |id| sql::to_delete { id: *id }).await?;
    let project_id = entry.resource.id;
    let (first, expected): (Vec<Statement>, i64) = match &found {
        None => (Vec::new(), 0),
        Some(row) => {
            call.expect_unmodified(row.updated_at)?;
            let [event, listed] = events::milestone(call, &entry, Some(row.id), "delete")?;
            (vec![event, listed, sql::hide { id: row.id }.into()], row.issues / CHUNK + 1)
        }
    };
    let last = [sql::is_left { project_id }.into()];
    let chunk = [sql::take_off { project_id, most: CHUNK, bytes: BYTES }.into()];
    run_in_chunks(call, first, &chunk, expected, &last).await?;
    found.map(|_| ()).ok_or_else(Error::no_record)
}
