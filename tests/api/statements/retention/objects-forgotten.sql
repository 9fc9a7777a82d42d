-- Which of the keys `?1` does no row name? What does not look like a key of this service is left alone.
-- Binds: ?1 json!(page).to_string()
-- Rows in the small world: 0 given, 0 written

select json_quote(k.store || '/' || k.name) as v
from (
  select w.store, n.name, instr(n.name, '/') as slash, instr(n.name, '-') as hyphen
  from object_sweeps w
  cross join (
    select substr(value, 18) as name
    from json_each(?1)
  ) n
  where n.name glob '[1-9]*/[0-9a-f]*-[0-9a-z]*'
) k
where not exists (
  select 1
  from commits c
  cross join diffs d
  on d.commit_id = c.id
  where c.project_id = cast(substr(k.name, 1, slash - 1) as integer)
    and c.sha = substr(k.name, slash + 1, hyphen - slash - 1)
    and d.object = substr(k.name, hyphen + 1)
)

-- Plan:
-- SCAN w
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- CORRELATED SCALAR SUBQUERY
--   SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--   SEARCH d USING PRIMARY KEY (commit_id=?)
