-- A todo for the assignee `?3`, caused by `?2`.
-- Binds: ?1 self.row.id, ?2 self.user_id, ?3 assignee_id, ?4 self.now
-- Rows in the small world: 0 given, 1 written

insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select ?3, ?2, i.project_id, i.id, 'assigned', ?4, ?4
from issues i
where i.id = (select ?1) and i.deleted_at is null

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
