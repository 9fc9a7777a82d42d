-- From then on no read shows it, and another label may have its name.
-- Binds: ?1 row.id
-- Rows in the small world: 0 given, 1 written

update labels
set title = ',' || id
where id = (select ?1)

-- Plan:
-- SEARCH labels USING INTEGER PRIMARY KEY (rowid=?)
