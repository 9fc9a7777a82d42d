-- Which labels has the project, behind the title `?7`, after `?8` others? `?9` at most.
-- Binds: ?7 after, ?8 offset, ?9 most + 1
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select v
from (
  select json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden) as v
  from labels
  where project_id = (
    select project_id
    from scope
  ) and title > (select ?7) and not (title >= ',' and title < '-')
  order by title
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH labels USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title>?)
--       SCALAR SUBQUERY
--         SCAN scope
--     SCAN (subquery)
