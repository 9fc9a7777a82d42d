-- All earlier portions of the sync `?2` are there.
-- Binds: ?1 project_id, ?2 sync, ?3 portions
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select ?3 = (
  select count(*)
  from staged_swaps
  where project_id = (select ?1) and portion < (select ?3) and sync = (select ?2)
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH staged_swaps USING PRIMARY KEY (project_id=? AND portion<?)
