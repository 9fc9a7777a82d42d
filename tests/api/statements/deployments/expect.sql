-- A running job does not become pending.
-- Binds: ?1.. job.key.binds()
-- Rows in the small world: 0 given, 0 written

insert into expectations (holds)
select not exists (
  select 1
  from statuses
  where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3)
    and user_id = (select ?4) and state = 'running'
)

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH statuses USING INDEX statuses_of_name (commit_id=? AND ref=? AND name=?)
