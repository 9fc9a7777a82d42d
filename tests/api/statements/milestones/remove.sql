-- Of deleted milestones of the project `?1`: so many issues lose theirs.
-- Binds: ?1 project_id, ?2 PORTION
-- Rows in the small world: 0 given, 2 written

update issues
set milestone_id = null
where id in (
  select i.id
  from milestones m
  cross join issues i
  on i.milestone_id = m.id
  where m.project_id = (select ?1) and m.iid < 0
  limit (select ?2)
)

-- Plan:
-- SEARCH issues USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH m USING COVERING INDEX sqlite_autoindex_milestones_1 (project_id=? AND iid<?)
--   SEARCH i USING COVERING INDEX issues_of_milestone (milestone_id=?)
