-- mirror: select
-- Binds: ?1 project_id, ?2 sha, ?3 Value::Null
-- Rows in the small world: 0 given, 0 written

select json_quote(w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object) as v
from object_sweeps w
cross join commits c
cross join diffs d
on d.commit_id = c.id
where c.project_id = (select ?1) and c.sha = (select ?2) and d.object = coalesce((select ?3), d.object)

-- Plan:
-- SCAN w
-- SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
-- SEARCH d USING PRIMARY KEY (commit_id=?)
