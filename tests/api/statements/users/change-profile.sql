-- The user `?1`.
-- Binds: ?1 user_id
-- Rows in the small world: 1 given, 0 written

select json_object('user', json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email',
  u.email), 'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
  'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url, 'projects_limit',
  coalesce(u.projects_limit, (
  select default_projects_limit
  from settings
)), 'projects_count', u.projects_count) as v
from users u
where u.id = (select ?1)

-- Plan:
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN settings
