-- The same of those whose titles hold `?10`, among the first so many behind `?7`.
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 text
-- Rows in the small world: 1 given, 0 written

-- call/project_head.sql
union all
select v
from (
  select json_array(id, title, color, description, opened, closed, opened_hidden, closed_hidden) as v
  from (
    select *
    from labels
    where project_id = (
      select project_id
      from scope
    ) and title > (select ?7) and not (title >= ',' and title < '-')
    order by title
    limit 5000
  )
  where instr(lower(title), (select ?10))
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       CO-ROUTINE (subquery)
--         SEARCH labels USING INDEX sqlite_autoindex_labels_1 (project_id=? AND title>?)
--         SCALAR SUBQUERY
--           SCAN scope
--       SCAN (subquery)
--     SCAN (subquery)
