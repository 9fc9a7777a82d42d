//! Lists of issues: filters, orders, pages and totals. Every list is one statement whose cost is its page's.

use super::entity::Issue;
use super::sql::{IssueRow, issue_json};
use crate::call::{Call, Links, in_project};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::sql;
use crate::store::{Rows, Statement};
use serde::Deserialize;

/// Parameters of the issue lists.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub struct ListIssues {
    state: Option<State>,
    labels: Option<Vec<String>>,
    milestone: Option<String>,
    iid: Option<Vec<i64>>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum State {
    Opened,
    Closed,
    All,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Asc,
    Desc,
}

/// Filters and page of a list; `labels=` and `milestone=` mean something when blank.
pub fn read(call: &Call<'_>) -> Result<(ListIssues, Page)> {
    let filter = call.query(&["labels", "milestone"])?;
    Ok((filter, call.page()?))
}

/// One row of a list's answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Issue(Box<IssueRow>),
    Total(i64),
}

/// What a list's statement found.
#[derive(Debug, Default)]
pub struct Listed {
    issues: Vec<IssueRow>,
    total: i64,
}

impl Listed {
    pub fn from(rows: &Rows) -> Result<Listed> {
        let mut listed = Listed::default();
        for part in rows.all()? {
            match part {
                Part::Issue(row) => listed.issues.push(*row),
                Part::Total(total) => listed.total = total,
            }
        }
        Ok(listed)
    }

    pub fn reply(
        self,
        call: &Call<'_>,
        filter: &ListIssues,
        page: &Page,
        path: &[(&str, &str)],
        links: &Links,
    ) -> Result<Reply> {
        let cursor = self.issues.last().map(|row| filter.cursor(row));
        let issues: Vec<Issue> = self.issues.into_iter().map(|row| Issue::new(row, links)).collect();
        call.listing(page, Total::Known(self.total), path, cursor, &issues)
    }
}

impl ListIssues {
    fn updated(&self) -> bool {
        self.order_by == Some(OrderBy::UpdatedAt)
    }

    fn ascending(&self) -> bool {
        self.sort == Some(Sort::Asc)
    }

    /// The state to keep, or none for all.
    fn state(&self) -> Option<&'static str> {
        match self.state {
            Some(State::Opened) => Some("opened"),
            Some(State::Closed) => Some("closed"),
            Some(State::All) | None => None,
        }
    }

    /// Where the page ends that this row ends: its time in the order, and its id.
    fn cursor(&self, row: &IssueRow) -> String {
        format!("{}_{}", if self.updated() { row.updated_at } else { row.created_at }, row.id)
    }

    /// Where the page begins: after the cursor, or at the list's beginning; and how many rows to pass over.
    fn start(&self, page: &Page) -> (i64, i64, i64) {
        const END: i64 = 1 << 53;
        let cursor = page.cursor.as_deref().and_then(|text| {
            let (at, id) = text.split_once('_')?;
            Some((at.parse::<i64>().ok()?, id.parse::<i64>().ok()?))
        });
        match cursor {
            Some((at, id)) => (at.clamp(-END, END), id.clamp(0, END), 0),
            None if self.ascending() => (-END, 0, page.offset()),
            None => (END, END, page.offset()),
        }
    }

    /// A text with the order's places filled from a closed set of words.
    fn ordered(&self, text: &'static str) -> String {
        let (at, word, past) = (
            if self.updated() { "updated_at" } else { "created_at" },
            if self.ascending() { "asc" } else { "desc" },
            if self.ascending() { ">" } else { "<" },
        );
        text.replace("{at}", at).replace("{sort}", word).replace("{past}", past)
    }
}

/// One range of an index: its condition, in order, as far as the page reaches.
/// Binds of all lists: `?7` state, `?8` and `?9` start, `?10` rows to pass over, `?11` size, `?12` labels, `?13` milestone,
/// `?14` iids.
macro_rules! range {
    ($($condition:expr),+) => {
        concat!("select * from (select i.id, i.{at} as at from issues i where ", $($condition),+,
            " and i.deleted_at is null and (i.{at}, i.id) {past} (?8, ?9) order by i.{at} {sort}, i.id {sort} limit ?10 + ?11)\n")
    };
}

/// All ranges of a place: open to all, hidden for reporters, then what a caller below them sees of the hidden.
macro_rules! ranges {
    ($place:expr) => {
        concat!(
            "select * from (",
            ranges!($place, "i.confidential = 0"),
            ")
union all select * from (",
            ranges!($place, "i.confidential = 1 and (select access from scope) >= 20"),
            ")
union all select * from (",
            ranges!(
                $place,
                "i.confidential = 1 and (select access from scope) < 20
      and i.project_id = (select project_id from scope) and i.author_id = (select user_id from scope)"
            ),
            ")
union all select * from (",
            ranges!(
                $place,
                "i.confidential = 1 and (select access from scope) < 20
      and i.project_id = (select project_id from scope) and i.assignee_id = (select user_id from scope)
      and i.author_id <> (select user_id from scope)"
            ),
            ")"
        )
    };
    ($place:expr, $seen:literal) => {
        concat!(
            range!($place, " and ", $seen, " and i.state = 'opened' and coalesce(?7, 'opened') = 'opened'"),
            "union all ",
            range!($place, " and ", $seen, " and i.state = 'closed' and coalesce(?7, 'closed') = 'closed'")
        )
    };
}

/// Whether the caller sees the issue `i` of this project.
macro_rules! seen {
    () => {
        "(i.confidential = 0 or (select access from scope) >= 20
    or (select user_id from scope) in (i.author_id, i.assignee_id))"
    };
}

/// The page of `candidates` (id, at) as issues.
macro_rules! page_of {
    ($candidates:expr) => {
        concat!(
            "union all select json_object('issue', json(v)) from (select ",
            issue_json!("(select id from caller)"),
            " as v from (select id, at from (",
            $candidates,
            ") order by at {sort}, id {sort} limit ?11 offset ?10) c
  join issues i on i.id = c.id order by c.at {sort}, c.id {sort})\n"
        )
    };
}

/// The caller's own hidden issues, where he is below reporter, that meet a condition.
macro_rules! own_hidden {
    ($condition:expr) => {
        concat!(
            "(case when (select access from scope) >= 20 then 0 else
    (select count(*) from issues i where i.project_id = (select project_id from scope) and i.confidential = 1
      and i.deleted_at is null and i.author_id = (select user_id from scope) and i.state = coalesce(?7, i.state)", $condition, ")
    + (select count(*) from issues i where i.project_id = (select project_id from scope) and i.confidential = 1
      and i.deleted_at is null and i.assignee_id = (select user_id from scope)
      and i.author_id <> (select user_id from scope) and i.state = coalesce(?7, i.state)", $condition, ") end)"
        )
    };
}

/// What a row `n` of counters says to this caller.
macro_rules! counted {
    () => {
        "(coalesce(?7, 'opened') = 'opened') * (n.opened + ((select access from scope) >= 20) * n.opened_hidden)
  + (coalesce(?7, 'closed') = 'closed') * (n.closed + ((select access from scope) >= 20) * n.closed_hidden)"
    };
}

macro_rules! of_project {
    () => {
        "i.project_id = (select project_id from scope)"
    };
}

macro_rules! of_milestone {
    () => {
        "i.milestone_id = (select m.id from milestones m where m.project_id = (select project_id from scope) and m.title = ?13)"
    };
}

/// Which issues of the project come on this page?
const PLAIN: &str = in_project!(
    page_of!(ranges!(of_project!())),
    "union all select json_object('total', ",
    counted!(),
    " + ",
    own_hidden!(""),
    ") from issue_counts n where n.project_id = (select project_id from scope)"
);

/// Which issues of the milestone `?13`?
const IN_MILESTONE: &str = in_project!(
    page_of!(ranges!(of_milestone!())),
    "union all select json_object('total', ",
    counted!(),
    " + ",
    own_hidden!(" and i.milestone_id = n.id"),
    ") from milestones n where n.project_id = (select project_id from scope) and n.title = ?13"
);

/// One range of a label's index.
macro_rules! label_range {
    ($seen:literal, $state:literal) => {
        concat!(
            "select * from (select x.issue_id from issue_labels x where x.label_id = l.id and ",
            $seen,
            " and x.state = '",
            $state,
            "' and coalesce(?7, x.state) = x.state and (x.created_at, x.issue_id) {past} (?8, ?9)
      order by x.created_at {sort}, x.issue_id {sort} limit ?10 + ?11)\n"
        )
    };
}

/// An issue `i` that bears one of the labels `?12`.
macro_rules! labeled {
    () => {
        " and exists (select 1 from issue_labels y join labels l on l.id = y.label_id
      where y.issue_id = i.id and l.title in (select value from json_each(?12)))"
    };
}

/// The hidden issues that a caller below reporter sees because they are his.
macro_rules! ranges_of_own {
    ($condition:expr) => {
        concat!(
            "select i.id, i.{at} as at from issues i where (select access from scope) < 20 and i.confidential = 1
    and i.project_id = (select project_id from scope) and i.author_id = (select user_id from scope)
    and i.state = coalesce(?7, i.state) and i.deleted_at is null and (i.{at}, i.id) {past} (?8, ?9)", $condition, "
  union all select i.id, i.{at} as at from issues i where (select access from scope) < 20 and i.confidential = 1
    and i.project_id = (select project_id from scope) and i.assignee_id = (select user_id from scope)
    and i.author_id <> (select user_id from scope)
    and i.state = coalesce(?7, i.state) and i.deleted_at is null and (i.{at}, i.id) {past} (?8, ?9)", $condition
        )
    };
}

/// Which issues that bear any of the labels `?12`, in order of creation?
const LABELED: &str = in_project!(
    page_of!(concat!(
        "select b.issue_id as id, b.created_at as at from json_each(?12) named
  cross join labels l on l.project_id = (select project_id from scope) and l.title = named.value
  cross join issue_labels b on b.label_id = l.id and b.issue_id in (",
        label_range!("x.confidential = 0", "opened"),
        "union all ",
        label_range!("x.confidential = 0", "closed"),
        "union all ",
        label_range!("x.confidential = 1 and (select access from scope) >= 20", "opened"),
        "union all ",
        label_range!("x.confidential = 1 and (select access from scope) >= 20", "closed"),
        ")
union select * from (",
        ranges_of_own!(labeled!()),
        ")"
    )),
    "union all select json_object('total', case when json_array_length(?12) = 1 then
  coalesce((select ",
    counted!(),
    " from labels n
    where n.project_id = (select project_id from scope) and n.title = ?12 ->> '$[0]'), 0)
  else (select count(distinct x.issue_id) from json_each(?12) named
    join labels l on l.project_id = (select project_id from scope) and l.title = named.value
    join issue_labels x on x.label_id = l.id and x.state = coalesce(?7, x.state)
      and x.confidential <= ((select access from scope) >= 20)) end + ",
    own_hidden!(labeled!()),
    ")"
);

/// The issues of `{base}` that this caller sees and that meet every filter given.
macro_rules! matches {
    () => {
        concat!(
            "from {base} where i.project_id = (select project_id from scope) and i.deleted_at is null
  and i.state = coalesce(?7, i.state) and ", seen!(), "
  and (?14 is null or i.iid in (select value from json_each(?14)))
  and case when ?12 is null then 1
    when ?12 = '[\"No Label\"]' then not exists (select 1 from issue_labels y where y.issue_id = i.id)
    else 1", labeled!(), " end
  and case when ?13 is null then 1 when ?13 = 'No Milestone' then i.milestone_id is null
    else i.milestone_id = (select m.id from milestones m where m.project_id = i.project_id and m.title = ?13) end"
        )
    };
}

/// Which issues meet all filters given, whatever they are? Its cost is that of the matches of `{base}`.
const MATCHED: &str = in_project!(
    page_of!(concat!("select i.id, i.{at} as at ", matches!(), " and (i.{at}, i.id) {past} (?8, ?9)")),
    "union all select json_object('total', (select count(*) from (select i.id ",
    matches!(),
    ")))"
);

/// Where [`MATCHED`] begins: the most telling filter.
const BASE_IIDS: &str = "json_each(?14) w cross join issues i on i.project_id = (select project_id from scope) and i.iid = w.value";
const BASE_LABELS: &str = "(select distinct x.issue_id from json_each(?12) w
    join labels l on l.project_id = (select project_id from scope) and l.title = w.value
    join issue_labels x on x.label_id = l.id) b cross join issues i on i.id = b.issue_id";
const BASE_MILESTONE: &str = "milestones m cross join issues i on i.milestone_id = m.id and m.title = ?13
    and m.project_id = (select project_id from scope)";
const BASE_PROJECT: &str = "issues i";

/// The statement that lists a project's issues.
pub fn of_project(filter: &ListIssues, page: &Page) -> Statement {
    let no_label = filter.labels.as_deref().is_some_and(|names| names == [NO_LABEL]);
    let no_milestone = filter.milestone.as_deref() == Some("No Milestone");
    // the second value: how many of the binds the text has places for
    let (text, binds) = match (&filter.iid, &filter.labels, &filter.milestone) {
        (None, None, None) => (filter.ordered(PLAIN), 5),
        (None, Some(_), None) if !no_label && !filter.updated() => (filter.ordered(LABELED), 6),
        (None, None, Some(_)) if !no_milestone && !filter.updated() => (filter.ordered(IN_MILESTONE), 7),
        (iid, labels, milestone) => {
            let base = match () {
                () if iid.is_some() => BASE_IIDS,
                () if labels.is_some() && !no_label => BASE_LABELS,
                () if milestone.is_some() && !no_milestone => BASE_MILESTONE,
                () => BASE_PROJECT,
            };
            (filter.ordered(MATCHED).replace("{base}", base), 8)
        }
    };
    let (at, id, skipped) = filter.start(page);
    let json = |value: serde_json::Value| value.to_string();
    let labels = filter.labels.clone().map(|names| json(names.into()));
    let iids = filter.iid.clone().map(|iids| json(iids.into()));
    let mut statement =
        sql!("", filter.state(), at, id, skipped, page.size, labels, filter.milestone.as_deref(), iids);
    statement.sql = text.into();
    statement.binds.truncate(binds);
    statement
}

/// What stands for an issue without labels among label names.
const NO_LABEL: &str = "No Label";
