//! Statements of `issues/v4/participants.rs`.

use crate::call::in_project;
use crate::issues::sql::seen;
use crate::person::user_json;

/// No id is greater.
macro_rules! end {
    () => {
        "9007199254740992"
    };
}

/// Who takes part in the issue `?7`, by ids: behind `?8`, `?9` passed over, `?10` at most. From each the next one is looked
/// up, for somebody may have written thousands of comments.
pub const LIST: &str = in_project!(
    "union all select v from (
  with recursive seen as materialized (select i.id, i.author_id, coalesce(i.assignee_id, i.author_id) as assignee_id from ",
    seen!("?7"),
    "), taking_part(user_id) as (
    select cast((select ?8) as integer) from seen
    union all
    select min(coalesce((select t.user_id from participants t where t.issue_id = s.id and t.user_id > k.user_id
        order by t.user_id limit 1), ",
    end!(),
    "), iif(s.author_id > k.user_id, s.author_id, ",
    end!(),
    "), iif(s.assignee_id > k.user_id, s.assignee_id, ",
    end!(),
    ")) from taking_part k cross join seen s where k.user_id < ",
    end!(),
    "
    limit 1 + (select ?10) + (select ?9)
  )
  select json_object('seen', null) as v from seen
  union all
  select json_object('user', json(",
    user_json!("u"),
    ")) from (select user_id from taking_part limit (select ?10) offset 1 + (select ?9)) k
  cross join users u on u.id = k.user_id)"
);
