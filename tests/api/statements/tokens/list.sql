-- Is there a user `?7`, and which are their tokens after `?8`, and after `?9` others? `?10` at most.
-- Binds: ?7 user_id, ?8 after, ?9 offset, ?10 page.size + 1
-- Rows in the small world: 3 given, 0 written

-- call/caller_head.sql
union all
select json_object('user_id', u.id, 'token_id', null)
from caller c
cross join users u
on u.id = (select ?7)
union all
select v
from (
  select json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.bot_id, t.scopes,
    t.access) as v
  from tokens t indexed by tokens_of_person
  where t.user_id = (select ?7 from caller where admin or id = ?7)
    and t.id > (select ?8) and t.kind = 'personal'
  order by t.id
  limit (select ?10) offset (select ?9)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH t USING INDEX tokens_of_person (user_id=? AND id>?)
--       SCALAR SUBQUERY
--         SCAN caller
--     SCAN (subquery)
