-- milestones: create
-- Binds: ?1 project_id, ?2 title, ?3 description, ?4 due_date, ?5 start_date, ?6 now
-- Rows in the small world: 1 given, 1 written

insert into milestones (project_id, iid, title, description, due_date, start_date, created_at, updated_at)
select ?1, max(coalesce((
  select max(iid)
  from milestones
  where project_id = (select ?1)
), 0), -coalesce((
  select min(iid)
  from milestones
  where project_id = (select ?1)
), 0)) + 1, ?2, ?3, ?4, ?5, ?6, ?6
returning json_array(id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at) as v

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH milestones USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=?)
-- SCALAR SUBQUERY
--   SEARCH milestones USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=?)
-- SEARCH issues USING COVERING INDEX issues_of_milestone (milestone_id=?)
