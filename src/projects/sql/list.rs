//! Statements of `projects/list.rs`.

use crate::call::signed_in;
use crate::policy::visible;
use crate::projects::sql::project_json;

/// The filters on an alias: `?7` search, `?8` archived, `?9` visibility.
macro_rules! filtered {
    ($p:literal) => {
        concat!(
            $p,
            ".deleted_at is null and ",
            $p,
            ".visibility = coalesce(?9, ",
            $p,
            ".visibility) and ",
            $p,
            ".archived = coalesce(?8, ",
            $p,
            ".archived) and (?7 is null or instr(lower(",
            $p,
            ".name), lower(?7)) or instr(lower(",
            $p,
            ".path), lower(?7))
      or instr(lower(",
            $p,
            ".description), lower(?7)))"
        )
    };
}

/// Which projects past `?10`, and after `?11` others, are there? `?12` at most.
pub const ALL: &str = signed_in!(
    "union all select v from (select ",
    project_json!("(select id from caller)"),
    " as v from caller cross join projects p where p.id {past} ?10 and caller.admin and ",
    filtered!("p"),
    " order by p.id {sort} limit (select ?12) offset (select ?11))"
);

/// One range of an index: projects past `?10`.
macro_rules! range {
    ($from:expr) => {
        concat!(
            "select id from (select p.id from ",
            $from,
            " and p.id {past} ?10 and ",
            filtered!("p"),
            " order by p.id {sort} limit (select ?11 + ?12))"
        )
    };
}

/// Which projects past `?10`, and after `?11` others, may the caller `c` see: internal and public ones and their own?
pub const VISIBLE: &str = signed_in!(
    "union all select v from (
  with page as materialized (select c.id as user_id, (select json_group_array(id) from (select id from (",
    range!(concat!("projects p where p.visibility = iif(c.sees_from <= ", visible!(Internal), ", ", visible!(Internal), ", null)")),
    " union ",
    range!(concat!("projects p where p.visibility = ", visible!(Public))),
    " union ",
    range!("project_members m cross join projects p on p.id = m.project_id where m.user_id = c.id"),
    " union ",
    "select e.value from (select c.id as id union all select m.group_id from group_members m where m.user_id = c.id) own
    cross join json_each((select json_group_array(id) from (select x.id from projects x
      where x.namespace_id = own.id and x.id {past} ?10 and ",
    filtered!("x"),
    " order by x.id {sort} limit (select ?11 + ?12)))) e)
    order by id {sort} limit (select ?12) offset (select ?11))) as ids from caller c)
  select ",
    project_json!("page.user_id"),
    " as v from page cross join json_each(page.ids) d cross join projects p on p.id = d.value)"
);

pub(crate) use filtered;
