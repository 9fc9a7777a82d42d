-- Which label is `?7`, `[id, title]`? An id goes before a title.
-- Binds: ?7 json!([label.id, label.title]).to_string()
-- Rows in the small world: 1 given, 0 written

-- call/project_head.sql
union all
select json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden)
from labels
where id = (
  select coalesce( (
    select l.id
    from labels l
    where l.id = (select ?7 ->> 0) and l.project_id = s.project_id
      and not (title >= ',' and title < '-')
  ), (
    select l.id
    from labels l
    where l.project_id = s.project_id and l.title = (select ?7 ->> 1)
  ))
  from scope s
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH labels USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN s
--       CORRELATED SCALAR SUBQUERY
--         SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
