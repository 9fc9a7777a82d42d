-- Ids of statuses ascend with their time, so the walk goes by id: up to which does it go now?
-- Binds: ?1 before
-- Rows in the small world: 0 given, 1 written

update sweeps
set upto = coalesce((
  select max(id)
  from (
    select s.id, s.created_at
    from statuses s
    where s.id > sweeps.after
    order by s.id
    limit 250
  )
  where created_at < (select ?1)
), after)
where what = 'statuses'

-- Plan:
-- SEARCH sweeps USING PRIMARY KEY (what=?)
-- CORRELATED SCALAR SUBQUERY
--   CO-ROUTINE (subquery)
--     SEARCH s USING INTEGER PRIMARY KEY (rowid>?)
--   SEARCH (subquery)
