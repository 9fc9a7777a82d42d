-- Newest first: how many (null: very many), then those before the number `?8`, `?9` passed over, `?10` at most.
-- Binds: ?7 filter, ?8 before, ?9 offset, ?10 page.size + 1
-- Rows in the small world: 3 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_object('total', (
  select iif(count(*) > 10000, null, count(*))
  from (
    select *
    from milestones x
    where x.project_id = s.project_id and x.iid > 0 and x.iid < 9007199254740992
    order by x.iid desc
    limit 10001
  ) m
  where m.state = coalesce((select ?7 ->> 0), m.state) and m.title = coalesce((select ?7 ->> 1), m.title)
    and ((select ?7 ->> 2) is null or instr(lower(m.title || ' ' || coalesce(m.description, '')), (select ?7 ->> 2)))
    and m.updated_at >= coalesce((select ?7 ->> 3), m.updated_at)
    and m.updated_at <= coalesce((select ?7 ->> 4), m.updated_at)
    and ((select ?7 ->> 5) is null or m.iid in (
    select value
    from json_each((select ?7 ->> 5))
  ))
))
from scope s
union all
select v
from (
  select json_object('milestone', json(json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date,
    m.start_date, m.created_at, m.updated_at))) as v
  from (
    select *
    from milestones x
    where x.project_id = (
      select project_id
      from scope
    ) and x.iid > 0 and x.iid < (select ?8)
    order by x.iid desc
    limit 10001
  ) m
  where m.state = coalesce((select ?7 ->> 0), m.state) and m.title = coalesce((select ?7 ->> 1), m.title)
    and ((select ?7 ->> 2) is null or instr(lower(m.title || ' ' || coalesce(m.description, '')), (select ?7 ->> 2)))
    and m.updated_at >= coalesce((select ?7 ->> 3), m.updated_at)
    and m.updated_at <= coalesce((select ?7 ->> 4), m.updated_at)
    and ((select ?7 ->> 5) is null or m.iid in (
    select value
    from json_each((select ?7 ->> 5))
  ))
  limit (select ?10) offset (select ?9)
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       SCAN s
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE m
--           SEARCH x USING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid>? AND iid<?)
--         SCAN m
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--           CREATE BLOOM FILTER
--     UNION ALL
--       CO-ROUTINE (subquery)
--         CO-ROUTINE m
--           SEARCH x USING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid>? AND iid<?)
--           SCALAR SUBQUERY
--             SCAN scope
--         SCAN m
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--           CREATE BLOOM FILTER
--       SCAN (subquery)
-- SCAN (subquery)
