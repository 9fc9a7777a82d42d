-- retention: delete todos
-- Rows in the small world: 0 given, 0 written

delete from todos
where id in (
  select t.id
  from todos t
  where t.issue_id in (
    select i.id
    from issues i
    where i.project_id = (
      select min(project_id)
      from project_remains
    )
    order by i.iid
    limit 5
  )
  limit 100
)

-- Plan:
-- SEARCH todos USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH t USING COVERING INDEX todos_of_issue (issue_id=?)
--   LIST SUBQUERY
--     SEARCH i USING COVERING INDEX issues_number (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
