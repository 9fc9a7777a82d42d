-- What was this caller answered before?
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
), resource as materialized (
  select c.id as user_id, p.id, p.id as project_id, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
    iif(p.visibility < c.sees_from, 0, p.visibility) as visibility, c.token_project_id, coalesce(c.scopes, 1) as scopes,
    min(case when c.member_admin then 60 when p.namespace_id = c.member_id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.member_id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.member_id and m.group_id = p.namespace_id
  ), 0)) end, case when c.token_project_id is null then 60 else c.token_access * (c.token_project_id = p.id) end) as access
  from caller c
  cross join projects p
  on p.id = coalesce(?5 ->> 0, (
    select y.id
    from projects y
    where y.path_key = (select ?5 ->> 1)
  ))
  where p.deleted_at is null and (c.id is not null or p.visibility = 20)
)
select json_object('digest', r.digest, 'answer', json(r.answer)) as v
from resource s
cross join idempotency_keys r
on r.user_id = s.user_id and r.key = (select ?6 ->> 3) and r.answer is not null
  and r.created_at > (select ?4) - 86400000
where (access >= (select ?6) ->> 0 or visibility >= (select ?6) ->> 1)
  and scopes & ((select ?6) ->> 2) and (access > 0 or token_project_id is null)

-- Plan:
-- MATERIALIZE resource
--   MATERIALIZE caller
--     CO-ROUTINE (subquery)
--     SCAN (subquery)
--     SEARCH t USING PRIMARY KEY (hash=?) LEFT-JOIN
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SCALAR SUBQUERY
--       SEARCH s USING COVERING INDEX sqlite_autoindex_users_1 (username=?)
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCAN c
--   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--   SCALAR SUBQUERY
--     SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- SCAN s
-- SEARCH r USING PRIMARY KEY (user_id=? AND key=?)
