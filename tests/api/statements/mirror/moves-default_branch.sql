-- A trigger queues what that changes.
-- Binds: ?1 project_id, ?2 default_branch
-- Rows in the small world: 0 given, 1 written

update projects
set default_branch = ?2
where id = (select ?1) and default_branch is not (select ?2)

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
