-- Same texts, author, times, state; the milestone of the same title; the assignee if they see the project.
-- Binds: ?1 issue_id, ?2 to, ?3 now
-- Rows in the small world: 0 given, 40 written

insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
  due_date, closed_at, closed_by_id, discussion_locked, created_at, updated_at, words)
select ?2, (
  select last_iid
  from issue_counts
  where project_id = (select ?2)
), i.author_id, (
  select u.id
  from users u
  join projects p
  on p.id = (select ?2)
  where u.id = i.assignee_id and (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = u.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = u.id and m.group_id = p.namespace_id
  ), 0)) end > 0)
), (
  select t.id
  from milestones m
  join milestones t
  on t.project_id = (select ?2) and t.title = m.title
  where m.id = i.milestone_id
), i.title, i.description, i.state, i.confidential, i.due_date, i.closed_at, i.closed_by_id, i.discussion_locked,
  i.created_at, ?3, i.words
from issues i
where i.id = (select ?1)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH issue_counts USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH t USING COVERING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?)
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=?)
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH notes USING COVERING INDEX notes_of_issue (issue_id=?)
-- SEARCH subscriptions USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- SEARCH issues USING COVERING INDEX issues_moved_to (moved_to_id=?)
