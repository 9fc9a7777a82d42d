//! The object store (docs/limits.md, "Diffs in R2"): objects that nothing names any more are deleted, and long diffs that
//! the database still has are moved there. Where the sweep stands is in the database; what it was killed over, the next does.

use super::{Run, sql};
use crate::etag;
use crate::mirror::push::{self, Lies};
use crate::mirror::store::DiffItem;
use crate::store::{Failure, Objects, Row, Rows, Statement};
use serde_json::json;

/// Lists that a run asks for at most, and diffs that it moves.
const MOST_LISTS: u64 = 20;
const MOST_MOVED: u64 = 500;

/// So long an object may lie without a row, in milliseconds: its push may be on the way to the database.
pub const ON_THE_WAY: i64 = 3_600_000;

/// A part of a diff in the database.
#[derive(Row)]
struct Part {
    commit_id: i64,
    object_key: String,
    part: i64,
    /// Of one that is to be moved.
    text: Option<String>,
}

#[derive(Row)]
struct Key {
    object_key: String,
}

/// Where the sweep of the object store stands.
#[derive(Row)]
struct State {
    /// How the keys of this database begin.
    prefix: String,
    /// The key up to which objects were looked at.
    after: String,
}

struct Moved {
    commit: String,
    part: i64,
    paths: String,
    lies: Lies,
}

impl Run<'_> {
    /// Deletes the objects whose keys begin with `prefix`, which begins with this database's store, and come after `after`,
    /// that were put before `before` and that no row names. Returns the key up to which this run came; empty: to the end.
    pub(super) async fn delete_objects(
        &mut self,
        store: &dyn Objects,
        prefix: &str,
        mut after: String,
        before: i64,
    ) -> Result<String, Failure> {
        while self.lists < MOST_LISTS {
            self.lists += 1;
            let mut page = store.list(prefix, &after, before).await?;
            let last = page.drain(..page.len().min(1)).next().unwrap_or_default();
            let Some(rows) = self.rows(sql::forgotten { keys: json!(page).to_string() }).await? else {
                return Ok(after);
            };
            let forgotten = rows.all::<Key>()?.into_iter();
            let forgotten: Vec<String> = forgotten.map(|row| row.object_key).collect();
            if !forgotten.is_empty() {
                self.swept.objects_deleted += forgotten.len() as u64;
                store.delete(forgotten).await?;
            }
            after = last;
            if after.is_empty() {
                return Ok(after);
            }
        }
        self.swept.unfinished = true;
        Ok(after)
    }

    /// Deletes the objects of a project that is gone: no push to it is on the way.
    pub(super) async fn project_objects(&mut self, project_id: i64) -> Result<(), Failure> {
        let Some(store) = self.store.objects() else { return Ok(()) };
        let Some(State { prefix, .. }) = self.state().await? else { return Ok(()) };
        self.delete_objects(store, &format!("{prefix}{project_id}/"), String::new(), i64::MAX).await.map(drop)
    }

    async fn state(&mut self) -> Result<Option<State>, Failure> {
        let rows = self.rows(sql::sweep_state {}).await?;
        rows.map(|rows| rows.first()).transpose().map(Option::flatten)
    }

    /// Goes on along the keys of all projects, then moves diffs.
    pub(super) async fn objects(&mut self, now: i64) -> Result<(), Failure> {
        let Some(store) = self.store.objects() else { return Ok(()) };
        let Some(State { prefix, after }) = self.state().await? else { return Ok(()) };
        let looked = self.delete_objects(store, &prefix, after, now - ON_THE_WAY).await?;
        self.rows(sql::looked_upto { after: looked }).await?;
        while self.swept.objects_moved < MOST_MOVED {
            let Some(rows) = self.rows(sql::next_diffs {}).await? else { return Ok(()) };
            let parts: Vec<Part> = rows.all()?;
            let Some(commit_id) = parts.last().map(|part| part.commit_id) else { return Ok(()) };
            // first the objects, then what names them: a run that ends in between leaves some that are forgotten
            let (moved, objects) = moved(parts, now);
            if !objects.is_empty() {
                self.swept.objects_moved += objects.len() as u64;
                store.put(objects).await?;
            }
            let item = |moved: &Moved| {
                json!(DiffItem::new(&moved.commit, moved.part, &moved.paths, Some(&moved.lies)))
            };
            let diffs = json!(moved.iter().map(item).collect::<Vec<_>>()).to_string();
            let step = vec![
                sql::name_objects { diffs: &diffs }.into(),
                sql::remove_texts { diffs: &diffs }.into(),
                sql::moved_upto { commit_id }.into(),
            ];
            if self.batch(step).await?.is_none() {
                return Ok(());
            }
        }
        self.swept.unfinished = true;
        Ok(())
    }

    /// The rows of one statement; none once the run has done its share.
    async fn rows(&mut self, statement: impl Into<Statement>) -> Result<Option<Rows>, Failure> {
        Ok(self.batch(vec![statement.into()]).await?.and_then(|(mut rows, _)| rows.pop()))
    }
}

/// The long diffs of which there are texts, and their objects.
fn moved(parts: Vec<Part>, now: i64) -> (Vec<Moved>, Vec<(String, String)>) {
    let (mut moved, mut objects) = (Vec::new(), Vec::new());
    let mut parts = parts.into_iter().peekable();
    while let Some(first) = parts.next() {
        let Some(mut diff) = first.text else { continue };
        while let Some(further) = parts.next_if(|part| part.commit_id == first.commit_id) {
            diff.push_str(&further.text.unwrap_or_default());
        }
        let Some(paths) = push::paths(&diff) else { continue };
        // no push uses such a key, and no other run
        let object = format!("m{now:x}");
        let key = first.object_key + &object;
        let lies = Lies { object, bytes: diff.len(), digest: etag::digest(&diff) };
        moved.push(Moved { commit: first.commit_id.to_string(), part: first.part, paths, lies });
        objects.push((key, diff));
    }
    (moved, objects)
}
