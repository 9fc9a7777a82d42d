-- Who calls?
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('user', json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email',
  u.email), 'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
  'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url, 'projects_limit',
  coalesce(u.projects_limit, (
  select default_projects_limit
  from settings
)), 'projects_count', u.projects_count)
from caller c
cross join users u
on u.id = c.id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN settings
