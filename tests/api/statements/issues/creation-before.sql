-- May `?7` be assigned here, and which milestone of this project is `?8`?
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone()
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('assignee', (?7 is null or exists (
  select 1
  from users u
  where u.id = (select ?7) and u.id > 0 and u.state = 'active'
    and (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = u.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = u.id and m.group_id = p.namespace_id
  ), 0)) end > 0)
)), 'milestone', iif(?8 is null, 0, (
  select m.id
  from milestones m
  where m.id = iif(typeof(?8) = 'text', (
    select t.id
    from milestones t
    where t.project_id = p.id and t.title = (select ?8)
  ), ?8) and m.project_id = p.id and m.iid > 0
)))
from scope s
join projects p
on p.id = s.project_id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH t USING COVERING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?)
