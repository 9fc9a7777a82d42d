-- issues: creation insert todos
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone(), ?9 levels
-- Rows in the small world: 0 given, 0 written

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
insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
select u.id, i.author_id, i.project_id, i.id, null, 'mentioned', ?4, ?4
from issues i
cross join json_each(?10) named
cross join users u
on u.username = named.value and u.id > 0 and u.state = 'active'
join projects p
on p.id = i.project_id
where i.id = (
  select n.id
  from scope s
  cross join issue_counts k
  on k.project_id = s.project_id
  cross join issues n
  on n.project_id = s.project_id and n.iid = coalesce(iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null),
    k.last_iid)
) and i.deleted_at is null and case when i.confidential then u.id in (i.author_id, i.assignee_id)
  or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end >= (select ?6 ->> 5) else (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end > 0) end and u.id <> i.author_id and not exists (
  select 1
  from todos t
  where t.issue_id = i.id and t.user_id = u.id and t.state = 'pending'
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN s
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH u USING INDEX sqlite_autoindex_users_1 (username=? AND rowid>?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH t USING COVERING INDEX todos_of_issue (issue_id=? AND user_id=? AND state=?)
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
