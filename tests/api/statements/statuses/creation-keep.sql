-- Keeps the answer under the key that this batch took.
-- Binds: ?7 self.base
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
true )
update idempotency_keys
set answer = json_object('base', ?7, 'avatars', (
  select avatar_enabled
  from settings
), 'row', json((
  select json_object('status', json(json_object('id', s.id, 'git_ref', s.ref, 'state', s.state, 'name', s.name,
    'target_url', s.target_url, 'description', s.description, 'coverage', s.coverage, 'skipped', s.skipped, 'created_at',
    s.created_at, 'started_at', s.started_at, 'finished_at', s.finished_at)), 'sha', (
    select c.sha
    from commits c
    where c.id = s.commit_id
  ), 'author', json((
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = s.user_id
  )))
  from statuses s
  where s.id = coalesce(record_id, last_insert_rowid())
)))
where user_id = (
  select user_id
  from scope
) and key = (select ?6 ->> 3) and answer is null

-- Plan:
-- SEARCH idempotency_keys USING PRIMARY KEY (user_id=? AND key=?)
-- SCALAR SUBQUERY
--   SCAN scope
-- SCALAR SUBQUERY
--   SCAN settings
-- CORRELATED SCALAR SUBQUERY
--   SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
