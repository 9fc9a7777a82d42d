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
  on u.id = coalesce(?1 ->> 0, (
    select s.id
    from users s
    where s.username = (select ?1 ->> 1) and s.id > 0
  ), t.bot_id, t.user_id)
  left join users m
  on m.id = iif(t.bot_id is null, null, t.user_id)
  where u.state = 'active' and coalesce(m.state, 'active') = 'active'
    or ?3
), caller as materialized (
  select *
  from person
  where scopes & ((select ?6) ->> 2) and (admin or ?5 is null)
)
select json_array(json((
  select json_array(id, username, name, state, email, admin, token_project_id, scopes, token_expires_at)
  from person
  where id is not null
)), json(null), (
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
--       SEARCH s USING COVERING INDEX sqlite_autoindex_users_1 (username=?)
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCAN person
-- SCALAR SUBQUERY
--   SCAN settings
