-- The user names `?2` take part by the texts of the issue `?1`. `?3`: the level that reads confidential ones.
-- Binds: ?1 self.row.id, ?2 json!(names).to_string(), ?3 confidential_level()
-- Rows in the small world: 0 given, 1 written

insert into participants (issue_id, user_id, note_id)
select i.id, u.id, 0
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
), 0)) end >= (select ?3) else (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end > 0) end
on conflict do nothing

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH u USING INDEX sqlite_autoindex_users_1 (username=? AND rowid>?)
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
