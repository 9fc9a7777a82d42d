-- Gives them the names that its new name `?2` makes.
-- Binds: ?1 user_id, ?2 name
-- Rows in the small world: 0 given, 0 written

update projects
set full_name = ?2 || ' / ' || name
where namespace_id = (select ?1)

-- Plan:
-- SEARCH projects USING COVERING INDEX projects_of_namespace (namespace_id=?)
