//! What is broken in a pipeline: tests and findings, compared with the reports before (behaviour 20.2). Rows have the keys
//! of what was broken, so that a comparison reads no object but the begin of those that it shows.

use super::sql;
use super::writing::key;
use crate::areas::files::off;
use crate::areas::pipelines::v4::find_and;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Call, Parameters, Query, Reply, Result, Row};
use flate2::{Decompress, FlushDecompress};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Row)]
pub struct Compared {
    id: i64,
    kind: i64,
    is_broken: bool,
    size: i64,
    object_key: Option<String>,
    head: String,
    added: Option<BTreeSet<String>>,
}

/// A test that was broken before.
#[derive(Debug, Row)]
pub struct History {
    report_id: i64,
    key: String,
    often: i64,
    unsteady: bool,
}

#[derive(Parameters)]
struct ProblemParams {
    job_id: Option<i64>,
    path: Option<String>,
}

const MOST_REPORTS: usize = 20;
const MOST_CASES: usize = 200;
/// Reports of whose tests it is known how they did before.
const MOST_HISTORIES: usize = 5;
/// Objects whose begin is read, and bytes of it, packed and unpacked.
const MOST_OBJECTS: usize = 8;
const BEGIN: usize = 1 << 20;

/// What is asked of each item.
struct View<'a> {
    path: Option<&'a str>,
    /// By report and key.
    histories: BTreeMap<(i64, String), History>,
    base_branch: &'a str,
}

/// The first lines of an object, and whether there are more.
async fn begin_of(call: &Call<'_>, key: &str, size: i64) -> Result<(String, bool)> {
    let store = call.store.objects().ok_or_else(off)?;
    let most = size.unsigned_abs().min(BEGIN as u64);
    call.store.work(Work::Objects(1));
    let Some(packed) = store.begin_of(key, most).await? else {
        call.complain(format!("the object {key} is lost"));
        return Ok((String::new(), true));
    };
    let mut bytes = Vec::with_capacity(BEGIN);
    // what ends early is whole up to there
    Decompress::new(true).decompress_vec(&packed, &mut bytes, FlushDecompress::None).ok();
    call.store.work(Work::Bytes(bytes.len() as u64));
    let is_cut = bytes.len() == BEGIN || most < size.unsigned_abs();
    if is_cut {
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or_default());
    }
    Ok((String::from_utf8(bytes).unwrap_or_default(), is_cut))
}

impl Compared {
    /// The items of these lines as JSON, each with what the comparison adds. Whether some are left out.
    fn items(&self, (lines, is_cut): &(String, bool), view: &View<'_>) -> (String, bool) {
        let (mut items, mut count, is_test) = (String::new(), 0, self.kind == 1);
        for line in lines.lines().map(|line| line.trim_end_matches(',')) {
            let Ok(mut item) = serde_json::from_str::<Value>(line) else { return (items, true) };
            let text = |pointer: &str| item.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            if is_test && !matches!(text("/status"), "failed" | "error") {
                return (items, false);
            }
            if view.path.is_some_and(|path| path != text(if is_test { "/file" } else { "/location/path" })) {
                continue;
            }
            if is_test && count == MOST_CASES {
                return (items, true);
            }
            count += 1;
            let key = if is_test {
                key([text("/suite"), text("/classname"), text("/name")])
            } else {
                // a finding without one has its key as its fingerprint
                let named = key([text("/check_name"), text("/location/path"), text("/description")]);
                if text("/fingerprint") == named { named } else { key(["", "", text("/fingerprint")]) }
            };
            let Some(members) = item.as_object_mut() else { return (items, true) };
            let is_new = self.added.as_ref().map(|added| added.contains(&key));
            members.insert("is_new".to_owned(), json!(is_new));
            if is_test {
                let before = view.histories.get(&(self.id, key));
                let often = before.map(|one| one.often).filter(|often| *often > 0);
                let often = often.map(|often| json!({ "count": often, "base_branch": view.base_branch }));
                members.insert("recent_failures".to_owned(), json!(often));
                members.insert("is_flaky".to_owned(), json!(before.is_some_and(|one| one.unsteady)));
            }
            items += if items.is_empty() { "" } else { "," };
            items += &item.to_string();
        }
        (items, *is_cut)
    }
}

pub async fn show(call: &Call<'_>, pipeline_id: &str) -> Result<Reply> {
    let query =
        |params: &ProblemParams, pipeline_id: i64| sql::compared { pipeline_id, job_id: params.job_id }.prepare();
    let (params, _, entry, reports) = find_and(call, pipeline_id, call.filters::<ProblemParams>(), query).await?;
    let base_branch = entry.resource.default_branch.unwrap_or_default();
    let view = View { path: params.path.as_deref(), histories: BTreeMap::new(), base_branch: &base_branch };
    Ok(Reply::json_text(200, written(call, reports, view).await?))
}

async fn written(call: &Call<'_>, mut reports: Vec<Compared>, mut view: View<'_>) -> Result<String> {
    let mut cut = reports.len() > MOST_REPORTS;
    reports.truncate(MOST_REPORTS);
    let broken = reports.iter().filter(|report| report.kind == 1 && report.is_broken);
    let mut ids: Vec<i64> = broken.map(|report| report.id).collect();
    cut |= ids.len() > MOST_HISTORIES;
    ids.truncate(MOST_HISTORIES);
    if !ids.is_empty() {
        let (ids, default_branch) = (json!(ids).to_string(), view.base_branch);
        let histories: Vec<History> = call.store.ask(sql::history { ids, default_branch, now: call.now }).await?;
        view.histories = histories.into_iter().map(|one| ((one.report_id, one.key.clone()), one)).collect();
    }
    let (mut body, mut read) = ("{\"reports\":[".to_owned(), 0);
    for (at, report) in reports.iter().enumerate() {
        let (mut items, mut is_cut) = (String::new(), false);
        if let Some(key) = report.object_key.as_deref().filter(|_| report.is_broken) {
            read += 1;
            is_cut = read > MOST_OBJECTS;
            if !is_cut {
                (items, is_cut) = report.items(&begin_of(call, key, report.size).await?, &view);
            }
        }
        cut |= is_cut;
        let name = if report.kind == 1 { "cases" } else { "findings" };
        body += &format!("{}{},\"{name}\":[{items}]}}", if at > 0 { "," } else { "" }, report.head);
    }
    Ok(body + &format!("],\"cut\":{cut}}}"))
}
