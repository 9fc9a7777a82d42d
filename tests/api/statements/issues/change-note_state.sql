-- What the service says where `?1` changes to the state `?5`: the text `?3`, by the user `?2`.
-- Binds: ?1 self.row.id, ?2 self.user_id, ?3 text, ?4 self.now, ?5 state
-- Rows in the small world: 0 given, 2 written

insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select project_id, id, ?2, ?3, 1, ?4, ?4
from issues
where id = (select ?1) and state <> (select ?5) and deleted_at is null

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
