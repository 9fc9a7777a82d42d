-- comments: result
-- Rows in the small world: 1 given, 0 written

-- call/write_head.sql
true )
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
where changes() = 1 and k.id = last_insert_rowid() and exists (
  select 1
  from scope
)

-- Plan:
-- SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN scope
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
