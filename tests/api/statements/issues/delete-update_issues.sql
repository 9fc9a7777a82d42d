-- issues: delete update issues
-- Binds: ?1 issue_id, ?2 now
-- Rows in the small world: 0 given, 49 written

update issues
set deleted_at = ?2, user_notes_count = 0, system_notes_count = 0
where id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
