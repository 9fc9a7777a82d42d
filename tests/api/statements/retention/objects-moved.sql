-- Takes the other parts of them away.
-- Binds: ?1 names
-- Rows in the small world: 0 given, 0 written

delete from diffs
where object is null and commit_id in (
  select d.commit_id
  from json_each(?1) m
  cross join diffs d
  on d.commit_id = m.value ->> 0 and d.object = m.value ->> 3
)

-- Plan:
-- SEARCH diffs USING PRIMARY KEY (commit_id=?)
-- LIST SUBQUERY
--   SCAN m VIRTUAL TABLE INDEX 1:
--   SEARCH d USING PRIMARY KEY (commit_id=?)
