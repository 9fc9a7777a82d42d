-- notes: update
-- Binds: ?1 note_id, ?2 body, ?3 now
-- Rows in the small world: 0 given, 1 written

update notes
set body = ?2, updated_at = ?3
where id = (select ?1) and system = 0

-- Plan:
-- SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)
