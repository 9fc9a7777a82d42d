-- issues: creation insert issues
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone(), ?9 levels
-- Rows in the small world: 0 given, 55 written

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
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, confidential, due_date,
  unlabeled, created_at, updated_at, discussion_locked, words)
select s.project_id, coalesce(iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null), k.last_iid + 1), s.user_id,
  iif(s.access >= (select ?9 ->> 0), ?7, null), iif(s.access >= (select ?9 ->> 0), (
  select m.id
  from milestones m
  where m.id = iif(typeof(?8) = 'text', (
    select t.id
    from milestones t
    where t.project_id = s.project_id and t.title = (select ?8)
  ), ?8) and m.project_id = s.project_id and m.iid > 0
), null), ?10, ?11, ?12, ?13, s.access < (select ?9 ->> 0) or ?15, coalesce(iif(s.access >= (select ?9 ->> 1), ?14,
  null), ?4), ?4, iif(s.access >= (select ?9 ->> 0), ?16, null), ?17
from scope s
cross join issue_counts k
on k.project_id = s.project_id

-- Plan:
-- SCAN s
-- SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH t USING COVERING INDEX sqlite_autoindex_milestones_2 (project_id=? AND title=?)
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=?)
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH notes USING COVERING INDEX notes_of_issue (issue_id=?)
-- SEARCH subscriptions USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- SEARCH issues USING COVERING INDEX issues_moved_to (moved_to_id=?)
