-- members: delete group members
-- Binds: ?1 user_id, ?2 place_id
-- Rows in the small world: 1 given, 1 written

delete from group_members as m
where m.user_id = (select ?1) and m.group_id = (select ?2) and (m.access < 50 or exists (
  select 1
  from group_members o
  where o.group_id = (select ?2) and o.access = 50 and o.user_id <> (select ?1)
))
returning 'true' as v

-- Plan:
-- SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- SCALAR SUBQUERY
--   SEARCH o USING INDEX group_members_of_group (group_id=?)
