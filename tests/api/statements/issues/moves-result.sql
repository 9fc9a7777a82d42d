-- issues: moves result
-- Binds: ?1 user_id, ?2 to
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
  where s.issue_id = i.id and s.user_id = ?1
), ?1 in (i.author_id, i.assignee_id) or exists (
  select 1
  from participants t
  where t.issue_id = i.id and t.user_id = ?1
), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, null) as v
from issues i
where i.id = (
  select n.id
  from issues n
  where n.project_id = (select ?2) and n.iid = (
    select last_iid
    from issue_counts
    where project_id = (select ?2)
  )
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
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
