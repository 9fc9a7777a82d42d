-- retention: delete milestones
-- Rows in the small world: 0 given, 1 written

delete from milestones
where id in (
  select m.id
  from milestones m
  where m.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH milestones USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH m USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
-- SEARCH issues USING COVERING INDEX issues_of_milestone (milestone_id=?)
