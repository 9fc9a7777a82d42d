-- notes: delete participants
-- Binds: ?1 note_id
-- Rows in the small world: 0 given, 2 written

delete from participants
where note_id = (select ?1) and issue_id = (
  select issue_id
  from notes
  where id = (select ?1)
)

-- Plan:
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SCALAR SUBQUERY
--   SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
