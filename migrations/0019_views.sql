-- Who calls, and how each caller stands to projects and groups. Rules of authorization stand here once, statements ask these
-- views. Ask for one caller by its key, and do not ask for callers in a correlated subquery: SQLite would scan a table.

-- A caller has a key: the hash of a token, or user and an id or a name for whom ADMIN_TOKEN acts as, or anybody without a token.
-- A token of a project acts as a user of its own (id), while the rights are those of the member who made it (member_id).
create index users_by_key on users ('user ' || id) where id > 0;
create index users_by_named_key on users ('user ' || username) where id > 0;
create view callers as
select t.hash as key, coalesce(t.expires_at, 9007199254740991) as expires_at, t.expires_at as token_expires_at, t.scopes,
  t.project_id as token_project_id, coalesce(t.access, 40) as token_access,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10) as sees_from, m.id as member_id, m.admin as member_admin
from tokens t cross join users u on u.id = coalesce(t.bot_id, t.user_id) cross join users m on m.id = t.user_id
where t.revoked_at is null and u.state = 'active' and m.state = 'active'
union all
select 'user ' || u.id, 9007199254740991, null, 1, null, 40,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10), u.id, u.admin
from users u where u.state = 'active' and u.id > 0
union all
select 'user ' || u.username, 9007199254740991, null, 1, null, 40,
  u.id, u.username, u.name, u.state, u.email, u.admin, iif(u.external, 20, 10), u.id, u.admin
from users u where u.state = 'active' and u.id > 0
union all
select 'anybody', 9007199254740991, null, 2, null, 40, null, null, null, null, null, 0, 20, null, 0;

-- How each caller stands to each project that is not deleted. access: 0 none, 10 guest, 20 reporter, 30 developer, 40 master,
-- 50 owner, 60 administrator. visibility: 10 or 20 if the caller sees the project without being a member, else 0.
create view project_access as
select c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  p.id as project_id, p.namespace_id, p.path_key, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
  iif(p.visibility < c.sees_from, 0, p.visibility) as visibility,
  min(iif(c.member_admin, 60, iif(p.namespace_id = c.member_id, 50, max(
      coalesce((select m.access from project_members m where m.user_id = c.member_id and m.project_id = p.id), 0),
      coalesce((select m.access from group_members m where m.user_id = c.member_id and m.group_id = p.namespace_id), 0)))),
    iif(c.token_project_id is null, 60, c.token_access * (c.token_project_id = p.id))) as access
from callers c cross join projects p
where p.deleted_at is null and (c.id is not null or p.visibility = 20);

-- The same of groups. A member of a project of a group sees the group. A token of a project has no access to groups.
create view group_access as
select c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  g.id as group_id, g.path as full_path,
  iif(c.token_project_id is null, iif(c.admin, 60,
    coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0)), 0) as access,
  iif(g.visibility >= c.sees_from, g.visibility, iif(c.token_project_id is null and exists (
    select 1 from project_members m cross join projects p on p.id = m.project_id
    where m.user_id = c.id and p.namespace_id = g.id and p.deleted_at is null), 10, 0)) as visibility
from callers c cross join groups g;

-- Labels as requests see them: without those that are being deleted.
create view label_rows as
select id, project_id, title, color, description, opened, closed, opened_hidden, closed_hidden from labels
where not (title >= ',' and title < '-');

-- An issue with all it refers to, whoever asks. people: the author, the assignee and who closed it, each once.
create view issue_rows as
select i.id, i.iid, i.project_id, (select p.full_path from projects p where p.id = i.project_id) as full_path, i.title, i.description,
  i.state, i.created_at, i.updated_at, i.author_id, i.assignee_id, i.user_notes_count, i.due_date, i.confidential, i.closed_at,
  i.closed_by_id, i.discussion_locked, i.moved_to_id as went_to_id,
  (select json_group_array(l.title) from issue_labels b cross join label_rows l on l.id = b.label_id where b.issue_id = i.id) as labels,
  (select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
    'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at, 'updated_at', m.updated_at)
    from milestones m where m.id = i.milestone_id and m.iid > 0) as milestone,
  (select json_group_array(json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email))
    from users u where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id) as people
from issues i where i.deleted_at is null;

-- Whether a user hears of an issue: what the user chose, else whether they wrote it, do it or take part in it.
create view issue_subscribers as
select i.id as issue_id, u.id as user_id, coalesce(
  (select s.subscribed from subscriptions s where s.issue_id = i.id and s.user_id = u.id),
  u.id in (i.author_id, i.assignee_id) or exists (select 1 from participants t where t.issue_id = i.id and t.user_id = u.id), 0) as subscribed
from issues i cross join users u;

-- What an issue became in another project, for the users who see that one.
create view issue_successors as
select i.id as issue_id, u.id as user_id, n.id as moved_to_id
from issues i cross join users u cross join issues n on n.id = i.moved_to_id cross join projects q on q.id = n.project_id
where n.deleted_at is null and q.deleted_at is null and q.issues_enabled
  and ((q.visibility >= iif(u.external, 20, 10) and (n.confidential = 0 or u.id in (n.author_id, n.assignee_id)))
    or iif(u.admin, 60, iif(q.namespace_id = u.id, 50, max(
        coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = q.id), 0),
        coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = q.namespace_id), 0))))
      >= iif(n.confidential and not coalesce(u.id in (n.author_id, n.assignee_id), 0), 20, 1));
