//! What ends by itself, when the deployment's Cron trigger calls (docs/operating.md, "What ends by itself").
//!
//! A run takes off a few rows at a time, each time in one transaction that leaves every counter right. Nothing is kept in
//! mind between two of them but in the database, so a run may be killed anywhere, and the next goes on.

mod objects;
mod sql;

use crate::config::Retention;
use crate::store::{Failure, Rows, Statement, Store, sql};
use serde::Serialize;

/// What a run did, as the log has it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Swept {
    pub rows_written: u64,
    pub statements: u64,
    /// Diffs that were moved into the object store, and objects that were deleted.
    pub objects_moved: u64,
    pub objects_deleted: u64,
    /// Whether it ended because it had done its share.
    pub unfinished: bool,
}

/// Rows that a run writes at most, those of indexes included, and statements.
pub const MOST_ROWS: u64 = 10_000;
pub const MOST_STATEMENTS: u64 = 1_000;
/// After so many milliseconds of the database it ends.
const MOST_MILLIS: f64 = 2500.0;

const DAY: i64 = 86_400_000;

struct Run<'a> {
    store: &'a Store<'a>,
    /// The most rows that one of its batches has written; so many may the next one write.
    most: u64,
    /// How often it listed objects.
    lists: u64,
    swept: Swept,
}

impl Run<'_> {
    /// One batch and how many rows it wrote; nothing once the run has done its share.
    async fn batch(&mut self, statements: Vec<Statement>) -> Result<Option<(Vec<Rows>, u64)>, Failure> {
        let count = statements.len() as u64;
        let expected = self.most.max(MOST_ROWS / 10);
        if self.swept.rows_written + expected > MOST_ROWS
            || self.swept.statements + count > MOST_STATEMENTS
            || self.store.cost().millis > MOST_MILLIS
        {
            self.swept.unfinished = true;
            return Ok(None);
        }
        let before = self.store.cost().rows_written;
        let rows = self.store.batch(statements).await?;
        let written = self.store.cost().rows_written - before;
        self.most = self.most.max(written);
        self.swept.rows_written += written;
        self.swept.statements += count;
        Ok(Some((rows, written)))
    }

    /// The same batch until it finds nothing more.
    async fn exhaust(&mut self, batch: impl Fn() -> Vec<Statement>) -> Result<(), Failure> {
        while let Some((_, written)) = self.batch(batch()).await? {
            if written == 0 {
                break;
            }
        }
        Ok(())
    }

    async fn statuses(&mut self, before: i64) -> Result<(), Failure> {
        let batch = || {
            vec![
                sql!(sql::STATUSES_UPTO, before),
                sql!(sql::STATUSES_ENDED),
                sql!(sql::STATUSES, before),
                sql!(sql::STATUSES_AFTER),
            ]
        };
        while let Some((rows, _)) = self.batch(batch()).await? {
            let ended = rows.get(1).map(Rows::first::<bool>).transpose()?.flatten();
            if ended.unwrap_or(true) {
                break;
            }
        }
        Ok(())
    }

    async fn projects(&mut self, before: i64, now: i64) -> Result<(), Failure> {
        loop {
            let begin =
                vec![sql!(sql::PROJECTS, before), sql!(sql::PROJECTS_PURGED, now), sql!(sql::PROJECTS_LEFT)];
            let Some((rows, _)) = self.batch(begin).await? else { return Ok(()) };
            let Some(project_id) = rows.last().map(Rows::first::<i64>).transpose()?.flatten() else {
                return Ok(());
            };
            self.exhaust(|| sql::ISSUES.iter().map(|text| timed(text, now)).collect()).await?;
            self.exhaust(|| sql::REPOSITORY.iter().map(|text| sql!(*text)).collect()).await?;
            if !self.swept.unfinished {
                self.project_objects(project_id).await?;
            }
            if self.swept.unfinished {
                return Ok(());
            }
            self.exhaust(|| sql::REST.iter().map(|text| sql!(*text)).collect()).await?;
        }
    }
}

/// With the time, where a statement asks for it.
fn timed(text: &'static str, now: i64) -> Statement {
    if text.contains("?1") { sql!(text, now) } else { sql!(text) }
}

/// Takes off what has ended, as much as one run may.
pub async fn sweep(store: &Store<'_>, retention: Retention, now: i64) -> Result<Swept, Failure> {
    let mut run = Run { store, most: 0, lists: 0, swept: Swept::default() };
    let before = |days: i64| (days > 0).then(|| now - days * DAY);
    if let Some(before) = before(retention.idempotency_keys) {
        run.exhaust(|| vec![sql!(sql::KEYS, before)]).await?;
    }
    if let Some(before) = before(retention.ended_tokens) {
        run.exhaust(|| vec![sql!(sql::EXPIRED, before), sql!(sql::REVOKED, before)]).await?;
    }
    if let Some(before) = before(retention.deleted_projects) {
        run.projects(before, now).await?;
    }
    if let Some(before) = before(retention.statuses) {
        run.statuses(before).await?;
    }
    run.objects(now).await?;
    Ok(run.swept)
}
