-- Those of the hashes `?2` that are not.
-- Binds: ?1 project_id, ?2 json!(shas).to_string()
-- Rows in the small world: 1 given, 0 written

select json_quote(named.value) as v
from json_each(?2) named
left join commits c
on c.project_id = (select ?1) and c.sha = named.value
where c.id is null

-- Plan:
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?) LEFT-JOIN
