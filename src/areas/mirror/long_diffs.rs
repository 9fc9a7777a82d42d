use super::lists::lists;
use super::push::{ParsedCommit, StoredObject};
use super::sql;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::error::Full;
use crate::kernel::http::etag;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Call, Error, Result};
use edgeforge_wire::text::hex;
use std::collections::BTreeSet;
use std::mem;

/// Puts long diffs into the object store (behaviour 7.3) before their rows are written, so that a row never names a
/// missing object. No other push uses the same keys, so the sweep may delete objects without a row.
pub(super) async fn put_objects(
    call: &Call<'_>,
    project_id: i64,
    place: &str,
    has_forgotten: bool,
    commits: &mut [ParsedCommit],
    reserved: &mut Reservation<'_, '_>,
) -> Result<()> {
    let Some(objects) = call.store.objects() else { return Ok(()) };
    let long: Vec<&ParsedCommit> = commits.iter().filter(|commit| commit.paths.is_some()).collect();
    let bytes: usize = long.iter().map(|commit| commit.diff.len()).sum();
    if bytes == 0 {
        return Ok(());
    }
    let shas = lists(long.iter().map(|commit| &commit.id)).into_iter();
    let queries: Vec<_> = shas.map(|shas| sql::unknown { project_id, shas }).collect();
    let unknown = match reserved.take(bytes as i64, queries).await {
        // the batch is refused, unless the project has the commits
        Err(Error::Full(Full::Project)) => return Ok(()),
        outcome => outcome?,
    };
    let mut new = BTreeSet::new();
    for rows in unknown {
        new.extend(rows.all::<String>()?);
    }
    let mut random = hex(&call.random);
    random.truncate(16);
    let mut bodies = Vec::new();
    for (index, commit) in commits.iter_mut().enumerate() {
        // the diff of a known commit is not stored again
        let is_new = has_forgotten || new.contains(&commit.id);
        let Some(paths) = commit.paths.take().filter(|_| is_new) else { continue };
        let diff = mem::replace(&mut commit.diff, paths);
        let object = format!("{random}{index:x}");
        let digest = etag::digest(&diff);
        let key = format!("{place}{}-{object}", commit.id);
        commit.stored = Some(StoredObject { object, bytes: diff.len(), digest });
        reserved.keys.push(key.clone());
        bodies.push((key, diff));
    }
    if bodies.is_empty() {
        return Ok(());
    }
    call.store.work(Work::Objects(bodies.len()));
    call.store.work(Work::Bytes(bodies.iter().map(|(_, diff)| diff.len() as u64).sum()));
    Ok(objects.put(bodies).await?)
}
