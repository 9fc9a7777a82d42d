-- groups: rename projects
-- Binds: ?1 group_id, ?2 path
-- Rows in the small world: 0 given, 2 written

update projects
set full_path = ?2 || '/' || path, path_key = lower(?2 || '/' || path)
where namespace_id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH projects USING INDEX projects_within_by_update (namespace_id=?)
