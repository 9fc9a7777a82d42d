-- notes: by id
-- Binds: ?1 note_id
-- Rows in the small world: 1 given, 0 written

select json_array(n.id, n.project_id, n.issue_id, json((
  select json_array(u.id, u.username, u.name, u.state, u.email)
  from users u
  where u.id = n.author_id
)), n.body, n.system, n.created_at, n.updated_at) as v
from notes n
where n.id = (select ?1)

-- Plan:
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
