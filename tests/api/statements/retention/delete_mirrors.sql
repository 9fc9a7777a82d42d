-- retention: delete mirrors
-- Rows in the small world: 0 given, 1 written

delete from mirrors
where project_id = (
  select min(project_id)
  from project_remains
)

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH project_remains
