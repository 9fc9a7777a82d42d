-- retention: delete participants
-- Rows in the small world: 0 given, 0 written

delete from participants
where (issue_id, user_id, note_id) in (
  select t.issue_id, t.user_id, t.note_id
  from participants t
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
-- SEARCH participants USING PRIMARY KEY (issue_id=? AND user_id=? AND note_id=?)
-- LIST SUBQUERY
--   SEARCH t USING PRIMARY KEY (issue_id=?)
--   LIST SUBQUERY
--     SEARCH i USING COVERING INDEX issues_number (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
