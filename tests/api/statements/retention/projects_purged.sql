-- retention: projects purged
-- Binds: ?1 now
-- Rows in the small world: 0 given, 0 written

update projects
set purged_at = ?1, description = null
where id in (
  select project_id
  from project_remains
) and purged_at is null

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- USING ROWID SEARCH ON TABLE project_remains FOR IN-OPERATOR
