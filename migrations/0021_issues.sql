-- How each user stands to each project that is not deleted, for those whom a request names: by a mention, as an assignee. Ask
-- for both ids. access is as in project_access, sees is 1 if the user sees the project.
create view project_viewers as
select u.id as user_id, p.id as project_id,
  iif(u.admin, 60, iif(p.namespace_id = u.id, 50, max(
    coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
    coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = p.namespace_id), 0)))) as access,
  p.visibility >= iif(u.external, 20, 10) or u.admin or p.namespace_id = u.id
    or exists (select 1 from project_members m where m.user_id = u.id and m.project_id = p.id)
    or exists (select 1 from group_members m where m.user_id = u.id and m.group_id = p.namespace_id) as sees
from users u cross join projects p where p.deleted_at is null;

-- Which users see which issue: whoever sees the project, a confidential one its author, its assignee and reporters.
create view issue_readers as
select i.id as issue_id, v.user_id from issues i cross join project_viewers v on v.project_id = i.project_id
where i.deleted_at is null and v.sees and (select p.issues_enabled from projects p where p.id = i.project_id)
  and (i.confidential = 0 or v.user_id in (i.author_id, i.assignee_id) or v.access >= 20);

-- What an issue became in another project, for the users who see that one.
drop view issue_successors;
create view issue_successors as
select i.id as issue_id, r.user_id, r.issue_id as moved_to_id
from issues i cross join issue_readers r on r.issue_id = i.moved_to_id;

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
