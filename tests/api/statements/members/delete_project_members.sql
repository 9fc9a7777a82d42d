-- members: delete project members
-- Binds: ?1 user_id, ?2 place_id
-- Rows in the small world: 1 given, 1 written

delete from project_members as m
where m.user_id = (select ?1) and m.project_id = (select ?2) and (m.access < 50 or true)
returning 'true' as v

-- Plan:
-- SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
