-- retention: objects moved upto
-- Binds: ?1 last
-- Rows in the small world: 0 given, 1 written

update object_sweeps
set moved = cast(?1 as integer)
where moved < cast((select ?1) as integer)

-- Plan:
-- SCAN object_sweeps
