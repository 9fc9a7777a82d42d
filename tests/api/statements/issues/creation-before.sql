-- May `?7` be assigned here, and is `?8` a milestone of this project?
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone_id
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
)), 'milestone', (?8 is null or exists (
  select 1
  from milestones m
  where m.id = (select ?8) and m.project_id = p.id and m.iid > 0
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
