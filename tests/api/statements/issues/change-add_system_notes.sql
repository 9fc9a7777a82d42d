-- What the service says about changes of the issue `?1` by the user `?2`: the texts `?3`. It knows the new assignee's
--   name and milestone's number itself.
-- Binds: ?1 self.row.id, ?2 self.user_id, ?3 json!(notes).to_string(), ?4 self.now
-- Rows in the small world: 0 given, 8 written

insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select i.project_id, i.id, ?2, case value when 'Reassigned to @{assignee}' then 'Reassigned to @' || (
  select username
  from users
  where id = i.assignee_id
) when 'Milestone changed to %{milestone}' then 'Milestone changed to %' || (
  select iid
  from milestones
  where id = i.milestone_id
) else value end, 1, ?4, ?4
from issues i, json_each(?3)
where i.id = (select ?1) and i.deleted_at is null
order by key

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY
--   SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH milestones USING INTEGER PRIMARY KEY (rowid=?)
-- USE TEMP B-TREE FOR ORDER BY
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
