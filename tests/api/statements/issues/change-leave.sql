-- Nobody takes part by the issue's own texts any more.
-- Binds: ?1 self.row.id
-- Rows in the small world: 0 given, 1 written

delete from participants
where issue_id = (select ?1) and note_id = 0

-- Plan:
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
