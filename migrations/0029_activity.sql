-- What a batch says of its request. Empty outside of batches: who inserts a row also deletes it, in the same batch.
create table request_marks (
  -- 1: the request. 2: an issue is copied with its comments
  id integer primary key check (id in (1, 2)),
  -- 1: nobody is to be informed: no hook, no event, no to-do item
  silent integer not null default 0 check (silent in (0, 1)),
  -- who copies the issue. The copies of its comments are no events
  copier_id integer
) strict;

-- What users did in a project, for the lists of events.
create table events (
  id integer primary key,
  project_id integer not null references projects (id),
  author_id integer not null,
  kind text not null check (kind in ('issue', 'note', 'milestone', 'project', 'member', 'push')),
  action text not null check (action in ('created', 'closed', 'reopened', 'destroyed', 'commented', 'joined', 'left', 'pushed')),
  -- of the issue, the comment or the milestone, which may be gone
  target_id integer,
  -- JSON object: number and title of a milestone, or the push
  detail text check (octet_length(detail) <= 8192),
  created_at integer not null,
  quota_bytes integer as (150 + coalesce(octet_length(detail), 0)) virtual
) strict;
create index events_of_project on events (project_id);
create index events_of_author on events (author_id);

-- Those of issues and comments are counted by the triggers of these, with them.
create trigger events_stored after insert on events when new.kind not in ('issue', 'note') BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger events_unstored after delete on events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A push, the end of a milestone and a member who leaves do not fail for want of room: then there is no event.
create trigger events_without_room before insert on events when new.kind not in ('issue', 'note') and exists (select 1 from storage t cross join stored q on q.id = 1
  where t.project_id = new.project_id and (q.project_most > 0 and t.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.project_most
    or q.most > 0 and q.bytes + 150 + coalesce(octet_length(new.detail), 0) > q.most)) BEGIN
  select raise(ignore);
END;
create trigger events_silent before insert on events when exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;
create trigger hook_events_silent before insert on hook_events when new.hook_id is null and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;
-- A to-do item that users make for themselves stays.
create trigger todos_silent before insert on todos when new.action <> 'marked' and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

drop trigger issues_stored;
create trigger issues_stored after insert on issues BEGIN
  update storage set bytes = bytes + new.quota_bytes + iif(exists (select 1 from request_marks where silent), 0, 150) where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  values (new.project_id, coalesce((select copier_id from request_marks where id = 2), new.author_id), 'issue', 'created', new.id, new.updated_at);
END;
-- The author may date a comment. Times of events ascend with their ids, so that a date finds an id.
drop trigger notes_stored;
create trigger notes_stored after insert on notes BEGIN
  update storage set bytes = bytes + new.quota_bytes + iif(new.system or exists (select 1 from request_marks where silent or copier_id is not null), 0, 150)
  where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select new.project_id, new.author_id, 'note', 'commented', new.id, max(coalesce((select created_at from events order by id desc limit 1), 0),
    min(new.updated_at, cast((julianday('now') - 2440587.5) * 86400000 as integer) + 60000))
  where not new.system and not exists (select 1 from request_marks where copier_id is not null);
END;
drop trigger resource_events_stored;
create trigger resource_events_stored after insert on resource_events BEGIN
  update storage set bytes = bytes + new.quota_bytes + iif(new.kind <> 'state' or exists (select 1 from request_marks where silent), 0, 150)
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select i.project_id, new.user_id, 'issue', new.action, i.id, new.created_at from issues i where i.id = new.issue_id and new.kind = 'state';
END;
drop trigger projects_stored;
create trigger projects_stored after insert on projects BEGIN
  insert into storage (project_id, bytes) values (new.id, 0);
  update storage set bytes = bytes + new.quota_bytes where project_id = new.id;
  insert into events (project_id, author_id, kind, action, created_at) values (new.id, new.creator_id, 'project', 'created', new.created_at);
END;
create trigger project_members_joined after insert on project_members BEGIN
  insert into events (project_id, author_id, kind, action, created_at) values (new.project_id, new.user_id, 'member', 'joined', new.created_at);
END;

-- An event with what decides who sees it. is_gone: nobody does. issue_id: of the issue that one has to see.
create view event_subjects as
select e.id, e.project_id, e.kind, e.action, n.id as note_id, iif(e.kind = 'issue', e.target_id, n.issue_id) as issue_id,
  p.namespace_id, p.visibility, p.deleted_at is not null or e.kind in ('issue', 'note') and not p.issues_enabled as is_gone
from events e cross join projects p on p.id = e.project_id left join notes n on n.id = e.target_id and e.kind = 'note';

-- An event in answers, the same for every caller. title: of the issue.
create view event_rows as
select e.id, e.project_id, e.author_id, e.kind, e.action, e.target_id, e.detail, e.created_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = e.author_id) as author,
  (select json_object('id', n.id, 'project_id', n.project_id, 'issue_id', n.issue_id, 'body', n.body, 'system', n.system,
    'created_at', n.created_at, 'updated_at', n.updated_at, 'author', json((select json_object('id', u.id, 'username', u.username,
      'name', u.name, 'state', u.state, 'email', u.email) from users u where u.id = n.author_id)))
    from notes n where n.id = e.target_id and e.kind = 'note') as note,
  (select json_object('iid', i.iid, 'title', i.title) from issues i
    where i.id = iif(e.kind = 'issue', e.target_id, (select n.issue_id from notes n where n.id = e.target_id and e.kind = 'note'))
      and e.kind in ('issue', 'note')) as issue,
  exists (select 1 from milestone_rows m where m.id = e.target_id and e.kind = 'milestone') as has_milestone
from events e;

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
