-- issues: creation insert issue labels
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone(), ?9 levels
-- Rows in the small world: 0 given, 36 written

-- call/write_head.sql
issues_enabled and (access < (select ?9 ->> 0) or exists (
  select 1
  from projects p
  where p.id = resource.id and (?7 is null or exists (
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
  )) and (?8 is null or (
    select m.id
    from milestones m
    where m.id = iif(typeof(?8) = 'text', (
      select t.id
      from milestones t
      where t.project_id = p.id and t.title = (select ?8)
    ), ?8) and m.project_id = p.id and m.iid > 0
  ) is not null)
)) and (access < (select ?9 ->> 1) or (select ?9 ->> 2)) )
insert into issue_labels (issue_id, label_id)
select i.id, l.id
from scope s
cross join issues i
on i.id = (
  select n.id
  from scope s
  cross join issue_counts k
  on k.project_id = s.project_id
  cross join issues n
  on n.project_id = s.project_id and n.iid = coalesce(iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null),
    k.last_iid)
)
cross join json_each(?10) named
cross join labels l
on l.project_id = i.project_id and l.title = named.value
where s.access >= (select ?9 ->> 0)

-- Plan:
-- SCAN s
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN s
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH l USING COVERING INDEX sqlite_autoindex_labels_1 (project_id=? AND title=?)
