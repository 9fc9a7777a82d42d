-- mirror: moves delete refs
-- Binds: ?1 project_id, ?2 list.as_deref(), ?3 *portion
-- Rows in the small world: 0 given, 0 written

delete from refs
where project_id = (select ?1) and name in (
  select value ->> 'name'
  from json_each(coalesce(?2, (
    select s.changes
    from staged_swaps s
    where s.project_id = (select ?1) and s.portion = (select ?3)
  ))) change
  where value ->> 'new' is null
)

-- Plan:
-- SEARCH refs USING PRIMARY KEY (project_id=? AND name=?)
-- LIST SUBQUERY
--   SCAN change VIRTUAL TABLE INDEX 1:
--   SCALAR SUBQUERY
--     SEARCH s USING PRIMARY KEY (project_id=? AND portion=?)
