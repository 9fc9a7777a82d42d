-- Documents of records in events of web hooks. A text that is long as JSON is cut.

create view event_people as
select id, json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email) as document
from users;

create view event_projects as
select
  p.id,
  json_object(
    'id', p.id, 'name', p.name, 'description', substr(p.description, 1, 8192), 'full_path', p.full_path,
    'visibility', p.visibility, 'default_branch', p.default_branch,
    'protects', (select t.default_branch_protection > 0 from settings t where t.id = 1),
    'namespace', coalesce(
      (select g.name from groups g where g.id = p.namespace_id),
      (select u.name from users u where u.id = p.namespace_id)
    )
  ) as document
from projects p;

create view event_issues as
select
  i.id, i.project_id, i.confidential,
  json_object(
    'id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'author_id', i.author_id, 'assignee_id', i.assignee_id,
    'milestone_id', (select m.id from milestones m where m.id = i.milestone_id and m.iid > 0),
    'moved_to_id', i.moved_to_id, 'title', i.title,
    'description', iif(
      octet_length(i.description) > 40000 and octet_length(json_quote(i.description)) > 250000,
      substr(i.description, 1, 8192), i.description
    ),
    'state', i.state, 'confidential', i.confidential, 'discussion_locked', i.discussion_locked, 'due_date', i.due_date,
    'created_at', i.created_at, 'updated_at', i.updated_at, 'closed_at', i.closed_at, 'time_estimate', i.time_estimate,
    'time_spent', i.time_spent,
    'labels', json(
      (
        select json_group_array(
          json_object(
            'id', l.id, 'title', l.title, 'color', l.color, 'project_id', l.project_id, 'created_at', l.created_at,
            'description', substr(l.description, 1, 255)
          )
        )
        from issue_labels b
        cross join labels l on l.id = b.label_id
        where b.issue_id = i.id and not (l.title >= ',' and l.title < '-')
      )
    ),
    'assignee', json((select u.document from event_people u where u.id = i.assignee_id))
  ) as document
from issues i;

create view event_notes as
select
  n.id, n.project_id, n.issue_id, n.system,
  json_object(
    'id', n.id, 'author_id', n.author_id,
    'body', iif(
      octet_length(n.body) > 60000 and octet_length(json_quote(n.body)) > 400000, substr(n.body, 1, 8192), n.body
    ),
    'created_at', n.created_at, 'updated_at', n.updated_at
  ) as document
from notes n;

create view event_milestones as
select
  m.id, m.project_id, m.iid,
  json_object(
    'id', m.id, 'iid', m.iid, 'title', m.title,
    'description', iif(
      octet_length(m.description) > 60000 and octet_length(json_quote(m.description)) > 400000,
      substr(m.description, 1, 8192), m.description
    ),
    'state', m.state, 'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date,
    'start_date', m.start_date, 'project_id', m.project_id
  ) as document
from milestones m;

-- files: of a diff that is one row of the database, name and kind of its files. Other diffs are in the object store, or
-- too long.
create view event_commits as
select
  c.id,
  json_object(
    'sha', c.sha, 'author_name', substr(c.author_name, 1, 1000), 'author_email', substr(c.author_email, 1, 1000),
    'committed_at', c.committed_at,
    'committer_zone', c.committer_zone, 'message', substr(c.message, 1, 8192),
    'files', json(
      (
        select json_group_array(
          json_array(
            substr(f.value ->> 'new_path', 1, 1000), f.value ->> 'new_file' or f.value ->> 'renamed_file',
            f.value ->> 'deleted_file'
          )
        )
        from diffs d
        cross join json_each(d.text) f
        where d.commit_id = c.id
          and d.part = (select min(n.part) from diffs n where n.commit_id = c.id)
          and d.object is null
          and octet_length(d.text) <= 20000
          and json_valid(d.text)
      )
    )
  ) as document
from commits c;

create view event_pipelines as
select
  r.commit_id, r.git_ref, r.user_id,
  json_object(
    'id', r.id, 'iid', r.iid, 'ref', r.git_ref, 'sha', r.sha, 'state', r.state,
    'tag', exists (select 1 from refs t where t.project_id = r.project_id and t.name = 'refs/tags/' || r.git_ref),
    'created_at', r.created_at, 'updated_at', r.updated_at,
    'commit', json((select d.document from event_commits d where d.id = r.commit_id)),
    'builds', json(
      (
        select json_group_array(
          json_object(
            'id', s.id, 'name', s.name, 'state', iif(s.skipped, 'skipped', s.state), 'created_at', s.created_at,
            'started_at', s.started_at, 'finished_at', s.finished_at,
            'user', json((select u.document from event_people u where u.id = s.user_id))
          )
        )
        from (
          select h.status_id
          from status_heads h
          where h.commit_id = r.commit_id and h.ref = r.git_ref
          order by h.name
          limit 100
        ) n
        cross join statuses s on s.id = n.status_id
      )
    )
  ) as document
from pipeline_rows r;

create view event_releases as
select
  r.id, r.project_id,
  json_object(
    'id', r.id, 'tag', r.tag, 'name', coalesce(r.name, r.tag),
    'description', iif(
      octet_length(r.description) > 60000 and octet_length(json_quote(r.description)) > 400000,
      substr(r.description, 1, 8192), r.description
    ),
    'created_at', r.created_at, 'released_at', r.released_at, 'sha', r.sha,
    'commit', json(
      (
        select d.document
        from commits c
        cross join event_commits d on d.id = c.id
        where c.project_id = r.project_id and c.sha = r.sha
      )
    ),
    'links', json(
      (
        select json_group_array(json_object('id', l.id, 'link_type', l.link_type, 'name', l.name, 'url', l.url))
        from (select * from release_links k where k.release_id = r.id order by k.id desc) l
      )
    )
  ) as document
from releases r;

-- From here on the documents are for hooks of the system. The statement that writes the event sets event_name. Access
-- levels and times are texts.
create view system_projects as
select
  p.id, p.full_path, p.created_at, p.creator_id,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', p.updated_at / 1000, 'unixepoch'), 'event_name', null, 'name', p.name,
    'path', p.path, 'path_with_namespace', p.full_path, 'project_id', p.id, 'project_namespace_id', p.id,
    'owner_name', coalesce(g.name, u.name), 'owner_email', coalesce(u.email, ''),
    'owners', json(
      (
        select json_group_array(json_object('name', o.name, 'email', o.email))
        from (
          select p.namespace_id as id
          union
          select *
          from (select m.user_id from group_members m where m.group_id = p.namespace_id and m.access = 50 limit 100)
        ) n
        cross join users o on o.id = n.id
      )
    ),
    'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private'))
  ) as document
from projects p
left join groups g on g.id = p.namespace_id
left join users u on u.id = p.namespace_id
where p.deleted_at is null;

create view system_members as
select
  m.project_id, m.user_id, m.access,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
    'access_level', iif(
      m.access = 10, 'Guest',
      iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))
    ),
    'project_id', p.id, 'project_name', p.name, 'project_path', p.path, 'project_path_with_namespace', p.full_path,
    'project_visibility', iif(p.visibility = 20, 'public', iif(p.visibility = 10, 'internal', 'private')),
    'user_email', u.email, 'user_id', u.id, 'user_name', u.name, 'user_username', u.username
  ) as document
from project_members m
cross join projects p on p.id = m.project_id
cross join users u on u.id = m.user_id;

create view system_group_members as
select
  m.group_id, m.user_id, m.access,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch'), 'event_name', null,
    'group_access', iif(
      m.access = 10, 'Guest',
      iif(m.access = 20, 'Reporter', iif(m.access = 30, 'Developer', iif(m.access = 40, 'Maintainer', 'Owner')))
    ),
    'group_id', g.id, 'group_name', g.name, 'group_path', g.path, 'user_email', u.email, 'user_id', u.id,
    'user_name', u.name, 'user_username', u.username
  ) as document
from group_members m
cross join groups g on g.id = m.group_id
cross join users u on u.id = m.user_id;

create view system_users as
select
  u.id, u.username,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', u.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', u.name,
    'email', u.email, 'user_id', u.id, 'username', u.username
  ) as document
from users u
where u.deleted_at is null;

create view system_groups as
select
  g.id, g.path,
  json_object(
    'created_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%SZ', g.created_at / 1000, 'unixepoch'), 'event_name', null, 'name', g.name,
    'path', g.path, 'group_id', g.id, 'full_path', g.path
  ) as document
from groups g;
