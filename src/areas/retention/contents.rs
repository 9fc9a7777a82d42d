//! Removes objects of repositories that no branch or tag needs (docs/limits.md, "Contents in R2").

use super::{Key, Run, sql};
use crate::kernel::store::Failure;
use crate::kernel::time::DAY;

impl Run<'_> {
    /// Rows before objects: if the run ends in between, the objects have no row, and a later sweep deletes them.
    pub(super) async fn contents(&mut self, now: i64) -> Result<(), Failure> {
        let Some(store) = self.store.objects() else { return Ok(()) };
        let before = now - DAY;
        loop {
            let step = (sql::unneeded_objects { before }, sql::remove_objects { before });
            let Some((rows, _)) = self.batch(step).await? else { return Ok(()) };
            let keys: Vec<Key> = rows.all()?;
            if keys.is_empty() {
                return Ok(());
            }
            self.swept.objects_deleted += keys.len() as u64;
            store.delete(keys.into_iter().map(|key| key.object_key).collect()).await?;
        }
    }
}
