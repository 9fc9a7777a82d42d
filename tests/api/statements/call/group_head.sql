-- How statements begin: group. Binds ?1 to ?6: src/call/sql/scope.rs

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
), standing as materialized (
  select c.id as user_id, g.id, g.path, iif(g.visibility < c.sees_from, 0, g.visibility) as visibility, c.sees_from,
    c.token_project_id, c.scopes, case when c.token_project_id is not null then 0 when c.admin then 60 else coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = g.id
  ), 0) end as access
  from caller c
  left join groups g
  on g.id = coalesce(?5 ->> 0, (
    select n.id
    from namespaces n
    where n.path_key = (select ?5 ->> 1) and n.kind = 'group'
  ))
), resource as materialized (
  select user_id, id, id as group_id, path as full_path, access, token_project_id, scopes, sees_from, case when visibility > 0
    or access > 0 then visibility when exists (
    select 1
    from project_members m
    cross join projects p
    on p.id = m.project_id
    where m.user_id = iif(standing.token_project_id is null, standing.user_id, null)
      and p.namespace_id = standing.id and p.deleted_at is null
  ) then 10 else 0 end as visibility
  from standing
), scope as materialized (
  select *
  from resource
  where id is not null and (access >= (select ?6) ->> 0 or visibility >= (select ?6) ->> 1)
    and scopes & ((select ?6) ->> 2) and (access > 0 or token_project_id is null)
)
select json_array(json((
  select json_array(id, username, name, state, email, admin, token_project_id, scopes, token_expires_at)
  from caller
  where id is not null
)), json((
  select json_array(id, null, visibility, access)
  from resource
  where id is not null and (access > 0 or visibility > 0)
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
--     MATERIALIZE standing
--       SCAN c
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       SCALAR SUBQUERY
--         SEARCH n USING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--     SCAN standing
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=?)
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN resource
-- SCALAR SUBQUERY
--   SCAN settings
