-- mirror: moves insert expectations
-- Binds: ?1 project_id, ?2 list.as_deref(), ?3 *portion
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select not exists (
  select 1
  from json_each(coalesce(?2, (
    select s.changes
    from staged_swaps s
    where s.project_id = (select ?1) and s.portion = (select ?3)
  ))) change
  left join refs r
  on r.project_id = (select ?1) and r.name = value ->> 'name'
  left join commits c
  on c.id = r.commit_id
  where c.sha is not value ->> 'old'
)

-- Plan:
-- SCALAR SUBQUERY
--   SCAN change VIRTUAL TABLE INDEX 1:
--   SCALAR SUBQUERY
--     SEARCH s USING PRIMARY KEY (project_id=? AND portion=?)
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?) LEFT-JOIN
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
