-- retention: delete branch queue
-- Rows in the small world: 0 given, 1 written

delete from branch_queue
where commit_id in (
  select c.id
  from commits c
  where c.project_id = (
    select min(project_id)
    from project_remains
  )
  order by c.sha
  limit 20
)

-- Plan:
-- SEARCH branch_queue USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH c USING COVERING INDEX commits_by_sha (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
