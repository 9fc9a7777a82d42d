-- users: list select
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 name.map(String::as_str)
-- Rows in the small world: 8 given, 0 written

-- call/caller_head.sql
union all
select v
from (
  select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external, u.bio,
    u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
    select default_projects_limit
    from settings
  )), u.projects_count) as v
  from users u
  where u.id > (select ?7 from caller) and (?10 is null or instr(lower(u.name), lower(?10)) or instr(lower(u.username),
    lower(?10)) or (
    select admin
    from caller
  ) and u.email_key = lower(?10)) and +u.state = 'active'
  order by u.id
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH u USING INTEGER PRIMARY KEY (rowid>?)
--       SCALAR SUBQUERY
--         SCAN caller
--       SCALAR SUBQUERY
--         SCAN caller
--       SCALAR SUBQUERY
--         SCAN settings
--     SCAN (subquery)
