-- Takes projects of the namespace `?1` off their address, `?2` at most: their keys begin with `/` and its id until all
--   have left the old name, so that the next statement finds those that are left without looking at the others.
-- Binds: ?1 namespace_id, ?2 PORTION
-- Rows in the small world: 0 given, 0 written

update projects
set path_key = '/' || namespace_id || '/' || id
where id in (
  select p.id
  from namespaces n
  cross join projects p
  on p.path_key > n.path_key || '/' and p.path_key < n.path_key || '0'
  where n.id = (select ?1)
  order by p.path_key
  limit (select ?2)
)

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH p USING COVERING INDEX sqlite_autoindex_projects_1 (path_key>? AND path_key<?)
