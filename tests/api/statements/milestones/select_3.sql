-- milestones: select
-- Binds: ?7 state, ?8 iids.map(|iids| json!(iids).to_string()), ?9 after, ?10 offset, ?11 page.size + 1
-- Rows in the small world: 3 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_object('total', (
  select iif(count(*) > 10000, null, count(*))
  from (
    select 1
    from milestones m
    where m.project_id = s.project_id and m.iid in (
      select value
      from json_each(?8)
    ) and m.iid > 0 and m.state = coalesce(?7, m.state)
    limit 10001
  )
))
from scope s
union all
select json_object('milestone', json(v))
from (
  select json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date, m.start_date, m.created_at,
    m.updated_at) as v
  from milestones m
  where m.project_id = (
    select project_id
    from scope
  ) and m.iid in (
    select value
    from json_each(?8)
  ) and m.iid > 0 and m.state = coalesce(?7, m.state) and m.iid > (select ?9)
  order by m.iid
  limit (select ?11) offset (select ?10)
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       SCAN s
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SEARCH m USING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid>?)
--           LIST SUBQUERY
--             SCAN json_each VIRTUAL TABLE INDEX 1:
--             CREATE BLOOM FILTER
--         SCAN (subquery)
--     UNION ALL
--       CO-ROUTINE (subquery)
--         SEARCH m USING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid=?)
--         SCALAR SUBQUERY
--           SCAN scope
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--       SCAN (subquery)
-- SCAN (subquery)
