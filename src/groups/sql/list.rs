//! Statements of `groups/list.rs`.

use crate::call::signed_in;
use crate::groups::sql::group_json;
use crate::policy::visible;

/// `?10` is in the name or path of the alias `g`.
macro_rules! found {
    () => {
        "(?10 is null or instr(lower(g.name), lower(?10)) or instr(lower(g.path), lower(?10)))"
    };
}

/// One range of an index: groups after `?7` in order of their ids.
macro_rules! range {
    ($from:expr) => {
        concat!(
            "select id from (select distinct g.id from ",
            $from,
            " and ",
            found!(),
            " order by g.id limit (select ?8 + ?9))"
        )
    };
}

/// Which groups after `?7`, and after `?8` others, may the caller see: their own, those of their projects, internal and
/// public ones, an administrator all? `?9` at most.
pub const LIST: &str = signed_in!(
    "union all select v from (select ",
    group_json!(),
    " as v from (select id from (",
    range!("groups g where g.id > (select ?7 from caller where admin)"),
    " union ",
    range!(concat!(
        "groups g where g.visibility = (select ",
        visible!(Internal),
        " from caller where sees_from <= ",
        visible!(Internal),
        ") and g.id > (select ?7)"
    )),
    " union ",
    range!(concat!(
        "groups g where g.visibility = (select ",
        visible!(Public),
        " from caller) and g.id > (select ?7)"
    )),
    " union select id from (",
    range!(
        "group_members m join groups g on g.id = m.group_id where m.user_id = (select id from caller) and m.group_id > (select ?7)"
    ),
    " union ",
    range!(
        "project_members m join projects p on p.id = m.project_id and p.deleted_at is null
      join groups g on g.id = p.namespace_id where m.user_id = (select id from caller) and g.id > (select ?7)"
    ),
    ")) order by id limit (select ?9) offset (select ?8)) page cross join groups g on g.id = page.id)"
);

/// Which namespaces after `?7`, and after `?8` others, are the caller's or a group's that they are in (an
/// administrator's: all), and have `?10` in their paths? `?9` at most.
pub const NAMESPACES: &str = signed_in!(
    "union all select v from (
  select json_object('id', n.id, 'path', n.path, 'kind', n.kind) as v from (
    select id from (select id from namespaces where id > (select ?7 from caller where admin) and path <> '/'
      and (?10 is null or instr(path_key, lower(?10))) order by id limit (select ?8 + ?9))
    union
    select n.id from (select id from caller union all
      select m.group_id from group_members m where m.user_id = (select id from caller)) mine
    cross join namespaces n on n.id = mine.id where n.id > (select ?7) and (?10 is null or instr(n.path_key, lower(?10)))
    order by 1 limit (select ?9) offset (select ?8)
  ) page cross join namespaces n on n.id = page.id)"
);
