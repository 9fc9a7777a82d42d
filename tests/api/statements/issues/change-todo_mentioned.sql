-- A todo for each of the user names `?2` but the caller `?3`. `?5`: the level that reads confidential issues.
-- Binds: ?1 self.row.id, ?2 fresh, ?3 self.user_id, ?4 self.now, ?5 confidential_level()
-- Rows in the small world: 0 given, 1 written

insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
select u.id, (select ?3), i.project_id, i.id, null, 'mentioned', ?4, ?4
from issues i
cross join json_each(?2) named
cross join users u
on u.username = named.value and u.id > 0 and u.state = 'active'
join projects p
on p.id = i.project_id
where i.id = (select ?1) and i.deleted_at is null and case when i.confidential then u.id in (i.author_id, i.assignee_id)
  or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end >= (select ?5) else (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end > 0) end and u.id <> (select ?3) and not exists (
  select 1
  from todos t
  where t.issue_id = i.id and t.user_id = u.id and t.state = 'pending'
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
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
