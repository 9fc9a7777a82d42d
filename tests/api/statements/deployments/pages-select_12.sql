-- deployments: pages select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 looked, ?11 search.name.as_deref(), ?12 piece, ?13 states
-- Rows in the small world: 2 given, 0 written

select iif(octet_length(v) <= (select ?6 ->> 6), v, '"cut ' || octet_length(v) || '"') as v
from (
-- call/project_head.sql
union all
select json_object('project', json_object('id', p.id, 'name', p.name, 'path', p.path, 'full_name', p.full_name,
  'full_path', p.full_path, 'description', p.description, 'visibility', p.visibility, 'default_branch', p.default_branch,
  'issues_enabled', p.issues_enabled, 'builds_enabled', p.builds_enabled, 'archived', p.archived, 'creator_id',
  p.creator_id, 'created_at', p.created_at, 'updated_at', p.updated_at), 'namespace', json((
  select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path), coalesce(g.description, ''), coalesce(g.created_at,
    (
    select u.created_at
    from users u
    where u.id = n.id
  )), json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = n.id
  )))
  from namespaces n
  left join groups g
  on g.id = n.id
  where n.id = p.namespace_id
)), 'end', (
  select w.number
  from (
    select n.*
    from environments n
    where n.project_id = (
      select project_id
      from scope
      where builds_enabled
    ) and n.name = (select ?11) and n.number > (select ?7)
    limit 1 offset (select ?10 - 1)
  ) w
))
from scope
cross join projects p
on p.id = scope.project_id
union all
select v
from (
  select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description) as v
  from (
    select n.*
    from environments n
    where n.project_id = (
      select project_id
      from scope
      where builds_enabled
    ) and n.name = (select ?11) and n.number > (select ?7)
    limit (select ?10)
  ) e
  where (?12 is null or instr(lower(e.name), ?12)) and (?13 is null or e.state in (
    select value
    from json_each(?13)
  ))
  limit (select ?9) offset (select ?8)
))
limit (select ?6 ->> 7)

-- Plan:
-- CO-ROUTINE (subquery)
--   COMPOUND QUERY
--     UNION ALL
--       SCAN scope
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--         SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--         CORRELATED SCALAR SUBQUERY
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY
--         CO-ROUTINE w
--           SEARCH n USING INDEX sqlite_autoindex_environments_1 (project_id=? AND name=?)
--           SCALAR SUBQUERY
--             SCAN scope
--         SCAN w
--     UNION ALL
--       CO-ROUTINE (subquery)
--         CO-ROUTINE e
--           SEARCH n USING INDEX sqlite_autoindex_environments_1 (project_id=? AND name=?)
--           SCALAR SUBQUERY
--             SCAN scope
--         SCAN e
--         LIST SUBQUERY
--           SCAN json_each VIRTUAL TABLE INDEX 1:
--           CREATE BLOOM FILTER
--       SCAN (subquery)
-- SCAN (subquery)
