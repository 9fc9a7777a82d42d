-- notes: delete notes
-- Binds: ?1 note_id
-- Rows in the small world: 0 given, 2 written

delete from notes
where id = (select ?1)

-- Plan:
-- SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
