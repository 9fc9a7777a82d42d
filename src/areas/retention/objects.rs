//! Deletes objects without a row, and moves long diffs to the object store (docs/limits.md, "Diffs in R2").

use super::{Key, Run, sql};
use crate::areas::mirror::push::{self, StoredObject};
use crate::areas::mirror::store::DiffItem;
use crate::kernel::http::etag;
use crate::kernel::store::{Failure, Objects};
use crate::kernel::time::HOUR;
use crate::kernel::{Row, Statement};
use serde_json::json;

const MOST_LISTS: u64 = 20;
const MOST_MOVED: u64 = 500;

/// Milliseconds for which an object may have no row, because its push has not written the row yet.
pub const ON_THE_WAY: i64 = HOUR;

#[derive(Row)]
struct Part {
    commit_id: i64,
    object_key: String,
    part: i64,
    /// None if the diff stays where it is.
    text: Option<String>,
}

#[derive(Row)]
struct State {
    /// The start of the keys of this database.
    prefix: String,
    /// The last key that the sweep read.
    after: String,
}

struct MovedDiff {
    commit: String,
    part: i64,
    paths: String,
    stored: StoredObject,
}

impl Run<'_> {
    /// Deletes the objects without a row whose keys start with `prefix` and come after `after`, if they were put before
    /// `before`. Returns the last key read, empty at the end. `prefix` starts with [`State::prefix`].
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
            let keys = json!(page).to_string();
            let step: [Statement; 3] = [
                sql::forgotten { keys: &keys }.into(),
                sql::unnamed_objects { keys: &keys }.into(),
                sql::unnamed_files { keys: &keys }.into(),
            ];
            let Some(found) = self.batch(step).await? else { return Ok(after) };
            let mut forgotten: Vec<String> = Vec::new();
            for rows in found {
                forgotten.extend(rows.all::<Key>()?.into_iter().map(|row| row.object_key));
            }
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

    /// Deletes also new objects, because nobody can push to a deleted project.
    pub(super) async fn project_objects(&mut self, project_id: i64) -> Result<(), Failure> {
        let Some(store) = self.store.objects() else { return Ok(()) };
        let Some(State { prefix, .. }) = self.state().await? else { return Ok(()) };
        self.delete_objects(store, &format!("{prefix}{project_id}/"), String::new(), i64::MAX).await.map(drop)
    }

    async fn state(&mut self) -> Result<Option<State>, Failure> {
        let rows = self.batch(sql::sweep_state {}).await?;
        rows.map_or(Ok(None), |rows| rows.first())
    }

    pub(super) async fn objects(&mut self, now: i64) -> Result<(), Failure> {
        let Some(store) = self.store.objects() else { return Ok(()) };
        let Some(State { prefix, after }) = self.state().await? else { return Ok(()) };
        self.run_in_chunks(|| vec![sql::old_reservations { before: now - ON_THE_WAY }.into()]).await?;
        let last = self.delete_objects(store, &prefix, after, now - ON_THE_WAY).await?;
        self.batch(sql::looked_upto { after: last }).await?;
        while self.swept.objects_moved < MOST_MOVED {
            let Some(rows) = self.batch(sql::next_diffs {}).await? else { return Ok(()) };
            let parts: Vec<Part> = rows.all()?;
            let Some(commit_id) = parts.last().map(|part| part.commit_id) else { return Ok(()) };
            // objects before rows: if the run ends in between, a later sweep deletes the objects
            let (moved, objects) = moved(parts, now);
            if !objects.is_empty() {
                self.swept.objects_moved += objects.len() as u64;
                store.put(objects).await?;
            }
            let item =
                |moved: &MovedDiff| json!(DiffItem::new(&moved.commit, moved.part, &moved.paths, Some(&moved.stored)));
            let diffs = json!(moved.iter().map(item).collect::<Vec<_>>()).to_string();
            let (name, remove) = (sql::name_objects { diffs: &diffs }, sql::remove_texts { diffs: &diffs });
            let step = (!moved.is_empty()).then_some((sql::begin_move {}, name, remove, sql::end_move {}));
            let step = (step, sql::moved_upto { commit_id });
            if self.batch(step).await?.is_none() {
                return Ok(());
            }
        }
        self.swept.unfinished = true;
        Ok(())
    }
}

fn moved(parts: Vec<Part>, now: i64) -> (Vec<MovedDiff>, Vec<(String, String)>) {
    let (mut moved, mut objects) = (Vec::new(), Vec::new());
    let mut parts = parts.into_iter().peekable();
    while let Some(first) = parts.next() {
        let Some(mut diff) = first.text else { continue };
        while let Some(further) = parts.next_if(|part| part.commit_id == first.commit_id) {
            diff.push_str(&further.text.unwrap_or_default());
        }
        let Some(paths) = push::paths(&diff) else { continue };
        // the key is unique: keys of a push have no `m`, and no other run has the same time
        let object = format!("m{now:x}");
        let key = first.object_key + &object;
        let stored = StoredObject { object, bytes: diff.len(), digest: etag::digest(&diff) };
        moved.push(MovedDiff { commit: first.commit_id.to_string(), part: first.part, paths, stored });
        objects.push((key, diff));
    }
    (moved, objects)
}
