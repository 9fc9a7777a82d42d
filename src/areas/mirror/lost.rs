//! Finds objects that the object store has lost, for example with its bucket, before a reader misses them (behaviour
//! 12.2).

use super::lists::lists;
use super::sql;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::Objects;
use crate::kernel::{Call, Result, Row, Statement};
use serde_json::json;
use std::collections::HashSet;

#[derive(Row)]
pub(super) struct NamedObject {
    sha: String,
    /// The name of the object, if it is a diff.
    object: Option<String>,
    key: String,
    original: Option<String>,
}

/// Forgets those of these objects, and of the diffs of these commits, that the store has lost, so that the hook sends
/// them again. Returns their hashes.
pub async fn recheck(call: &Call<'_>, store: &dyn Objects, project_id: i64, hashes: &[String]) -> Result<Vec<String>> {
    let shas = json!(hashes).to_string();
    let mut named = call.store.ask(sql::named_objects { project_id, shas }).await?;
    let found = found(call, store, named.iter().map(|named| named.key.as_str()).collect()).await?;
    named.retain(|named| !found.contains(&named.key));
    let originals = named.iter().filter_map(|named| named.original.as_deref()).collect();
    let found = self::found(call, store, originals).await?;
    named.retain(|named| named.original.as_ref().is_none_or(|original| !found.contains(original)));
    if !named.is_empty() {
        let count = named.len();
        call.complain(format!("{count} objects of project {project_id} are lost; the hook sends them anew"));
        call.store.repeat(forgetting(project_id, &named)).await?;
    }
    Ok(named.into_iter().map(|named| named.sha).collect())
}

fn forgetting(project_id: i64, lost: &[NamedObject]) -> Vec<Statement> {
    let (diffs, objects): (Vec<&NamedObject>, Vec<&NamedObject>) =
        lost.iter().partition(|named| named.object.is_some());
    let mut batch = Vec::new();
    for lost in lists(diffs.iter().map(|named| json!({ "sha": named.sha, "object": named.object }))) {
        batch.push(sql::forget_lost { project_id, lost: &lost }.into());
        batch.push(sql::lose_diffs { project_id, lost }.into());
    }
    if let Some(first) = objects.first() {
        batch.push(sql::doubt_contents { project_id, sha: first.sha.as_str(), of: "" }.into());
    }
    let objects = lists(objects.iter().map(|named| &named.sha)).into_iter();
    batch.extend(objects.map(|shas| sql::lose_object { project_id, shas }.into()));
    batch
}

/// Those of `keys` that the store has, and other keys between them. Lists the keys of each project in order, and skips
/// keys before the next one of `keys`.
async fn found(call: &Call<'_>, store: &dyn Objects, mut keys: Vec<&str>) -> Result<HashSet<String>> {
    keys.sort_unstable();
    let mut found = HashSet::new();
    for mut keys in keys.chunk_by(|one, other| place(one) == place(other)) {
        let mut after = String::new();
        while let Some(next) = keys.first() {
            // the text before the last letter is less than the key
            after = after.max(next.get(..next.len() - 1).unwrap_or_default().to_owned());
            call.store.work(Work::Objects(1));
            let mut page = store.list(place(next), &after, i64::MAX).await?;
            let last = page.drain(..page.len().min(1)).next().unwrap_or_default();
            found.extend(page);
            if last.is_empty() {
                break;
            }
            let passed = keys.partition_point(|key| *key <= last.as_str());
            keys = keys.get(passed..).unwrap_or_default();
            after = last;
        }
    }
    Ok(found)
}

/// The start of a key, `STORE/PROJECT/`, which all keys of a project share.
fn place(key: &str) -> &str {
    let end = key.match_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    key.get(..end).unwrap_or_default()
}
