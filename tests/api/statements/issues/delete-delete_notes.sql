-- issues: delete delete notes
-- Binds: ?1 PORTION
-- Rows in the small world: 0 given, 9 written

delete from notes
where id in (
  select n.id
  from notes n
  where n.issue_id = (
    select min(issue_id)
    from issue_remains
  ) and not exists (
    select 1
    from todos t
    where t.note_id = n.id
  )
  limit (select ?1)
)

-- Plan:
-- SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH n USING COVERING INDEX notes_of_issue (issue_id=?)
--   SCALAR SUBQUERY
--     SEARCH issue_remains
--   CORRELATED SCALAR SUBQUERY
--     SEARCH t USING COVERING INDEX todos_of_note (note_id=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
