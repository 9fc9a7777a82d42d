//! Rows and statements of commit statuses.

pub mod creation;
pub mod posts;

use super::input::{ListStatuses, SKIPPED};
use crate::call::in_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::error::Result;
use crate::page::{Key, Page};
use crate::person::{UserRow, user_by_id};
use crate::store::{Row, Rows, Statement, fill, sql};

#[derive(Debug, Row)]
pub struct StatusRow {
    pub id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub state: String,
    pub name: String,
    pub target_url: Option<String>,
    pub description: Option<String>,
    /// Percent. v4 shows it.
    pub coverage: Option<f64>,
    /// Of a canceled one: whether v4 says `skipped`.
    #[row(default)]
    pub skipped: i64,
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
}

impl StatusRow {
    /// The state as v4 calls it.
    pub fn state_of_today(&self) -> String {
        if self.skipped == 1 { SKIPPED.to_owned() } else { self.state.clone() }
    }
}

/// A [`StatusRow`] of columns that stand alone (`""`) or behind an alias (`"s."`).
macro_rules! status_json {
    ($s:literal) => {
        concat!(
            "json_array(",
            $s,
            "id, ",
            $s,
            "ref, ",
            $s,
            "state, ",
            $s,
            "name, ",
            $s,
            "target_url, ",
            $s,
            "description, ",
            $s,
            "coverage, ",
            $s,
            "skipped, ",
            $s,
            "created_at, ",
            $s,
            "started_at, ",
            $s,
            "finished_at)"
        )
    };
}

pub(crate) use status_json;

/// The commit that a status is for.
#[derive(Debug, Row)]
pub struct Target {
    pub commit_id: i64,
    /// The branch of statuses that name none.
    pub branch: Option<String>,
    /// Whether the ref that was sent is a branch or tag.
    pub ref_is_known: bool,
}

/// The branch of the project that `?7` names, if the commit `$commit` is its tip: statuses for the branch's name are the branch's.
macro_rules! named_branch {
    ($commit:literal, $project:literal) => {
        concat!(
            "(select substr(r.name, 12) from refs r where r.project_id = ",
            $project,
            " and r.commit_id = ",
            $commit,
            " and r.name = ",
            crate::commits::sql::branch_name!($project),
            ")"
        )
    };
}

pub(crate) use named_branch;

/// Which commit is named by `?7`, and to which branch does it belong?
const TARGET: &str = in_project!(
    "union all select json_object('commit_id', c.id, 'branch', coalesce(",
    named_branch!("c.id", "here.project_id"),
    ", c.branch), 'ref_is_known', exists (select 1 from refs r where r.project_id = here.project_id
    and r.name in (?9, 'refs/heads/' || ?9, 'refs/tags/' || ?9))) from scope here cross join commits c on c.id = ",
    commit_id!("here.project_id")
);

/// `git_ref`: the ref that was sent.
pub fn target(name: &str, git_ref: Option<&str>) -> Statement {
    sql!(TARGET, name, abbreviation(name), git_ref)
}

/// One row of a list's answer.
#[derive(Row)]
enum Part {
    /// The commit's hash and the list's length; none: very long.
    Commit(String, Option<i64>),
    Status(Box<(StatusRow, UserRow)>),
}

pub struct Listed {
    pub sha: String,
    pub total: Option<i64>,
    pub statuses: Vec<(StatusRow, UserRow)>,
}

impl Listed {
    /// None if there is no such commit.
    pub fn from(rows: &Rows) -> Result<Option<Listed>> {
        let (mut commit, mut statuses) = (None, Vec::new());
        for part in rows.all()? {
            match part {
                Part::Commit(sha, total) => commit = Some((sha, total)),
                Part::Status(status) => statuses.push(*status),
            }
        }
        Ok(commit.map(|(sha, total)| Listed { sha, total, statuses }))
    }
}

/// Which statuses of the commit `?7` come on this page? They stand in the table `{table}`, whose `{id}` is a status. `?9`
/// refs (JSON; null: any), whether the default ones; `?10` name, `?11` stage (null: any), `?12` passed over, `?13` at
/// most, `?14` the last id of the page before; `{after}` and `{sort}` say which way the ids go. Each step is one row that goes to the next as JSON, for every reference to a
/// common table expression counts the table cursors of all that it stands on again, of which a statement may have 100.
///
/// * `target`: the commit, and the refs whose statuses are listed;
/// * `ranges`: each of their stages, and of how many statuses it is, which the counters know;
/// * `page`: the ids of the page, and the total (null: very many). The ranges are merged by a queue that holds the next
///   status of each: whichever comes first leaves it and puts its successor in.
const LIST: &str = in_project!(
    "union all select v from (
  with target as materialized (
    select c.id, c.sha, case when ?9 is null then null when ?9 ->> 0 is not null then ?9
      else json_array('', coalesce(",
    named_branch!("c.id", "here.project_id"),
    ", here.default_branch, '')) end as refs
    from scope here cross join commits c on c.id = ",
    commit_id!("here.project_id"),
    "
  ), ranges as materialized (
    select t.id, t.sha, (select json_group_array(json_array(n.ref, n.stage, {counted})) from (
      select a.* from status_counts a where a.commit_id = iif(t.refs is null, t.id, null)
      union all
      select b.* from (select distinct value as ref from json_each(t.refs)) r
        cross join status_counts b on b.commit_id = t.id and b.ref = r.ref
    ) n where n.stage = coalesce(?11, n.stage)) as ranges from target t
  ), page as materialized (
    select g.sha, {total} as total, (with recursive walk(id, ref, part) as (
        select (select y.{id} {range} and y.ref = n.ref and y.{part} = n.part and y.{id} {after} (select ?14) order by y.{id} {sort} limit 1),
          n.ref, n.part from ({ranges}) n
        union all
        select (select y.{id} {range} and y.ref = w.ref and y.{part} = w.part and y.{id} {after} w.id order by y.{id} {sort} limit 1),
          w.ref, w.part from walk w where w.id is not null
        order by 1 {sort}
      ) select json_group_array(id) from (
        select id from walk where id is not null limit (select ?13) offset (select ?12))) as ids from ranges g
  )
  select iif(d.value = 0, json_object('commit', json_array(page.sha, page.total)), json_object('status', json_array(json(",
    status_json!("s."),
    "), json(",
    user_by_id!("s.user_id"),
    ")))) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join statuses s on s.id = d.value
)"
);

/// Every ref and stage is one range of an index, and the counters know how long it is.
const STAGES: [(&str, &str); 4] = [
    ("total", "(select coalesce(sum(n.value ->> 2), 0) from json_each(g.ranges) n)"),
    ("range", "from {table} y where y.commit_id = g.id"),
    ("ranges", "select value ->> 0 as ref, value ->> 1 as part from json_each(g.ranges)"),
    ("part", "stage"),
];

/// So is every ref and name.
const NAMES: [(&str, &str); 4] = [
    (
        "total",
        "case when ?11 is null then (select coalesce(sum({posted}), 0) from ({ranges}) n
      cross join status_heads h on h.commit_id = g.id and h.ref = n.ref and h.name = n.part)
    else (select iif(count(*) > 10000, null, count(*)) from (select 1 from ({ranges}) n
      cross join {table} y on y.commit_id = g.id and y.ref = n.ref and y.name = n.part and y.stage = (select ?11) limit 10001)) end",
    ),
    ("range", "from {table} y where y.commit_id = g.id and y.stage = coalesce(?11, y.stage)"),
    ("ranges", "select distinct value ->> 0 as ref, (select ?10) as part from json_each(g.ranges)"),
    ("part", "name"),
];

pub fn list(name: &str, filter: &ListStatuses, any_ref: bool, page: &Page) -> Statement {
    // JSON: the ref that was asked for; else null for the branch that names the commit or the default branch, and none
    let git_ref = filter.ref_name.as_deref().or(filter.git_ref.as_deref());
    let refs = (git_ref.is_some() || !any_ref).then(|| serde_json::json!([git_ref]).to_string());
    let (table, id, counted, posted) = if filter.all {
        ("statuses", "id", "n.posted", "h.posted")
    } else {
        ("status_heads", "status_id", "n.pending + n.running + n.success + n.failed + n.canceled", "1")
    };
    let (after, sort, beginning) = if filter.descends { ("<", "desc", 1 << 53) } else { (">", "", 0) };
    let ([cursor], offset) = page.begin([Key::Int(beginning)]);
    let plan = if filter.name.is_some() { NAMES } else { STAGES };
    let places = [
        ("table", table),
        ("id", id),
        ("counted", counted),
        ("posted", posted),
        ("after", after),
        ("sort", sort),
    ];
    let list = fill(LIST, &[plan.as_slice(), &places].concat());
    sql!(
        list,
        name,
        abbreviation(name),
        refs,
        filter.name.as_deref(),
        filter.stage.as_deref(),
        offset,
        page.size + 1,
        cursor
    )
}
