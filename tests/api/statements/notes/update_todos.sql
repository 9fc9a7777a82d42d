-- notes: update todos
-- Binds: ?1 note_id
-- Rows in the small world: 0 given, 1 written

update todos
set note_id = null
where note_id = (select ?1) and issue_id = (
  select issue_id
  from notes
  where id = (select ?1)
)

-- Plan:
-- SEARCH todos USING INDEX todos_of_note (note_id=?)
-- SCALAR SUBQUERY
--   SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
