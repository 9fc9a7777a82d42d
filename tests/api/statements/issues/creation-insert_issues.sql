-- issues: creation insert issues
-- Binds: ?7 self.new.assignee_id, ?8 self.new.milestone_id, ?9 levels
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
  )) and (?8 is null or exists (
    select 1
    from milestones m
    where m.id = (select ?8) and m.project_id = p.id and m.iid > 0
  ))
)) and (access < (select ?9 ->> 1) or (select ?9 ->> 2)) )
insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, confidential, due_date,
  unlabeled, created_at, updated_at, discussion_locked, words)
select s.project_id, coalesce(iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null), k.last_iid + 1), s.user_id,
  iif(s.access >= (select ?9 ->> 0), ?7, null), iif(s.access >= (select ?9 ->> 0), ?8, null), ?10, ?11, ?12, ?13,
  s.access < (select ?9 ->> 0) or ?15, coalesce(iif(s.access >= (select ?9 ->> 1), ?14, null), ?4), ?4, iif(s.access >= (select ?9 ->> 0),
  ?16, null), ?17
from scope s
cross join issue_counts k
on k.project_id = s.project_id

-- Plan:
-- SCAN s
-- SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=?)
-- SEARCH participants USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_remains USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH notes USING COVERING INDEX notes_of_issue (issue_id=?)
-- SEARCH subscriptions USING PRIMARY KEY (issue_id=?)
-- SEARCH issue_labels USING PRIMARY KEY (issue_id=?)
-- SCAN issues
