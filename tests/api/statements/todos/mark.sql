-- A todo on the issue `?1` for the user `?2`, unless they have one.
-- Binds: ?1 issue_id, ?2 user_id, ?3 now
-- Rows in the small world: 0 given, 0 written

insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select ?2, ?2, i.project_id, i.id, 'marked', ?3, ?3
from issues i
where i.id = (select ?1) and i.deleted_at is null and not exists (
  select 1
  from todos t
  where t.issue_id = i.id and t.user_id = (select ?2) and t.state = 'pending'
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH t USING COVERING INDEX todos_of_issue (issue_id=? AND user_id=? AND state=?)
