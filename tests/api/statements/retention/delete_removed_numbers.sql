-- retention: delete removed numbers
-- Rows in the small world: 0 given, 2 written

delete from removed_numbers
where project_id = (
  select min(project_id)
  from project_remains
)

-- Plan:
-- SEARCH removed_numbers USING PRIMARY KEY (project_id=?)
-- SCALAR SUBQUERY
--   SEARCH project_remains
