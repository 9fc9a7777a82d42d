-- retention: delete refs
-- Rows in the small world: 0 given, 3 written

delete from refs
where (project_id, name) in (
  select r.project_id, r.name
  from refs r
  where r.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH refs USING PRIMARY KEY (project_id=? AND name=?)
-- LIST SUBQUERY
--   SEARCH r USING COVERING INDEX refs_by_date (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
