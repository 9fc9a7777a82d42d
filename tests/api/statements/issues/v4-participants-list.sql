-- Who takes part in the issue `?7`, by ids: behind `?8`, `?9` passed over, `?10` at most. From each the next one is
--   looked up, for somebody may have written thousands of comments.
-- Binds: ?7 issue, ?8 after, ?9 offset, ?10 page.size + 1
-- Rows in the small world: 5 given, 0 written

-- call/project_head.sql
union all
select v
from (
  with recursive seen as materialized (
    select i.id, i.author_id, coalesce(i.assignee_id, i.author_id) as assignee_id
    from scope s
    cross join issues i
    on i.id = coalesce(?7 ->> 0, (
      select n.id
      from issues n
      where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
        select y.id
        from projects y
        where y.path_key = (select ?5 ->> 1)
      ))
    )) and i.project_id = s.project_id and i.deleted_at is null
      and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id))
      and s.issues_enabled
  ), taking_part(user_id) as (
    select cast((select ?8) as integer)
    from seen
    union all
    select min(coalesce((
      select t.user_id
      from participants t
      where t.issue_id = s.id and t.user_id > k.user_id
      order by t.user_id
      limit 1
    ), 9007199254740992), iif(s.author_id > k.user_id, s.author_id, 9007199254740992), iif(s.assignee_id > k.user_id,
      s.assignee_id, 9007199254740992))
    from taking_part k
    cross join seen s
    where k.user_id < 9007199254740992
    limit 1 + (select ?10) + (select ?9)
  )
  select json_object('seen', null) as v
  from seen
  union all
  select json_object('user', json(json_array(u.id, u.username, u.name, u.state, u.email)))
  from (
    select user_id
    from taking_part
    limit (select ?10) offset 1 + (select ?9)
  ) k
  cross join users u
  on u.id = k.user_id
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     COMPOUND QUERY
--       UNION ALL
--         CO-ROUTINE k
--           CO-ROUTINE taking_part
--             SETUP
--               SCAN seen
--             RECURSIVE STEP
--               SCAN k
--               SCAN s
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH t USING PRIMARY KEY (issue_id=? AND user_id>?)
--           SCAN taking_part
--         SCAN k
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
