-- groups: retitle projects
-- Binds: ?1 group_id, ?2 name
-- Rows in the small world: 0 given, 2 written

update projects
set full_name = ?2 || ' / ' || name
where namespace_id = (select ?1)

-- Plan:
-- SEARCH projects USING COVERING INDEX projects_of_namespace (namespace_id=?)
