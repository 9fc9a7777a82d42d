-- todos: update todos
-- Binds: ?1 user_id, ?2 state, ?3 actions, ?4 author, ?5 project, ?6 issues, ?7 now, ?8 PORTION
-- Rows in the small world: 0 given, 0 written

update todos
set state = 'done', updated_at = ?7
where id in (
  select t.id
  from todos t indexed by todos_by_project
  where t.user_id = (select ?1) and t.state = 'pending' and ?2 = 'pending'
    and t.project_id = (select ?5) and t.action in (
    select value
    from json_each(?3)
  ) and ?6
  limit (select ?8)
)

-- Plan:
-- SEARCH todos USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH t USING COVERING INDEX todos_by_project (user_id=? AND state=? AND project_id=? AND action=?)
--   LIST SUBQUERY
--     SCAN json_each VIRTUAL TABLE INDEX 1:
