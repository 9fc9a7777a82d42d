//! Statements of what ends by itself. Each takes off a few rows of those that are found by an index; `?1` is how many, or the
//! time before which something has to be.

pub mod objects;

/// Answers that were kept for repeats, which nobody can get any more.
pub const KEYS: &str =
    "delete from idempotency_keys where (user_id, key) in (select o.user_id, o.key from idempotency_keys o
  where o.created_at < (select ?1) order by o.created_at limit 500)";

/// Tokens that have expired.
pub const EXPIRED: &str = "delete from tokens where hash in (
  select t.hash from tokens t where t.expires_at < (select ?1) order by t.expires_at limit 200)";

/// Tokens that were revoked.
pub const REVOKED: &str = "delete from tokens where hash in (
  select t.hash from tokens t where t.revoked_at < (select ?1) order by t.revoked_at limit 200)";

/// Ids of statuses ascend with their time, so the walk goes by id: up to which does it go now?
pub const STATUSES_UPTO: &str = "update sweeps set upto = coalesce((
  select max(id) from (select s.id, s.created_at from statuses s where s.id > sweeps.after order by s.id limit 250)
  where created_at < (select ?1)), after) where what = 'statuses'";

/// Is the walk at its end?
pub const STATUSES_ENDED: &str =
    "select json(iif(after = upto, 'true', 'false')) as v from sweeps where what = 'statuses'";

/// What the newest of a name has taken the place of, and no deployment has.
pub const STATUSES: &str = "delete from statuses where id in (select s.id from sweeps w cross join statuses s
  on s.id > w.after and s.id <= w.upto where w.what = 'statuses' and s.created_at < (select ?1)
  and not exists (select 1 from status_heads h
    where h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name and h.status_id = s.id)
  and not exists (select 1 from deployments d where d.status_id = s.id))";

/// The next walk begins anew: what was the newest may be so no more.
pub const STATUSES_AFTER: &str =
    "update sweeps set after = iif(after = upto, 0, upto) where what = 'statuses'";

/// From here on a project that was deleted before `?1` does not come back.
pub const PROJECTS: &str = "insert into project_remains (project_id) select id from (
  select p.id from projects p where p.deleted_at < (select ?1) and p.deleted_at is not null and p.purged_at is null
  order by p.deleted_at limit 20) where true on conflict do nothing";
pub const PROJECTS_PURGED: &str = "update projects set purged_at = ?1, description = null
where id in (select project_id from project_remains) and purged_at is null";
pub const PROJECTS_LEFT: &str =
    "select json_quote(project_id) as v from project_remains order by project_id limit 1";

/// The project whose remains go first.
macro_rules! project {
    () => {
        "(select min(project_id) from project_remains)"
    };
}

/// Its next issues.
macro_rules! issues {
    () => {
        concat!("(select i.id from issues i where i.project_id = ", project!(), " order by i.iid limit 5)")
    };
}

/// Its next commits.
macro_rules! commits {
    () => {
        concat!("(select c.id from commits c where c.project_id = ", project!(), " order by c.sha limit 20)")
    };
}

/// Nothing of an issue or commit is left in a table.
macro_rules! none {
    ($($table:literal $column:literal),* of $row:literal) => {
        concat!($(" and not exists (select 1 from ", $table, " x where x.", $column, " = ", $row, ".id)"),*)
    };
}

/// What hangs on issues goes before them; their triggers keep what repeats and counts them.
pub const ISSUES: &[&str] = &[
    concat!(
        "delete from todos where id in (select t.id from todos t where t.issue_id in ",
        issues!(),
        " limit 100)"
    ),
    concat!(
        "delete from notes where id in (select n.id from notes n where n.issue_id in ",
        issues!(),
        " and not exists (select 1 from todos t where t.note_id = n.id) limit 100)"
    ),
    concat!(
        "delete from participants where (issue_id, user_id, note_id) in (select t.issue_id, t.user_id, t.note_id
  from participants t where t.issue_id in ",
        issues!(),
        " limit 100)"
    ),
    concat!(
        "delete from subscriptions where (issue_id, user_id) in (select t.issue_id, t.user_id
  from subscriptions t where t.issue_id in ",
        issues!(),
        " limit 100)"
    ),
    concat!("delete from issue_labels where issue_id in ", issues!()),
    concat!(
        "update issues set deleted_at = ?1, user_notes_count = 0, system_notes_count = 0 where deleted_at is null and id in ",
        issues!()
    ),
    concat!("update issues set moved_to_id = null where moved_to_id in ", issues!()),
    concat!("delete from issue_remains where issue_id in ", issues!()),
    concat!(
        "delete from issues where id in (select i.id from issues i where i.id in ",
        issues!(),
        none!("todos" "issue_id", "notes" "issue_id", "participants" "issue_id", "subscriptions" "issue_id" of "i"),
        ")"
    ),
];

/// Deployments before the statuses that they are of, and all that hangs on commits before them.
pub const REPOSITORY: &[&str] = &[
    concat!("update mirrors set bytes = 0 where project_id = ", project!(), " and bytes <> 0"),
    concat!(
        "delete from deployments where id in (select d.id from deployments d where d.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from refs where (project_id, name) in (select r.project_id, r.name from refs r where r.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from status_heads where (commit_id, ref, name) in (select h.commit_id, h.ref, h.name
  from status_heads h where h.commit_id in ",
        commits!(),
        " limit 100)"
    ),
    concat!(
        "delete from statuses where id in (select s.id from statuses s where s.commit_id in ",
        commits!(),
        " and not exists (select 1 from status_heads h where h.commit_id = s.commit_id)
  and not exists (select 1 from deployments d where d.status_id = s.id) limit 100)"
    ),
    concat!(
        "delete from status_counts where (commit_id, ref, stage) in (select n.commit_id, n.ref, n.stage
  from status_counts n where n.commit_id in ",
        commits!(),
        " and not exists (select 1 from statuses s where s.commit_id = n.commit_id) limit 100)"
    ),
    concat!(
        "delete from commit_comments where id in (select m.id from commit_comments m where m.commit_id in ",
        commits!(),
        " limit 100)"
    ),
    concat!("delete from diffs where commit_id in ", commits!()),
    concat!("delete from forgotten_commits where commit_id in ", commits!()),
    concat!("delete from branch_queue where commit_id in ", commits!()),
    concat!(
        "delete from parents where (child_id, position) in (select e.child_id, e.position from parents e where e.child_id in ",
        commits!(),
        " limit 100)"
    ),
    concat!(
        "delete from parents where (child_id, position) in (select e.child_id, e.position from parents e where e.parent_id in ",
        commits!(),
        " limit 100)"
    ),
    concat!(
        "delete from commits where id in (select c.id from commits c where c.id in ",
        commits!(),
        none!("status_heads" "commit_id", "statuses" "commit_id", "status_counts" "commit_id",
            "commit_comments" "commit_id", "parents" "child_id", "parents" "parent_id", "refs" "commit_id" of "c"),
        ")"
    ),
];

/// The rest, once there is neither an issue nor a commit.
pub const REST: &[&str] = &[
    concat!(
        "delete from environments where id in (select e.id from environments e where e.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from labels where id in (select l.id from labels l where l.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from milestones where id in (select m.id from milestones m where m.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from project_members where (user_id, project_id) in (select m.user_id, m.project_id
  from project_members m where m.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from branch_counts where (project_id, branch) in (select b.project_id, b.branch
  from branch_counts b where b.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from tokens where hash in (select t.hash from tokens t where t.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!(
        "delete from staged_swaps where (project_id, portion) in (select s.project_id, s.portion
  from staged_swaps s where s.project_id = ",
        project!(),
        " limit 100)"
    ),
    concat!("delete from issue_counts where project_id = ", project!()),
    concat!("delete from removed_numbers where project_id = ", project!()),
    concat!("delete from mirrors where project_id = ", project!()),
    concat!(
        "delete from project_remains where project_id = ",
        project!(),
        " and not exists (select 1 from environments x where x.project_id = project_remains.project_id)
  and not exists (select 1 from labels x where x.project_id = project_remains.project_id)
  and not exists (select 1 from milestones x where x.project_id = project_remains.project_id)
  and not exists (select 1 from project_members x where x.project_id = project_remains.project_id)
  and not exists (select 1 from branch_counts x where x.project_id = project_remains.project_id)
  and not exists (select 1 from tokens x where x.project_id = project_remains.project_id)
  and not exists (select 1 from staged_swaps x where x.project_id = project_remains.project_id)"
    ),
];
