-- retention: delete branch counts
-- Rows in the small world: 0 given, 3 written

delete from branch_counts
where (project_id, branch) in (
  select b.project_id, b.branch
  from branch_counts b
  where b.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH branch_counts USING PRIMARY KEY (project_id=? AND branch=?)
-- LIST SUBQUERY
--   SEARCH b USING PRIMARY KEY (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
