-- Gives the projects of the namespace `?1` the addresses that its new path `?2` makes.
-- Binds: ?1 user_id, ?2 username
-- Rows in the small world: 0 given, 0 written

update projects
set full_path = ?2 || '/' || path, path_key = lower(?2 || '/' || path)
where namespace_id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH projects USING INDEX projects_within_by_update (namespace_id=?)
