use crate::areas::commits::sides::Sides;
use crate::areas::commits::v4::{Commit, CommitExtras, FileDiff};
use crate::areas::contents::compare::{CompareResult, ListedCommit, compare_commits};
use crate::areas::contents::sql;
use crate::kernel::{Call, Error, Parameters, Reply, Result, Row};
use serde::Serialize;
use serde_json::json;

#[derive(Parameters, Default)]
#[param(default)]
struct CompareParams {
    from: Option<String>,
    to: Option<String>,
    straight: bool,
    unidiff: bool,
    from_project_id: Option<String>,
}

#[derive(Serialize)]
struct Comparison {
    commit: Option<Commit>,
    commits: Vec<Commit>,
    diffs: Vec<FileDiff>,
    compare_timeout: bool,
    compare_same_ref: bool,
    web_url: String,
}

fn ends(asked: &CompareParams) -> Result<[&str; 2]> {
    let missing = |(name, value): (&str, &Option<String>)| value.is_none().then(|| format!("{name} is missing"));
    let missing: Vec<String> = [("from", &asked.from), ("to", &asked.to)].into_iter().filter_map(missing).collect();
    match (&asked.from, &asked.to) {
        (Some(from), Some(to)) => Ok([from, to]),
        _ => Err(Error::framework(missing.join(", "))),
    }
}

/// There are no forks.
fn check_project(call: &Call<'_>, asked: &CompareParams, id: i64, path: &str) -> Result<()> {
    match asked.from_project_id.as_deref() {
        Some(other) if other != id.to_string() && other != path => {
            let text = format!("Target project id:{other} is not a fork of project id:{}", call.named());
            Err(Error::message(text))
        }
        _ => Ok(()),
    }
}

pub async fn compare(call: &Call<'_>) -> Result<Reply> {
    let asked = call.filters::<CompareParams>();
    let names = asked.as_ref().map_err(Error::clone).and_then(ends);
    if names.is_err() {
        call.authorize(()).await?;
    }
    let (asked, names) = (asked.as_ref().map_err(Error::clone)?, names?);
    let (result, entry) = compare_commits(call, names, asked.straight).await?;
    check_project(call, asked, entry.resource.id, &entry.resource.full_path)?;
    let page = entry.resource.page(&entry.links);
    Ok(Reply::json(200, &Comparison::new(result, &page, asked)))
}

impl Comparison {
    fn new(result: CompareResult, page: &str, asked: &CompareParams) -> Comparison {
        let CompareResult { commits, files, is_cut, is_same, ends: [from, to] } = result;
        let commit = |row| Commit::new(row, page, CommitExtras::default());
        let dots = if asked.straight { ".." } else { "..." };
        Comparison {
            commit: commits.last().cloned().map(commit),
            commits: commits.into_iter().map(commit).collect(),
            diffs: files.into_iter().map(|stored| FileDiff::new(stored, asked.unidiff)).collect(),
            compare_timeout: is_cut,
            compare_same_ref: is_same,
            web_url: format!("{page}/-/compare/{from}{dots}{to}"),
        }
    }
}

/// Names of commits.
const MOST_REFS: usize = 10;

#[derive(Parameters, Default)]
#[param(default)]
struct RefsParams {
    refs: Vec<String>,
}

#[derive(Row)]
pub struct KnownRef {
    name: String,
    id: i64,
}

fn named(call: &Call<'_>) -> Result<Vec<String>> {
    let RefsParams { refs } = call.filters()?;
    match refs.len() {
        0 | 1 => Err(Error::message("Provide at least 2 refs")),
        2..=MOST_REFS => Ok(refs),
        _ => Err(Error::message(format!("Provide at most {MOST_REFS} refs"))),
    }
}

/// 400 if some are unknown.
fn check_known(refs: &[String], known: &[KnownRef]) -> Result<()> {
    let unknown = refs.iter().filter(|name| !known.iter().any(|known| known.name == **name));
    let unknown: Vec<&str> = unknown.map(String::as_str).collect();
    match unknown.as_slice() {
        [] => Ok(()),
        [one] => Err(Error::message(format!("Could not find ref: {one}"))),
        several => Err(Error::message(format!("Could not find refs: {}", several.join(", ")))),
    }
}

pub async fn merge_base(call: &Call<'_>) -> Result<Reply> {
    let query = |refs: &Vec<String>| sql::known { names: json!(refs).to_string() };
    let (refs, entry, known) = call.authorize_with(named(call), query).await?;
    check_known(&refs, &known)?;
    let base = base(call, &refs, &known).await?.ok_or_else(|| Error::missing("Merge Base"))?;
    let (project_id, ids) = (entry.resource.id, json!([base]).to_string());
    let row: Option<ListedCommit> = call.store.ask(sql::commits { project_id, ids }).await?.first()?;
    let row = row.ok_or_else(|| Error::missing("Merge Base"))?;
    let page = entry.resource.page(&entry.links);
    Ok(Reply::json(200, &Commit::new(row.commit, &page, CommitExtras::default())))
}

/// The merge base of the first commit and all others.
async fn base(call: &Call<'_>, refs: &[String], known: &[KnownRef]) -> Result<Option<i64>> {
    let Some((first, others)) = refs.split_first() else { return Ok(None) };
    let id = |name: &String| known.iter().find(|known| known.name == *name).map(|known| known.id);
    let others: Vec<i64> = others.iter().filter_map(id).collect();
    let sides = Sides::of_merge_base(call, first, &others).await?;
    Ok(sides.and_then(|sides| sides.base))
}
