//! Deletes expired data when the Cron trigger fires (docs/limits.md, "Retention"). Each transaction deletes a few rows
//! and leaves every counter right. All progress is in the database, so the next run continues after a killed one.

mod contents;
mod objects;

use crate::areas::events::{self, system};
use crate::kernel::config::Retention;
use crate::kernel::store::{Failure, Store};
use crate::kernel::time::{self, DAY, HOUR, MINUTE};
use crate::kernel::{Query, Row, Statement};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/retention/retention.sql", "src/areas/retention/ending.sql", "src/areas/retention/objects.sql", "src/areas/retention/contents.sql");

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SweepCounts {
    pub rows_written: u64,
    pub statements: u64,
    pub objects_moved: u64,
    pub objects_deleted: u64,
    /// The run stopped at one of its limits.
    pub unfinished: bool,
}

/// Limits of a run. Rows include those of indexes.
pub const MOST_ROWS: u64 = 10_000;
pub const MOST_STATEMENTS: u64 = 1_000;
const MOST_MILLIS: f64 = 2500.0;

struct Run<'a> {
    store: &'a Store<'a>,
    /// The most rows that one batch wrote: the estimate for the next batch.
    most: u64,
    lists: u64,
    swept: SweepCounts,
}

impl Run<'_> {
    /// None at the limits of the run.
    async fn batch<Q: Query>(&mut self, query: Q) -> Result<Option<Q::Answer>, Failure> {
        let mut statements = Vec::new();
        let sent = query.add_to(&mut statements);
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
        Q::read(sent, &mut rows.into()).map(Some)
    }

    async fn run_in_chunks(&mut self, batch: impl Fn() -> Vec<Statement>) -> Result<(), Failure> {
        loop {
            let before = self.swept.rows_written;
            if self.batch(batch()).await?.is_none() || self.swept.rows_written == before {
                return Ok(());
            }
        }
    }

    async fn statuses(&mut self, before: i64) -> Result<(), Failure> {
        loop {
            let next = (sql::next_statuses { before }, sql::status_sweep {});
            let query = (next, sql::old_statuses { before }, sql::statuses_swept {});
            let Some(((_, sweep), ..)) = self.batch(query).await? else { return Ok(()) };
            if sweep.first()?.is_none_or(|sweep: StatusSweep| sweep.ended) {
                return Ok(());
            }
        }
    }

    async fn projects(&mut self, before: i64, now: i64) -> Result<(), Failure> {
        loop {
            let begin = (sql::end_projects { before }, sql::purge_projects { now }, sql::project_left {});
            let Some((.., left)) = self.batch(begin).await? else { return Ok(()) };
            let Some(LeftProject { project_id }) = left.first()? else { return Ok(()) };
            self.run_in_chunks(|| delete_issues(now)).await?;
            self.run_in_chunks(delete_repository).await?;
            if !self.swept.unfinished {
                self.project_objects(project_id).await?;
            }
            if self.swept.unfinished {
                return Ok(());
            }
            self.run_in_chunks(delete_project).await?;
            // apart, because after it the statements above are about the next project
            self.batch(sql::project_remains {}).await?;
        }
    }
}

/// Of an object in the object store.
#[derive(Row)]
struct Key {
    object_key: String,
}

#[derive(Row)]
struct StatusSweep {
    ended: bool,
}

#[derive(Row)]
struct LeftProject {
    project_id: i64,
}

/// Deletes references to issues before the issues. Triggers update the counts.
fn delete_issues(now: i64) -> Vec<Statement> {
    vec![
        sql::todos {}.into(),
        sql::notes {}.into(),
        sql::participants {}.into(),
        sql::subscriptions {}.into(),
        sql::commit_references {}.into(),
        sql::resource_events {}.into(),
        sql::awards {}.into(),
        sql::issue_links {}.into(),
        sql::issue_labels {}.into(),
        sql::count_off_issues { now }.into(),
        sql::moved_issues {}.into(),
        sql::issue_remains {}.into(),
        sql::issues {}.into(),
    ]
}

/// Deletes deployments before their statuses, and references to commits before the commits.
fn delete_repository() -> Vec<Statement> {
    vec![
        sql::deployments {}.into(),
        sql::refs {}.into(),
        sql::tag_objects {}.into(),
        sql::status_heads {}.into(),
        sql::statuses {}.into(),
        sql::status_counts {}.into(),
        sql::commit_comments {}.into(),
        sql::diffs {}.into(),
        sql::objects {}.into(),
        sql::reports {}.into(),
        sql::uploads {}.into(),
        sql::package_files {}.into(),
        sql::packages {}.into(),
        sql::more_paths {}.into(),
        sql::forgotten_commits {}.into(),
        sql::branch_queue {}.into(),
        sql::edges_to_parents {}.into(),
        sql::edges_to_children {}.into(),
        sql::commits {}.into(),
    ]
}

/// Ends the memberships whose last day has come, with their events.
fn end_memberships(base: &str, now: i64) -> Vec<Statement> {
    let today = || time::day(now);
    let mut statements = system::members_expire(base, &today(), now).to_vec();
    statements.extend([
        sql::ended_members_leave { today: today(), now }.into(),
        sql::ended_project_members { today: today() }.into(),
        sql::ended_group_members { today: today() }.into(),
    ]);
    statements
}

/// Deletes old data of hooks: the log and its events after a week, deliveries that were not sent, and chains after half
/// an hour.
fn delete_deliveries(now: i64) -> Vec<Statement> {
    let week = now - 7 * DAY;
    vec![
        sql::old_deliveries { before: now - 3 * DAY }.into(),
        sql::old_hook_log { before: week }.into(),
        sql::old_hook_events { before: week }.into(),
        sql::old_hook_chains { before: now - HOUR / 2 }.into(),
        sql::old_hook_trials { before: now - MINUTE }.into(),
    ]
}

/// Deletes the rest of a project without issues and commits.
fn delete_project() -> Vec<Statement> {
    vec![
        sql::deliveries_of_project {}.into(),
        sql::hook_log_of_project {}.into(),
        sql::hook_events_of_project {}.into(),
        sql::hooks_of_project {}.into(),
        sql::events_of_project {}.into(),
        sql::environments {}.into(),
        sql::badges {}.into(),
        sql::label_subscriptions {}.into(),
        sql::labels {}.into(),
        sql::release_links {}.into(),
        sql::milestone_releases {}.into(),
        sql::releases {}.into(),
        sql::milestones {}.into(),
        sql::imported {}.into(),
        sql::project_members {}.into(),
        sql::branch_counts {}.into(),
        sql::project_tokens {}.into(),
        sql::staged_swaps {}.into(),
        sql::issue_counts {}.into(),
        sql::removed_numbers {}.into(),
        sql::mirrors {}.into(),
    ]
}

/// Deletes expired data. `base`: the base of addresses in events.
pub async fn sweep(store: &Store<'_>, retention: Retention, base: &str, now: i64) -> Result<SweepCounts, Failure> {
    let mut run = Run { store, most: 0, lists: 0, swept: SweepCounts::default() };
    let before = |days: i64| (days > 0).then(|| now.saturating_sub(days.saturating_mul(DAY)).max(0));
    // if a step fails, the others still run
    let mut steps = Vec::new();
    if let Some(before) = before(retention.idempotency_keys) {
        steps.push(run.run_in_chunks(|| vec![sql::kept_answers { before }.into()]).await);
    }
    if let Some(before) = before(retention.ended_tokens) {
        let tokens = || vec![sql::expired_tokens { before }.into(), sql::revoked_tokens { before }.into()];
        steps.push(run.run_in_chunks(tokens).await);
    }
    steps.push(run.run_in_chunks(|| vec![sql::ended_sessions { now }.into()]).await);
    steps.push(run.run_in_chunks(|| end_memberships(base, now)).await);
    steps.push(run.run_in_chunks(|| delete_deliveries(now)).await);
    steps.push(run.run_in_chunks(|| events::tokens_expire(base, now)).await);
    if let Some(before) = before(retention.events) {
        steps.push(run.run_in_chunks(|| vec![sql::old_events { before }.into()]).await);
    }
    if let Some(before) = before(retention.audit_events) {
        steps.push(run.run_in_chunks(|| vec![sql::old_audit_events { before }.into()]).await);
    }
    if let Some(before) = before(retention.reports) {
        steps.push(run.run_in_chunks(|| vec![sql::old_reports { before }.into()]).await);
    }
    if let Some(before) = before(retention.deleted_projects) {
        steps.push(run.projects(before, now).await);
    }
    if let Some(before) = before(retention.statuses) {
        steps.push(run.statuses(before).await);
    }
    steps.push(run.contents(now).await);
    steps.push(run.objects(now).await);
    steps.into_iter().collect::<Result<(), Failure>>()?;
    Ok(run.swept)
}
