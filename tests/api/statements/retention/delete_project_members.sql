-- retention: delete project members
-- Rows in the small world: 0 given, 4 written

delete from project_members
where (user_id, project_id) in (
  select m.user_id, m.project_id
  from project_members m
  where m.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH project_members USING PRIMARY KEY (user_id=? AND project_id=?)
-- LIST SUBQUERY
--   SEARCH m USING COVERING INDEX project_members_of_project (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
