-- What is the project like, and is `?7` a branch of it?
-- Binds: ?7 change.default_branch.as_deref()
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('visibility', p.visibility, 'branch_exists', exists (
  select 1
  from refs r
  where r.project_id = p.id and r.name = 'refs/heads/' || ?7
), 'restricted', json(s.restricted_visibility_levels))
from scope
cross join projects p
on p.id = scope.project_id
cross join settings s

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     SCAN s
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
