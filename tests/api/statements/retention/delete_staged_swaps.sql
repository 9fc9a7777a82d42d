-- retention: delete staged swaps
-- Rows in the small world: 0 given, 0 written

delete from staged_swaps
where (project_id, portion) in (
  select s.project_id, s.portion
  from staged_swaps s
  where s.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH staged_swaps USING PRIMARY KEY (project_id=? AND portion=?)
-- LIST SUBQUERY
--   SEARCH s USING PRIMARY KEY (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
