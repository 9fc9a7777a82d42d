-- The state of the deployment `?7`, whether none of the thousand after it in its environment succeeded, and when it
--   was changed.
-- Binds: ?7 id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(s.state, not exists (
  select 1
  from (
    select n.status_id
    from deployments n
    where n.environment_id = d.environment_id and n.iid > d.iid
    order by n.iid
    limit 1000
  ) n
  cross join statuses o
  on o.id = n.status_id
  where o.state = 'success'
), coalesce(s.finished_at, s.started_at, s.created_at))
from deployments d
cross join statuses s
on s.id = d.status_id
where d.id = (select ?7) and d.project_id = (
  select project_id
  from scope
  where builds_enabled
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH d USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN scope
--     SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       CO-ROUTINE n
--         SEARCH n USING INDEX deployments_of_environment (environment_id=? AND iid>?)
--       SCAN n
--       SEARCH o USING INTEGER PRIMARY KEY (rowid=?)
