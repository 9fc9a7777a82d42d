-- mirror: update mirrors
-- Binds: ?1 project_id, ?2 sha, ?3 Value::Null
-- Rows in the small world: 0 given, 2 written

update mirrors
set bytes = bytes - (
  select coalesce(sum(coalesce(d.bytes, octet_length(d.text))), 0)
  from commits c
  cross join diffs d
  on d.commit_id = c.id
  where c.project_id = (select ?1) and c.sha = (select ?2) and ((select ?3) is null or d.object = (select ?3))
)
where project_id = (select ?1)

-- Plan:
-- SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--   SEARCH d USING PRIMARY KEY (commit_id=?)
