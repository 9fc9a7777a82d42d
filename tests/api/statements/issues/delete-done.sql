-- issues: delete done
-- Rows in the small world: 0 given, 1 written

delete from issue_remains
where issue_id = (
  select min(issue_id)
  from issue_remains
) and not exists (
  select 1
  from todos x
  where x.issue_id = issue_remains.issue_id
) and not exists (
  select 1
  from notes x
  where x.issue_id = issue_remains.issue_id
) and not exists (
  select 1
  from participants x
  where x.issue_id = issue_remains.issue_id
) and not exists (
  select 1
  from subscriptions x
  where x.issue_id = issue_remains.issue_id
)

-- Plan:
-- SEARCH issue_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH issue_remains
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX todos_of_issue (issue_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING COVERING INDEX notes_of_issue (issue_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING PRIMARY KEY (issue_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH x USING PRIMARY KEY (issue_id=?)
