-- The deployment `?5` follows its job, where that is now in the state `?6`: a finished one had a successor.
-- Binds: ?1.. binds
-- Rows in the small world: 0 given, 1 written

update deployments
set status_id = (
  select id
  from statuses
  where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3)
    and user_id = (select ?4)
  order by id desc
  limit 1
)
where id = (select ?5) and ?6 = (
  select state
  from statuses
  where id = (
    select id
    from statuses
    where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3)
      and user_id = (select ?4)
    order by id desc
    limit 1
  )
)

-- Plan:
-- SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH statuses USING INTEGER PRIMARY KEY (rowid=?)
--   SCALAR SUBQUERY
--     SEARCH statuses USING INDEX statuses_of_name (commit_id=? AND ref=? AND name=?)
-- SCALAR SUBQUERY
--   SEARCH statuses USING INDEX statuses_of_name (commit_id=? AND ref=? AND name=?)
