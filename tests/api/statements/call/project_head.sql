-- How statements begin: project. Binds ?1 to ?6: src/call/sql/scope.rs

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
), scope as materialized (
  select *
  from resource
  where (access >= (select ?6) ->> 0 or visibility >= (select ?6) ->> 1)
    and scopes & ((select ?6) ->> 2) and (access > 0 or token_project_id is null)
)
select json_array(json((
  select json_array(id, username, name, state, email, admin, token_project_id, scopes, token_expires_at)
  from caller
  where id is not null
)), json((
  select json_array(id, full_path, visibility, access, default_branch, issues_enabled, builds_enabled)
  from resource
  where access > 0 or visibility > 0
)), (
  select avatar_enabled
  from settings
)) as v

-- Plan:
-- SCALAR SUBQUERY
--   MATERIALIZE caller
--     CO-ROUTINE (subquery)
--     SCAN (subquery)
--     SEARCH t USING PRIMARY KEY (hash=?) LEFT-JOIN
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--     SCALAR SUBQUERY
--       SEARCH s USING COVERING INDEX sqlite_autoindex_users_1 (username=?)
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SCAN caller
-- SCALAR SUBQUERY
--   MATERIALIZE resource
--     SCAN c
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--   SCAN resource
-- SCALAR SUBQUERY
--   SCAN settings
