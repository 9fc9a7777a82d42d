-- retention: delete project remains
-- Rows in the small world: 0 given, 1 written

delete from project_remains
where project_id = (
  select min(project_id)
  from project_remains
) and not exists (
  select 1
  from environments x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from labels x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from milestones x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from project_members x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from branch_counts x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from tokens x
  where x.project_id = project_remains.project_id
) and not exists (
  select 1
  from staged_swaps x
  where x.project_id = project_remains.project_id
)

-- Plan:
-- SEARCH project_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH project_remains
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX project_members_of_project (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING PRIMARY KEY (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX tokens_of_project (project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING PRIMARY KEY (project_id=?)
