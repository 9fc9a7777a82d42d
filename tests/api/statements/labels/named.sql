-- Which label is called `?7`?
-- Binds: ?7 name
-- Rows in the small world: 1 given, 0 written

-- call/project_head.sql
union all
select json_object('id', id, 'title', title, 'color', color, 'description', description, 'opened', opened, 'closed',
  closed, 'opened_hidden', opened_hidden, 'closed_hidden', closed_hidden)
from labels
where project_id = (
  select project_id
  from scope
) and title = (select ?7)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH labels USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
--     SCALAR SUBQUERY
--       SCAN scope
