-- mirror: portion unqueue
-- Binds: ?1 json!(judged.done).to_string()
-- Rows in the small world: 0 given, 1 written

delete from branch_queue
where commit_id in (
  select value
  from json_each(?1)
)

-- Plan:
-- SEARCH branch_queue USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SCAN json_each VIRTUAL TABLE INDEX 1:
