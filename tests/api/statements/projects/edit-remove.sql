-- Hides the project `?1` for good, and frees its path.
-- Binds: ?1 project_id, ?2 now
-- Rows in the small world: 0 given, 2 written

update projects
set deleted_at = ?2, path_key = '/' || id
where id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
