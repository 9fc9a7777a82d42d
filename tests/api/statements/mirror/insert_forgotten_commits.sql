-- mirror: insert forgotten commits
-- Binds: ?1 project_id, ?2 sha, ?3 Value::Null
-- Rows in the small world: 0 given, 1 written

insert into forgotten_commits (commit_id, project_id)
select c.id, c.project_id
from commits c
where c.project_id = (select ?1) and c.sha = (select ?2) and ((select ?3) is null or exists (
  select 1
  from diffs d
  where d.commit_id = c.id and d.object = (select ?3)
))
on conflict do nothing

-- Plan:
-- SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH d USING PRIMARY KEY (commit_id=?)
