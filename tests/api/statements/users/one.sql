-- Who is `?7`?
-- Binds: ?7 user_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external, u.bio,
  u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
  select default_projects_limit
  from settings
)), u.projects_count)
from caller c
cross join users u
on u.id = (select ?7)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN settings
