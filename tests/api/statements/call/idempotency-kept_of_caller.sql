-- The same without a resource.
-- Rows in the small world: 0 given, 0 written

with caller as materialized (
  select u.id, u.username, u.name, u.state, u.email, u.admin, u.external, t.project_id as token_project_id, iif(coalesce(u.external,
    1), 20, 10) as sees_from, t.expires_at as token_expires_at, coalesce(t.scopes, 1) as scopes, coalesce(t.access,
    40) as token_access, coalesce(m.id, u.id) as member_id, coalesce(m.admin, u.admin) as member_admin
  from (
    select 1
  )
  left join tokens t
  on ?1 is null and t.hash = (select ?2) and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > (select ?4))
  left join users u
  on u.id = coalesce(?1 ->> 0, (
    select s.id
    from users s
    where s.username = (select ?1 ->> 1) and s.id > 0
  ), t.bot_id, t.user_id)
  left join users m
  on m.id = iif(t.bot_id is null, null, t.user_id)
  where u.state = 'active' and coalesce(m.state, 'active') = 'active'
    or ?3
)
select json_object('digest', r.digest, 'answer', json(r.answer)) as v
from caller c
cross join idempotency_keys r
on r.user_id = c.id and r.key = (select ?6 ->> 3) and r.answer is not null
  and r.created_at > (select ?4) - 86400000
where c.scopes & ((select ?6) ->> 2)

-- Plan:
-- MATERIALIZE caller
--   CO-ROUTINE (subquery)
--   SCAN (subquery)
--   SEARCH t USING PRIMARY KEY (hash=?) LEFT-JOIN
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCALAR SUBQUERY
--     SEARCH s USING COVERING INDEX sqlite_autoindex_users_1 (username=?)
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
-- SCAN c
-- SEARCH r USING PRIMARY KEY (user_id=? AND key=?)
