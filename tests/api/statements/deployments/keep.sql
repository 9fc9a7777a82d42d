-- Keeps the newest deployment of the project `?1` for the user `?2` under the key `?3`.
-- Binds: ?1 project_id, ?2 user_id, ?3 hash, ?4 now, ?5 digest, ?6 base
-- Rows in the small world: 0 given, 1 written

insert into idempotency_keys (user_id, key, created_at, digest, answer)
select ?2, ?3, ?4, ?5, json_object('base', ?6, 'avatars', (
  select avatar_enabled
  from settings
), 'row', json((
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
    select json_array(json_array(u.id, u.username, u.name, u.state, u.email), u.created_at, u.admin, u.external,
      u.bio, u.location, u.skype, u.linkedin, u.twitter, u.website_url, coalesce(u.projects_limit, (
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
    where project_id = (select ?1)
    order by iid desc
    limit 1
  ) d
  cross join statuses s
  on s.id = d.status_id
  cross join commits c
  on c.id = s.commit_id
)))
where true
on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = excluded.record_id,
  created_at = excluded.created_at

-- Plan:
-- SCALAR SUBQUERY
--   SCAN settings
-- SCALAR SUBQUERY
--   CO-ROUTINE d
--     SEARCH deployments USING INDEX sqlite_autoindex_deployments_1 (project_id=?)
--   SCAN d
--   SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN settings
