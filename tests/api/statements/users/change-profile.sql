-- The user `?1`.
-- Binds: ?1 user_id
-- Rows in the small world: 1 given, 0 written

select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external, u.bio,
  u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
  select default_projects_limit
  from settings
)), u.projects_count) as v
from users u
where u.id = (select ?1)

-- Plan:
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN settings
