-- users: list select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 name.map(String::as_str)
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external, u.bio,
    u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
    select default_projects_limit
    from settings
  )), u.projects_count) as v
  from caller c
  cross join users u
  where u.id > (select ?7) and u.id = (
    select n.id
    from namespaces n
    where n.path_key = lower(?10)
  )
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SCAN c
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY
--         SEARCH n USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--       SCALAR SUBQUERY
--         SCAN settings
--     SCAN (subquery)
