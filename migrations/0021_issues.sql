-- Issues, comments and to-do items as statements read them.

-- How each user stands to each project that is not deleted: for those whom a request names by a mention or as an assignee. Ask
-- for one user and one project. access is as in project_access, sees is 1 if the user sees the project.
create view project_viewers as
select u.id as user_id, u.username, u.state = 'active' and u.id > 0 as is_active, p.id as project_id, p.namespace_id, p.issues_enabled,
  iif(u.admin, 60, iif(p.namespace_id = u.id, 50, max(
    coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
    coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = p.namespace_id), 0)))) as access,
  p.visibility >= iif(u.external, 20, 10) or u.admin or p.namespace_id = u.id
    or exists (select 1 from project_members m where m.user_id = u.id and m.project_id = p.id)
    or exists (select 1 from group_members m where m.user_id = u.id and m.group_id = p.namespace_id) as sees
from users u cross join projects p where p.deleted_at is null;

-- Which users see the project of an issue. is_restricted: the issue is confidential, and the user neither wrote it nor does it,
-- so that their access decides.
create view issue_readers as
select i.id as issue_id, v.user_id, v.username, v.is_active, v.namespace_id, v.access,
  i.confidential and not coalesce(v.user_id in (i.author_id, i.assignee_id), 0) as is_restricted
from issues i cross join project_viewers v on v.project_id = i.project_id
where i.deleted_at is null and v.issues_enabled and v.sees;

-- What an issue became in another project, for the users who see that one.
drop view issue_successors;
create view issue_successors as
select i.id as issue_id, r.user_id, r.issue_id as moved_to_id
from issues i cross join issue_readers r on r.issue_id = i.moved_to_id where not r.is_restricted or r.access >= 20;

-- An issue with all it refers to, whoever asks. people: the author, the assignee and who closed it, each once.
-- public_successor_id: what it became in another project, if everybody sees that one.
drop view issue_rows;
create view issue_rows as
select i.id, i.iid, i.project_id, (select p.full_path from projects p where p.id = i.project_id) as full_path, i.title, i.description,
  i.state, i.created_at, i.updated_at, i.author_id, i.assignee_id, i.user_notes_count, i.due_date, i.confidential, i.closed_at,
  i.closed_by_id, i.discussion_locked,
  (select json_group_array(l.title) from issue_labels b cross join label_rows l on l.id = b.label_id where b.issue_id = i.id) as labels,
  (select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
    'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at, 'updated_at', m.updated_at)
    from milestones m where m.id = i.milestone_id and m.iid > 0) as milestone,
  (select json_group_array(json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email))
    from users u where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id) as people,
  (select n.id from issues n cross join projects q on q.id = n.project_id where n.id = i.moved_to_id and n.deleted_at is null
    and n.confidential = 0 and q.deleted_at is null and q.issues_enabled and q.visibility = 20) as public_successor_id
from issues i where i.deleted_at is null;

-- The same for each user, as one JSON object.
create view issue_records as
select r.id as issue_id, u.id as user_id, json_object('id', r.id, 'iid', r.iid, 'project_id', r.project_id, 'full_path', r.full_path,
  'title', r.title, 'description', r.description, 'state', r.state, 'created_at', r.created_at, 'updated_at', r.updated_at,
  'labels', json(r.labels), 'milestone', json(r.milestone), 'people', json(r.people), 'author_id', r.author_id,
  'assignee_id', r.assignee_id, 'subscribed', (
    select s.subscribed from issue_subscribers s where s.issue_id = r.id and s.user_id = u.id),
  'user_notes_count', r.user_notes_count, 'due_date', r.due_date, 'confidential', r.confidential, 'closed_at', r.closed_at,
  'closed_by_id', r.closed_by_id, 'discussion_locked', r.discussion_locked, 'moved_to_id', (
    select s.moved_to_id from issue_successors s where s.issue_id = r.id and s.user_id = u.id)) as row
from issue_rows r cross join users u;

-- A comment. reference: what a move refers to, for those who see reference_project_id.
create view note_rows as
select n.id, n.project_id, n.issue_id, n.body, n.system, n.reference, n.reference_project_id, n.created_at, n.updated_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = n.author_id) as author
from notes n;

-- A to-do item with its issue as its owner sees it. body: of the comment that it stems from.
create view todo_rows as
select t.id, t.user_id, t.issue_id, t.note_id, t.action, t.state, t.created_at, t.updated_at,
  (select json_object('id', p.id, 'name', p.name, 'name_with_namespace', p.full_name, 'path', p.path,
    'path_with_namespace', p.full_path, 'description', p.description, 'created_at', p.created_at)
    from projects p where p.id = t.project_id) as project,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = t.author_id) as author,
  (select n.body from notes n where n.id = t.note_id) as body,
  (select r.row from issue_records r where r.issue_id = t.issue_id and r.user_id = t.user_id) as issue
from todos t;

-- To-do items by each filter of their list: author_id and project_id are null where the list is not filtered by them, so ask with
-- is for both. Of each combination one index holds those of a user, a state and an action in order. The casts give the columns of
-- all arms one affinity, without which SQLite would not look into the arms from a correlated subquery but build the whole view.
create view todos_by_filter as
select id, user_id, state, action, cast(null as integer) as author_id, cast(null as integer) as project_id, issue_id
from todos indexed by todos_by_action
union all
select id, user_id, state, action, author_id, cast(null as integer), issue_id from todos indexed by todos_by_author
union all
select id, user_id, state, action, cast(null as integer), project_id, issue_id from todos indexed by todos_by_project
union all
select id, user_id, state, action, author_id, project_id, issue_id from todos indexed by todos_by_project_and_author;
