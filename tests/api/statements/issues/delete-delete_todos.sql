-- issues: delete delete todos
-- Binds: ?1 PORTION
-- Rows in the small world: 0 given, 4 written

delete from todos
where id in (
  select id
  from todos
  where issue_id = (
    select min(issue_id)
    from issue_remains
  )
  limit (select ?1)
)

-- Plan:
-- SEARCH todos USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=?)
--   SCALAR SUBQUERY
--     SEARCH issue_remains
