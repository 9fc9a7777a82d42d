-- deployments: same
-- Binds: ?1 id
-- Rows in the small world: 1 given, 0 written

select json_object('id', d.id, 'iid', d.iid, 'created_at', d.created_at, 'user', json((
  select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
  from users u
  where u.id = d.user_id
)), 'environment', json((
  select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at',
    e.created_at, 'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description)
  from environments e
  where e.id = d.environment_id
)), 'job', json_object('status', json(json_object('id', s.id, 'git_ref', s.ref, 'state', s.state, 'name', s.name,
  'target_url', s.target_url, 'description', s.description, 'coverage', s.coverage, 'skipped', s.skipped, 'created_at',
  s.created_at, 'started_at', s.started_at, 'finished_at', s.finished_at)), 'commit_id', s.commit_id, 'stage', s.stage,
  'tag', s.tag), 'author', json((
  select json_object('user', json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email',
    u.email), 'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
    'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url, 'projects_limit',
    coalesce(u.projects_limit, (
    select default_projects_limit
    from settings
  )), 'projects_count', u.projects_count)
  from users u
  where u.id = s.user_id
)), 'commit', json_object('sha', c.sha, 'author_name', c.author_name, 'author_email', c.author_email, 'authored_at',
  c.authored_at, 'author_zone', c.author_zone, 'committer_name', c.committer_name, 'committer_email', c.committer_email,
  'committed_at', c.committed_at, 'committer_zone', c.committer_zone, 'message', c.message, 'additions', c.additions,
  'deletions', c.deletions, 'parent_shas', json(c.parent_shas))) as v
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
