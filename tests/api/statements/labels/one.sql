-- Which label of this project has the id `?7`, or else the name `?8`?
-- Binds: ?7 path_id(id_or_name).ok(), ?8 id_or_name
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden)
from labels
where id = coalesce( (
  select l.id
  from scope s
  cross join labels l
  on l.id = (select ?7) and l.project_id = s.project_id
), (
  select l.id
  from scope s
  cross join labels l
  on l.project_id = s.project_id and l.title = (select ?8)
)) and not (title >= ',' and title < '-')

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH labels USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN s
--       SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN s
--       SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
