-- members: select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 query
-- Rows in the small world: 2 given, 0 written

-- call/group_head.sql
union all
select v
from (
  select json_array(json_array(u.id, u.username, u.name, u.state, u.email), m.access, m.created_at) as v
  from group_members m
  cross join users u
  on u.id = m.user_id
  where m.group_id = (
    select group_id
    from scope
  ) and m.user_id > (select ?7) and (?10 is null or instr(lower(u.name), lower(?10)) or instr(lower(u.username),
    lower(?10)))
  order by m.user_id
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH m USING INDEX group_members_of_group (group_id=? AND user_id>?)
--       SCALAR SUBQUERY
--         SCAN scope
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SCAN (subquery)
