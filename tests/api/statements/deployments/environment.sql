-- The environment of that name, made if it is new, at the address that was given last. If it was stopped, it no longer
--   is.
-- Binds: ?1 project_id, ?2 environment.as_str(), ?3 external_url.as_deref(), ?4 now
-- Rows in the small world: 0 given, 1 written

insert into environments (project_id, number, name, external_url, created_at, updated_at)
select ?1, max(coalesce((
  select max(number)
  from environments
  where project_id = (select ?1)
), 0), coalesce((
  select last
  from removed_numbers
  where project_id = (select ?1) and kind = 'environment'
), 0)) + 1, ?2, ?3, ?4, ?4
where true
on conflict (project_id, name) do update set external_url = coalesce(excluded.external_url, external_url), state = 'available',
  updated_at = excluded.updated_at
where excluded.external_url is not null or state <> 'available'

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH environments USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
-- SCALAR SUBQUERY
--   SEARCH removed_numbers USING PRIMARY KEY (project_id=? AND kind=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_environment (environment_id=?)
