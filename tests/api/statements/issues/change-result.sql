-- The issue as `?2` sees it. `?3`: the level that reads confidential issues.
-- Binds: ?1 self.row.id, ?2 self.user_id, ?3 confidential_level()
-- Rows in the small world: 1 given, 0 written

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
  where s.issue_id = i.id and s.user_id = ?2
), ?2 in (i.author_id, i.assignee_id) or exists (
  select 1
  from participants t
  where t.issue_id = i.id and t.user_id = ?2
), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, iif(i.moved_to_id is null,
  null, (
  select n.id
  from issues n
  cross join projects q
  on q.id = n.project_id
  left join users z
  on z.id = (select ?2)
  where n.id = i.moved_to_id and n.deleted_at is null and q.deleted_at is null
    and q.issues_enabled and ((q.visibility >= iif(coalesce(z.external, 1), 20, 10) and (n.confidential = 0 or z.id in (n.author_id,
    n.assignee_id))) or case when z.admin then 60 when q.namespace_id = z.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = z.id and m.project_id = q.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = z.id and m.group_id = q.namespace_id
  ), 0)) end >= iif(n.confidential and not coalesce(z.id in (n.author_id, n.assignee_id), 0), (select ?3), 1))
))) as v
from issues i
where i.id = (select ?1) and i.deleted_at is null

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
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
-- CORRELATED SCALAR SUBQUERY
--   SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH q USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH z USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
