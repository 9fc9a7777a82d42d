-- retention: delete issues
-- Rows in the small world: 0 given, 2 written

delete from issues
where id in (
  select i.id
  from issues i
  where i.id in (
    select i.id
    from issues i
    where i.project_id = (
      select min(project_id)
      from project_remains
    )
    order by i.iid
    limit 5
  ) and not exists (
    select 1
    from todos x
    where x.issue_id = i.id
  ) and not exists (
    select 1
    from notes x
    where x.issue_id = i.id
  ) and not exists (
    select 1
    from participants x
    where x.issue_id = i.id
  ) and not exists (
    select 1
    from subscriptions x
    where x.issue_id = i.id
  )
)

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--   LIST SUBQUERY
--     SEARCH i USING COVERING INDEX issues_number (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX todos_of_issue (issue_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING COVERING INDEX notes_of_issue (issue_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING PRIMARY KEY (issue_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH x USING PRIMARY KEY (issue_id=?)
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=?)
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH notes USING COVERING INDEX notes_of_issue (issue_id=?)
-- SEARCH subscriptions USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- SEARCH issues USING COVERING INDEX issues_moved_to (moved_to_id=?)
