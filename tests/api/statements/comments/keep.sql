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
  select json_array(k.id, k.note, k.path, k.line, k.line_type, k.created_at, json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = k.author_id
  )), (
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
