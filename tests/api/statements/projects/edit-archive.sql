-- Lays the project `?1` in the archive, or takes it out.
-- Binds: ?1 project_id, ?2 archived, ?3 call.now
-- Rows in the small world: 0 given, 1 written

update projects
set archived = ?2, updated_at = ?3
where id = (select ?1) and deleted_at is null and archived <> (select ?2)

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
