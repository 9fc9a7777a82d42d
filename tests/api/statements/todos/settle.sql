-- todos: settle
-- Binds: ?1 user_id, ?2 json!(ids).to_string(), ?3 now
-- Rows in the small world: 0 given, 1 written

update todos
set state = 'done', updated_at = ?3
where user_id = (select ?1) and state = 'pending' and id in (
  select value
  from json_each(?2)
)

-- Plan:
-- SEARCH todos USING COVERING INDEX todos_by_project_and_author (user_id=? AND state=?)
-- LIST SUBQUERY
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
