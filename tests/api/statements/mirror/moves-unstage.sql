-- mirror: moves unstage
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 1 written

delete from staged_swaps
where project_id = (select ?1)

-- Plan:
-- SEARCH staged_swaps USING PRIMARY KEY (project_id=?)
