-- Counts it in its personal namespace.
-- Binds: ?1 draft.namespace_id
-- Rows in the small world: 0 given, 1 written

update users
set projects_count = projects_count + 1
where id = (select ?1) and changes() = 1

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
