-- mirror: moves expect known
-- Binds: ?1 project_id, ?2 json!(ends(changes)).to_string()
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select not exists (
  select 1
  from json_each(?2) named
  left join commits c
  on c.project_id = (select ?1) and c.sha = named.value
  where c.id is null
)

-- Plan:
-- SCALAR SUBQUERY
--   SCAN named VIRTUAL TABLE INDEX 1:
--   SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?) LEFT-JOIN
