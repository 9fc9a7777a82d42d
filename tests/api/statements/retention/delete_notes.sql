-- retention: delete notes
-- Rows in the small world: 0 given, 0 written

delete from notes
where id in (
  select n.id
  from notes n
  where n.issue_id in (
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
    from todos t
    where t.note_id = n.id
  )
  limit 100
)

-- Plan:
-- SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH n USING COVERING INDEX notes_of_issue (issue_id=?)
--   LIST SUBQUERY
--     SEARCH i USING COVERING INDEX issues_number (project_id=?)
--     SCALAR SUBQUERY
--       SEARCH project_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH t USING COVERING INDEX todos_of_note (note_id=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
