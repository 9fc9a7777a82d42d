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
  select json_object('status', json(json_array(s.id, s.ref, s.state, s.name, s.target_url, s.description, s.coverage,
    s.skipped, s.created_at, s.started_at, s.finished_at)), 'sha', (
    select c.sha
    from commits c
    where c.id = s.commit_id
  ), 'author', json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
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
