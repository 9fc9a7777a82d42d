-- Makes an environment of the name `?2`, unless there is one.
-- Binds: ?1 project_id, ?2 name, ?3 external_url, ?4 tier, ?5 description, ?6 now
-- Rows in the small world: 0 given, 1 written

insert into environments (project_id, number, name, external_url, tier, description, created_at, updated_at)
select ?1, max(coalesce((
  select max(number)
  from environments
  where project_id = (select ?1)
), 0), coalesce((
  select last
  from removed_numbers
  where project_id = (select ?1) and kind = 'environment'
), 0)) + 1, ?2, ?3, ?4, ?5, ?6, ?6
where true
on conflict (project_id, name) do nothing

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH environments USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
-- SCALAR SUBQUERY
--   SEARCH removed_numbers USING PRIMARY KEY (project_id=? AND kind=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_environment (environment_id=?)
