-- notes: by id
-- Binds: ?1 note_id
-- Rows in the small world: 1 given, 0 written

select json_object('id', n.id, 'project_id', n.project_id, 'issue_id', n.issue_id, 'author', json((
  select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
  from users u
  where u.id = n.author_id
)), 'body', n.body, 'system', n.system, 'created_at', n.created_at, 'updated_at', n.updated_at) as v
from notes n
where n.id = (select ?1)

-- Plan:
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
