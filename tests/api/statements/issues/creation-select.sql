-- issues: creation select
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone(), ?9 levels
-- Rows in the small world: 1 given, 0 written

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
select json_array(i.id, i.iid, i.project_id, (
  select p.full_path
  from projects p
  where p.id = i.project_id
), i.title, i.description, i.state, i.created_at, i.updated_at, json((
  select json_group_array(l.title)
  from issue_labels il
  cross join labels l
  on l.id = il.label_id
  where il.issue_id = i.id and substr(l.title, 1, 1) <> ','
)), json((
  select json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date, m.start_date, m.created_at,
    m.updated_at)
  from milestones m
  where m.id = i.milestone_id and m.iid > 0
)), json((
  select json_group_array(json(json_array(u.id, u.username, u.name, u.state, u.email)))
  from users u
  where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id
)), i.author_id, i.assignee_id, coalesce((
  select s.subscribed
  from subscriptions s
  where s.issue_id = i.id and s.user_id = (
    select user_id
    from scope
  )
), (
  select user_id
  from scope
) in (i.author_id, i.assignee_id) or exists (
  select 1
  from participants t
  where t.issue_id = i.id and t.user_id = (
    select user_id
    from scope
  )
), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, null) as v
from issues i
where i.id = (
  select n.id
  from scope s
  cross join issue_counts k
  on k.project_id = s.project_id
  cross join issues n
  on n.project_id = s.project_id and n.iid = coalesce(iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null),
    k.last_iid)
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN s
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH il USING PRIMARY KEY (issue_id=?)
--   SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   MULTI-INDEX OR
--     INDEX
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     INDEX
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     INDEX
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH s USING PRIMARY KEY (issue_id=? AND user_id=?)
--   SCALAR SUBQUERY
--     SCAN scope
-- SCALAR SUBQUERY
--   SCAN scope
-- CORRELATED SCALAR SUBQUERY
--   SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
--   SCALAR SUBQUERY
--     SCAN scope
