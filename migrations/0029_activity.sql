-- of one kind that a push makes, moves or removes, the most refs that hooks get
alter table settings add column push_event_hooks_limit integer not null default 50 check (push_event_hooks_limit >= 0);

drop view event_issues;
create view event_issues as
select i.id, i.project_id, i.confidential, json_object('id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'author_id', i.author_id,
  'assignee_id', i.assignee_id, 'milestone_id', (select m.id from milestones m where m.id = i.milestone_id and m.iid > 0), 'moved_to_id', i.moved_to_id,
  'title', i.title, 'description', iif(octet_length(i.description) > 40000 and octet_length(json_quote(i.description)) > 250000,
    substr(i.description, 1, 8192), i.description),
  'state', i.state, 'confidential', i.confidential, 'discussion_locked', i.discussion_locked, 'due_date', i.due_date,
  'created_at', i.created_at, 'updated_at', i.updated_at, 'closed_at', i.closed_at, 'time_estimate', i.time_estimate, 'time_spent', i.time_spent,
  'labels', json((select json_group_array(json_object('id', l.id, 'title', l.title, 'color', l.color, 'project_id', l.project_id,
    'created_at', l.created_at, 'description', substr(l.description, 1, 255)))
    from issue_labels b cross join labels l on l.id = b.label_id where b.issue_id = i.id and not (l.title >= ',' and l.title < '-'))),
  'assignee', json((select u.document from event_people u where u.id = i.assignee_id))) as document
from issues i;

-- Documents of records in events for hooks of the system. event_name is set by who writes the event. Access levels and times as texts.
create view system_projects as
select p.id, p.full_path, p.created_at, p.creator_id, json_object('created_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.created_at / 1000, 'unixepoch'),
  'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.updated_at / 1000, 'unixepoch'), 'event_name', null, 'name', p.name, 'path', p.path,
  'path_with_namespace', p.full_path, 'project_id', p.id, 'project_namespace_id', p.id, 'owner_name', coalesce(g.name, u.name),
  'owner_email', coalesce(u.email, ''), 'owners', json((select json_group_array(json_object('name', o.name, 'email', o.email)) from (
    select p.namespace_id as id union select * from (select m.user_id from group_members m where m.group_id = p.namespace_id and m.access = 50 limit 100)) n
    cross join users o on o.id = n.id)),
  'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private'))) as document
from projects p left join groups g on g.id = p.namespace_id left join users u on u.id = p.namespace_id where p.deleted_at is null;

create view system_members as
select m.project_id, m.user_id, m.access, json_object('created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
  'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
  'access_level', iif(m.access = 10, 'Guest', iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))),
  'project_id', p.id, 'project_name', p.name, 'project_path', p.path, 'project_path_with_namespace', p.full_path,
  'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private')),
  'user_email', u.email, 'user_id', u.id, 'user_name', u.name, 'user_username', u.username) as document
from project_members m cross join projects p on p.id = m.project_id cross join users u on u.id = m.user_id;

create view system_group_members as
select m.group_id, m.user_id, m.access, json_object('created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
  'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
  'group_access', iif(m.access = 10, 'Guest', iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))),
  'group_id', g.id, 'group_name', g.name, 'group_path', g.path,
  'user_email', u.email, 'user_id', u.id, 'user_name', u.name, 'user_username', u.username) as document
from group_members m cross join groups g on g.id = m.group_id cross join users u on u.id = m.user_id;

create view system_users as
select u.id, u.username, json_object('created_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'),
  'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', u.name, 'email', u.email,
  'user_id', u.id, 'username', u.username) as document
from users u where u.deleted_at is null;

create view system_groups as
select g.id, g.path, json_object('created_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'),
  'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', g.name, 'path', g.path,
  'group_id', g.id, 'full_path', g.path) as document
from groups g;

-- how often hooks got that the token ends: 1 when seven days are left, 2 when one is
alter table tokens add column expiry_told integer not null default 0;
create index tokens_expiring on tokens (expiry_told, expires_at) where kind = 'project' and revoked_at is null and expires_at is not null;
