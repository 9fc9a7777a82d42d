-- members: update project members
-- Binds: ?1 user_id, ?2 place_id, ?3 access
-- Rows in the small world: 1 given, 1 written

update project_members as m
set access = ?3
where m.user_id = (select ?1) and m.project_id = (select ?2) and (m.access < 50 or ?3 = 50 or true)
returning 'true' as v

-- Plan:
-- SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
