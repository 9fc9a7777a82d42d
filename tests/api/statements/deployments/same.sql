-- deployments: same
-- Binds: ?1 id
-- Rows in the small world: 1 given, 0 written

select json_array(d.id, d.iid, d.created_at, json((
  select json_array(u.id, u.username, u.name, u.state, u.email)
  from users u
  where u.id = d.user_id
)), json((
  select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description)
  from environments e
  where e.id = d.environment_id
)), json_array(json(json_array(s.id, s.ref, s.state, s.name, s.target_url, s.description, s.coverage, s.skipped,
  s.created_at, s.started_at, s.finished_at)), s.commit_id, s.stage, s.tag), json((
  select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external, u.bio,
    u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
    select default_projects_limit
    from settings
  )), u.projects_count)
  from users u
  where u.id = s.user_id
)), json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email,
  c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas))) as v
from (
  select *
  from deployments
  where id = (select ?1)
) d
cross join statuses s
on s.id = d.status_id
cross join commits c
on c.id = s.commit_id

-- Plan:
-- SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   SCALAR SUBQUERY
--     SCAN settings
