-- mirror: portion scanned to
-- Binds: ?1 project_id, ?2 after, ?3 SCANNED
-- Rows in the small world: 0 given, 1 written

update mirrors
set scan_after = (
  select sha
  from commits
  where project_id = (select ?1) and sha > (select ?2)
  order by sha
  limit 1 offset (select ?3 - 1)
)
where project_id = (select ?1)

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH commits USING COVERING INDEX commits_by_sha (project_id=? AND sha>?)
