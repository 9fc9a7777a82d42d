-- Gives those the address and the name that follow from those of the namespace.
-- Binds: ?1 namespace_id, ?2 PORTION
-- Rows in the small world: 0 given, 0 written

update projects
set path_key = lower(now.path || '/' || projects.path), full_path = now.path || '/' || projects.path, full_name = now.name || ' / ' || projects.name
from (
  select n.path, coalesce(g.name, u.name) as name
  from namespaces n
  left join groups g
  on g.id = n.id
  left join users u
  on u.id = n.id
  where n.id = (select ?1)
) now
where projects.id in (
  select p.id
  from namespaces n
  cross join projects p
  on p.path_key > '/' || n.id || '/' and p.path_key < '/' || n.id || '0'
  where n.id = (select ?1)
  order by p.path_key
  limit (select ?2)
)

-- Plan:
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH p USING COVERING INDEX sqlite_autoindex_projects_1 (path_key>? AND path_key<?)
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
