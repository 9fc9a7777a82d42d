-- comments: result
-- Rows in the small world: 1 given, 0 written

-- call/write_head.sql
true )
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
