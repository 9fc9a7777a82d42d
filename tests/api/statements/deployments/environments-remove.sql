-- deployments: environments remove
-- Binds: ?1 id
-- Rows in the small world: 0 given, 2 written

delete from environments
where id = (select ?1) and state = 'stopped'

-- Plan:
-- SEARCH environments USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH deployments USING COVERING INDEX deployments_of_environment (environment_id=?)
