-- What the user `?2` had to do about the issue is done.
-- Binds: ?1 self.row.id, ?2 self.user_id, ?3 self.now
-- Rows in the small world: 0 given, 0 written

update todos
set state = 'done', updated_at = ?3
where issue_id = (select ?1) and user_id = (select ?2) and state = 'pending'

-- Plan:
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=? AND user_id=? AND state=?)
