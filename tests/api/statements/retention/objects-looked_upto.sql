-- retention: objects looked upto
-- Binds: ?1 looked
-- Rows in the small world: 0 given, 0 written

update object_sweeps
set after = ?1
where after <> (select ?1)

-- Plan:
-- SCAN object_sweeps
