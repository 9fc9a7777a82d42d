-- Every commit is looked at again.
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 1 written

update mirrors
set scan_after = ''
where project_id = (select ?1)

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
