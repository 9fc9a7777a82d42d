-- retention: update mirrors
-- Rows in the small world: 0 given, 2 written

update mirrors
set bytes = 0
where project_id = (
  select min(project_id)
  from project_remains
) and bytes <> 0

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH project_remains
