-- users: v4 list select
-- Binds: ?7 past, ?8 offset, ?9 steps, ?10 page.size + 1, ?11 filter.username.as_deref(), ?12
--   filter.search.as_deref(), ?13 *after, ?14 *before, ?15 state, ?16 flag(filter.external), ?17 flag(filter.admins)
-- Rows in the small world: 9 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  with found as materialized (
    select id
    from (
      select u.id, u.name, u.username, u.email_key, u.state, u.created_at, u.external, u.admin, c.admin as knows
      from caller c
      cross join users u indexed by users_of_people
      where u.id < (select ?7) and u.id > 0 and ?11 is null
      order by u.id desc
      limit (select ?9)
    ) u
    where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)) or u.knows and u.email_key = lower(?12))
      and u.created_at >= coalesce(?13, u.created_at) and u.created_at <= coalesce(?14, u.created_at)
      and (?15 is null or ?15 = iif(u.state = 'active', 'active', 'other'))
      and (?16 is null or not u.knows or u.external) and (?17 is null or not u.knows or u.admin)
    limit (select ?10) offset (select ?8)
  )
  select v
  from (
    select json_object('row', json(json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at,
      u.admin, u.external, u.bio, u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit,
      (
      select default_projects_limit
      from settings
    )), u.projects_count))) as v
    from found f
    cross join users u
    on u.id = f.id
    order by f.id desc
  )
  union all
  select json_object('end', (
    select u.id
    from caller c
    cross join users u indexed by users_of_people
    where u.id < (select ?7) and u.id > 0 and ?11 is null
    order by u.id desc
    limit 1 offset (select ?9 - 1)
  ))
  where (
    select count(*)
    from found
  ) < (select ?10)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       COMPOUND QUERY
--         UNION ALL
--           SCALAR SUBQUERY
--             SCAN found
--           SCALAR SUBQUERY
--             SCAN c
--             SEARCH u USING COVERING INDEX users_of_people (id>? AND id<?)
--             USE TEMP B-TREE FOR ORDER BY
--     SCAN (subquery)
