-- mirror: moves insert refs
-- Binds: ?1 project_id, ?2 list.as_deref(), ?3 *portion
-- Rows in the small world: 0 given, 3 written

insert into refs (project_id, name, commit_id, tag_sha, message, commits, committed_at)
select ?1, value ->> 'name', c.id, value ->> 'tag_sha', value ->> 'message', nullif(value ->> 'commits', 0), c.committed_at
from json_each(coalesce(?2, (
  select s.changes
  from staged_swaps s
  where s.project_id = (select ?1) and s.portion = (select ?3)
))) change
cross join commits c
on c.project_id = (select ?1) and c.sha = value ->> 'new'
where true
on conflict (project_id, name) do update set commit_id = excluded.commit_id, tag_sha = excluded.tag_sha, message = excluded.message,
  commits = excluded.commits, committed_at = excluded.committed_at

-- Plan:
-- SCAN change VIRTUAL TABLE INDEX 1:
-- SCALAR SUBQUERY
--   SEARCH s USING PRIMARY KEY (project_id=? AND portion=?)
-- SEARCH c USING INDEX commits_by_sha (project_id=? AND sha=?)
