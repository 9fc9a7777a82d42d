-- How statements begin: caller. Binds ?1 to ?6: src/call/sql/scope.rs

with person as materialized (
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
  on u.id = case when ?3 is null then coalesce(?1, t.bot_id, t.user_id) when (
    select r.admin
    from users r
    where r.id = (select ?1) and r.state = 'active'
  ) then coalesce(?3 ->> 0, (
    select s.id
    from users s
    where s.username = (select ?3 ->> 1) and s.id > 0
  )) end
  left join users m
  on m.id = iif(t.bot_id is null, null, t.user_id)
  where u.state = 'active' and coalesce(m.state, 'active') = 'active'
    or (select ?6) ->> 5
), caller as materialized (
  select *
  from person
  where scopes & ((select ?5) ->> 1) and (admin or ?5 ->> 0 is null)
)
select json_object( 'user', json((
  select json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email, 'admin', admin,
    'token_project_id', token_project_id, 'scopes', scopes, 'token_expires_at', token_expires_at)
  from person
  where id is not null
)), 'actor', iif(?3 is null, null, json((
  select json_object('id', a.id, 'token', coalesce(t.kind, 'private'), 'admin', a.admin)
  from (
    select 1
  )
  left join tokens t
  on ?1 is null and t.hash = (select ?2) and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > (select ?4))
  cross join users a
  on a.id = coalesce(?1, t.user_id)
  where a.state = 'active'
))), 'resource', json(null), 'avatars', (
  select avatar_enabled
  from settings
)) as v

-- Plan:
-- SCALAR SUBQUERY
--   MATERIALIZE person
--     CO-ROUTINE (subquery)
--     SCAN (subquery)
--     SEARCH t USING PRIMARY KEY (hash=?) LEFT-JOIN
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SCALAR SUBQUERY
--       SEARCH r USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH s USING COVERING INDEX sqlite_autoindex_users_1 (username=?)
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCAN person
-- SCALAR SUBQUERY
--   CO-ROUTINE (subquery)
--   SCAN (subquery)
--   SEARCH t USING PRIMARY KEY (hash=?) LEFT-JOIN
--   SEARCH a USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN settings
