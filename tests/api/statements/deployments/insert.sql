-- The project's next deployment.
-- Binds: ?1.. binds
-- Rows in the small world: 0 given, 1 written

insert into deployments (project_id, iid, environment_id, status_id, user_id, created_at)
select ?5, max(coalesce((
  select max(iid)
  from deployments
  where project_id = (select ?5)
), 0), coalesce((
  select last
  from removed_numbers
  where project_id = (select ?5) and kind = 'deployment'
), 0)) + 1, (
  select id
  from environments
  where project_id = (select ?5) and name = (select ?6)
), (
  select id
  from statuses
  where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3)
    and user_id = (select ?4)
  order by id desc
  limit 1
), ?4, ?7

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH deployments USING COVERING INDEX sqlite_autoindex_deployments_1 (project_id=?)
-- SCALAR SUBQUERY
--   SEARCH removed_numbers USING PRIMARY KEY (project_id=? AND kind=?)
-- SCALAR SUBQUERY
--   SEARCH environments USING COVERING INDEX sqlite_autoindex_environments_1 (project_id=? AND name=?)
-- SCALAR SUBQUERY
--   SEARCH statuses USING INDEX statuses_of_name (commit_id=? AND ref=? AND name=?)
