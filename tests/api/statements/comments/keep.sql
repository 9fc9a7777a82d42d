-- comments: keep
-- Binds: ?7 key.digest.as_str(), ?8 base
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
true )
insert into idempotency_keys (user_id, key, digest, answer, created_at)
select k.user_id, (select ?6 ->> 3), ?7, json_object('base', ?8, 'avatars', (
  select avatar_enabled
  from settings
), 'row', json((
  select json_object('id', k.id, 'note', k.note, 'path', k.path, 'line', k.line, 'line_type', k.line_type, 'created_at',
    k.created_at, 'author', json((
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = k.author_id
  )), 'author_created_at', (
    select u.created_at
    from users u
    where u.id = k.author_id
  )) as v
  from commit_comments k
  where changes() = 1 and k.id = last_insert_rowid()
))), ?4
from scope k
where changes() = 1
on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = excluded.record_id,
  created_at = excluded.created_at

-- Plan:
-- SCAN k
-- SCALAR SUBQUERY
--   SCAN settings
-- SCALAR SUBQUERY
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
