-- mirror: delete diffs
-- Binds: ?1 project_id, ?2 sha, ?3 Value::Null
-- Rows in the small world: 0 given, 1 written

delete from diffs
where commit_id = (
  select c.id
  from commits c
  where c.project_id = (select ?1) and c.sha = (select ?2)
) and ((select ?3) is null or object = (select ?3))

-- Plan:
-- SEARCH diffs USING PRIMARY KEY (commit_id=?)
-- SCALAR SUBQUERY
--   SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
