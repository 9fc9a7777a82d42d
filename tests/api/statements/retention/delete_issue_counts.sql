-- retention: delete issue counts
-- Rows in the small world: 0 given, 1 written

delete from issue_counts
where project_id = (
  select min(project_id)
  from project_remains
)

-- Plan:
-- SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH project_remains
