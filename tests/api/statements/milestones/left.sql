-- Are there issues that have a deleted one?
-- Binds: ?1 project_id
-- Rows in the small world: 1 given, 0 written

select json(iif(exists (
  select 1
  from milestones m
  cross join issues i
  on i.milestone_id = m.id
  where m.project_id = (select ?1) and m.iid < 0
), 'true', 'false')) as v

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH m USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid<?)
--   SEARCH i USING COVERING INDEX issues_of_milestone (milestone_id=?)
