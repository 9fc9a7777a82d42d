-- Its issues are numbered and counted from here on.
-- Binds: ?1 draft.namespace_id
-- Rows in the small world: 0 given, 1 written

insert into issue_counts (project_id)
select id
from projects
where id = (
  select max(id)
  from projects
  where namespace_id = (select ?1)
)
on conflict do nothing

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH projects USING COVERING INDEX projects_of_namespace (namespace_id=?)
