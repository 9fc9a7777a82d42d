//! Lists of deployments and environments in v4. In the order of their numbers a page is one range, and a filter looks at a
//! bounded number of them: such a page may end before it is full, and the next one goes on behind what was looked at. In the
//! order of other columns the thousand newest are listed.

use super::sql::{deployments, environment_json};
use crate::call::in_project;
use crate::page::{Key, Page, bounded};
use crate::projects::sql::namespace_json;
use crate::store::{Statement, Value, fill, sql};
use crate::walk;

/// Deployments of which the newest are put into an order of their own, and rows among which a page is found by its number.
const NEWEST_OF: i64 = 1000;

/// Beyond every number and time.
const EVER: i64 = 1 << 53;

/// First row: the number of the last one that a filter looked at, if there may be more behind it. Then the deployments after
/// the number `?7`: of `?10`, those that fit the filters; `?8` are passed over and `?9` taken. `?11` name of the
/// environment, `?12` state, `?13` to `?16` the first and last times of update and of the end.
const DEPLOYMENTS: &str = bounded!(in_project!(
    "union all select json_object('end', (select w.iid from ({looked} limit 1 offset (select ?10 - 1)) w))
union all select v from (",
    deployments!(
        "where id in (select w.id from ({looked} limit (select ?10)) w where {fits} order by {order} limit (select ?9) offset (select ?8))
  order by {outer} limit (select ?9)"
    ),
    ")"
));

/// Of the project, or of one environment; ?11 to ?16 stand in every variant, so that their binds are there.
const OF_PROJECT: &str = "d.project_id = (select project_id from scope where builds_enabled) and ?11 is null";
const OF_ENVIRONMENT: &str = "d.environment_id = (select e.id from environments e
      where e.project_id = (select project_id from scope where builds_enabled) and e.name = (select ?11))";

const IN_ORDER: &str =
    "select d.* from deployments d where {range} and d.iid {beyond} (select ?7) order by d.iid {sort}";
const NEWEST: &str = "select d.* from deployments d where {range} and ?7 is not null order by d.iid desc";

const ALL: &str = "coalesce(?12, ?13, ?14, ?15, ?16, 1) is not null";
const FITTING: &str = "exists (select 1 from statuses s where s.id = w.status_id
    and iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)) = coalesce(?12, iif(s.skipped, 'skipped', iif(s.state = 'pending', 'created', s.state)))
    and coalesce(s.finished_at, s.started_at, s.created_at) between ?13 and ?14
    and (?15 = -9007199254740992 and ?16 = 9007199254740992 or s.finished_at between ?15 and ?16))";

/// What deployments are ordered by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    Number,
    Updated,
    Finished,
    Ref,
}

impl Order {
    /// Of the deployment `$w`.
    fn column(self) -> &'static str {
        match self {
            Order::Number => "iid",
            Order::Updated => {
                "(select coalesce(o.finished_at, o.started_at, o.created_at) from statuses o where o.id = status_id)"
            }
            Order::Finished => "(select o.finished_at from statuses o where o.id = status_id)",
            Order::Ref => "(select o.ref from statuses o where o.id = status_id)",
        }
    }
}

/// What a list of deployments is asked for.
#[derive(Debug)]
pub struct Filter {
    pub environment: Option<String>,
    pub status: Option<&'static str>,
    /// Milliseconds, both inclusive.
    pub updated: [Option<i64>; 2],
    pub finished: [Option<i64>; 2],
    pub order: Order,
    pub descends: bool,
}

impl Filter {
    fn is_narrow(&self) -> bool {
        let times = self.updated.iter().chain(&self.finished).any(Option::is_some);
        self.status.is_some() || times
    }

    /// The cursor of the page behind that number.
    pub fn next(&self, page: &Page, iid: i64) -> Option<String> {
        // another order's page is found by its number
        let key = if self.order == Order::Number { Key::Int(iid) } else { Key::from("") };
        page.next([key])
    }
}

pub fn list(filter: &Filter, page: &Page) -> Statement {
    let in_order = filter.order == Order::Number;
    let beginning = if filter.descends { EVER } else { 0 };
    let ([after], offset) =
        if in_order { page.begin([Key::Int(beginning)]) } else { ([Value::Int(0)], page.offset()) };
    let looked = match in_order {
        true => walk::steps(page, offset, filter.is_narrow()),
        false => NEWEST_OF,
    };
    let (beyond, sort) = if filter.descends { ("<", "desc") } else { (">", "") };
    let order = if in_order { "w.iid {sort}" } else { "{column} {sort}, w.iid {sort}" };
    let outer = if in_order { "iid {sort}" } else { "{column} {sort}, iid {sort}" };
    let text = fill(
        DEPLOYMENTS,
        &[
            ("looked", if in_order { IN_ORDER } else { NEWEST }),
            ("range", if filter.environment.is_some() { OF_ENVIRONMENT } else { OF_PROJECT }),
            ("fits", if filter.is_narrow() { FITTING } else { ALL }),
            ("order", order),
            ("outer", outer),
            ("column", filter.order.column()),
            ("beyond", beyond),
            ("sort", sort),
        ],
    );
    let ([updated_from, updated_to], [finished_from, finished_to]) = (filter.updated, filter.finished);
    sql!(
        text,
        after,
        offset,
        page.size + 1,
        looked,
        filter.environment.as_deref(),
        filter.status,
        updated_from.unwrap_or(-EVER),
        updated_to.unwrap_or(EVER),
        finished_from.unwrap_or(-EVER),
        finished_to.unwrap_or(EVER)
    )
}

/// First row: the project with its namespace, and the number of the last environment that a filter looked at, if there may be
/// more behind it. Then those after the number `?7` whose name is `?11` or has `?12` in it and whose state is among `?13`
/// (JSON), of `?10`; `?8` are passed over and `?9` taken.
const ENVIRONMENTS: &str = bounded!(in_project!(
    "union all select json_object('project', json_object('id', p.id, 'name', p.name, 'path', p.path, 'full_name', p.full_name,
    'full_path', p.full_path, 'description', p.description, 'visibility', p.visibility,
    'default_branch', p.default_branch, 'issues_enabled', p.issues_enabled, 'builds_enabled', p.builds_enabled,
    'archived', p.archived, 'creator_id', p.creator_id, 'created_at', p.created_at, 'updated_at', p.updated_at),
  'namespace', ",
    namespace_json!("p.namespace_id"),
    ", 'end', (select w.number from ({looked} limit 1 offset (select ?10 - 1)) w))
  from scope cross join projects p on p.id = scope.project_id
union all select v from (select ",
    environment_json!(),
    " as v from ({looked} limit (select ?10)) e
  where (?12 is null or instr(lower(e.name), ?12)) and (?13 is null or e.state in (select value from json_each(?13)))
  limit (select ?9) offset (select ?8))"
));

const IN_ORDER_OF_NUMBERS: &str =
    "select n.* from environments n where n.project_id = (select project_id from scope where builds_enabled)
      and n.number > (select ?7) and ?11 is null order by n.number";
const OF_THAT_NAME: &str =
    "select n.* from environments n where n.project_id = (select project_id from scope where builds_enabled)
      and n.name = (select ?11) and n.number > (select ?7)";

/// What a list of environments is asked for.
#[derive(Debug)]
pub struct Search {
    pub name: Option<String>,
    /// A piece of the name.
    pub search: Option<String>,
    pub states: Option<Vec<&'static str>>,
}

pub fn environments(search: &Search, page: &Page) -> Statement {
    let (after, offset) = page.after();
    let is_narrow = search.search.is_some() || search.states.is_some();
    let looked = walk::steps(page, offset, is_narrow);
    let source = if search.name.is_some() { OF_THAT_NAME } else { IN_ORDER_OF_NUMBERS };
    let piece = search.search.as_ref().map(|piece| piece.to_ascii_lowercase());
    let states = search.states.as_ref().map(|states| serde_json::json!(states).to_string());
    let text = fill(ENVIRONMENTS, &[("looked", source)]);
    sql!(text, after, offset, page.size + 1, looked, search.name.as_deref(), piece, states)
}
