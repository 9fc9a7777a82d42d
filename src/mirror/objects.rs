//! Diffs in the object store (behaviour 7.3). A long one is put there before the row that names it, under a key that no
//! other push uses: so a row always names what it was written for, and an object without a row is of no use to anybody.

use super::push::{Lies, Read};
use crate::call::Call;
use crate::error::Result;
use crate::etag;
use edgeforge_wire::text::hex;
use std::mem;

/// Puts the long diffs of commits into the object store, and leaves in their places what names them. The keys begin with `place`.
pub async fn put(call: &Call<'_>, place: &str, commits: &mut [Read]) -> Result<()> {
    let Some(objects) = call.store.objects() else { return Ok(()) };
    let mut random = hex(&call.random);
    random.truncate(16);
    let mut bodies = Vec::new();
    for (index, commit) in commits.iter_mut().enumerate() {
        let Some(paths) = commit.paths.take() else { continue };
        let diff = mem::replace(&mut commit.diff, paths);
        // a push may bring a commit twice
        let object = format!("{random}{index:x}");
        let digest = etag::digest(&diff);
        let key = format!("{place}{}-{object}", commit.id);
        commit.lies = Some(Lies { object, bytes: diff.len(), digest });
        bodies.push((key, diff));
    }
    if bodies.is_empty() { Ok(()) } else { Ok(objects.put(bodies).await?) }
}
