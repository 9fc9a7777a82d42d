-- To-do items and events of comments on commits, mentions that begin a text, slugs of environments, and one name of
-- each emoji.

-- To-do items on a commit have no issue, and a check of a column cannot change, so the table is made again. The rows
-- wait in a table of their own: a renamed table would take the views with it.
create table kept_todos (
  id integer primary key,
  user_id integer not null,
  author_id integer not null,
  project_id integer not null,
  issue_id integer not null,
  note_id integer,
  action text not null,
  state text not null,
  created_at integer not null,
  updated_at integer not null
) strict;
insert into kept_todos (id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at)
select id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at
from todos;
drop view todo_rows;
drop view todos_by_filter;
drop view todo_lengths;
drop table todos;

create table todos (
  id integer primary key,
  -- the owner of the to-do item
  user_id integer not null references users (id),
  -- who caused it
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer references issues (id),
  -- the comment that it stems from
  note_id integer references notes (id),
  -- the commit, and the comment on it, if there is no issue
  commit_id integer references commits (id),
  comment_id integer references commit_comments (id),
  action text not null check (
    action in (
      'assigned', 'mentioned', 'directly_addressed', 'build_failed', 'marked', 'mentioned_at_commit',
      'addressed_at_commit'
    )
  ),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (250) virtual,
  check (
    iif(
      issue_id is null, commit_id is not null and comment_id is not null and note_id is null,
      commit_id is null and comment_id is null
    )
  )
) strict;
insert into todos (id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at)
select id, user_id, author_id, project_id, issue_id, note_id, action, state, created_at, updated_at
from kept_todos;
drop table kept_todos;
-- A list merges one range for each action in the order of the ids. Each filter of the list has an index.
create index todos_by_action on todos (user_id, state, action);
create index todos_by_author on todos (user_id, state, author_id, action);
create index todos_by_project on todos (user_id, state, project_id, action);
create index todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
-- the to-do items of a deleted comment, of an issue and of a commit
create index todos_of_note on todos (note_id) where note_id is not null;
create index todos_of_issue on todos (issue_id, user_id, state);
create index todos_of_comment on todos (comment_id) where comment_id is not null;
create index todos_of_commit on todos (commit_id, user_id, state) where commit_id is not null;

create trigger todos_stored after insert on todos BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger todos_unstored after delete on todos BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
-- A to-do item that users make for themselves stays.
create trigger todos_silent before insert on todos
when new.action <> 'marked' and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;

-- A to-do item with its issue as the owner of the item sees it, or with its commit. body: of the comment that it comes
-- from.
create view todo_rows as
select
  t.id, t.user_id, t.issue_id, t.note_id, t.comment_id, t.action, t.state, t.created_at, t.updated_at,
  (
    select json_object(
      'id', p.id, 'name', p.name, 'name_with_namespace', p.full_name, 'path', p.path,
      'path_with_namespace', p.full_path, 'description', p.description, 'created_at', p.created_at
    )
    from projects p
    where p.id = t.project_id
  ) as project,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = t.author_id
  ) as author,
  coalesce(
    (select n.body from notes n where n.id = t.note_id),
    (select k.note from commit_comments k where k.id = t.comment_id)
  ) as body,
  (select r.row from issue_records r where r.issue_id = t.issue_id and r.user_id = t.user_id) as issue,
  (select c.document from commit_documents c where c.id = t.commit_id) as "commit"
from todos t;

-- To-do items by each filter of their list. author_id and project_id are null if the list has no such filter, so
-- compare both with is. For each combination of filters, one index has the items of a user, a state and an action in
-- order. The casts give each column the same affinity in all arms. Without them SQLite would build the whole view in a
-- correlated subquery.
create view todos_by_filter as
select
  id, user_id, state, action, cast(null as integer) as author_id, cast(null as integer) as project_id, issue_id,
  comment_id
from todos indexed by todos_by_action
union all
select id, user_id, state, action, author_id, cast(null as integer), issue_id, comment_id
from todos indexed by todos_by_author
union all
select id, user_id, state, action, cast(null as integer), project_id, issue_id, comment_id
from todos indexed by todos_by_project
union all
select id, user_id, state, action, author_id, project_id, issue_id, comment_id
from todos indexed by todos_by_project_and_author;

create view todo_lengths as
select
  t.id, coalesce(l.bytes, c.bytes, 0) + coalesce(octet_length(n.body), octet_length(k.note), 0) as bytes,
  coalesce(l.answered, c.answered + 2000, 0) + octet_length(json_quote(coalesce(n.body, k.note, i.title))) as answered
from todos t
left join issues i on i.id = t.issue_id
left join issue_lengths l on l.id = i.id
left join notes n on n.id = t.note_id
left join commit_comments k on k.id = t.comment_id
left join commit_lengths c on c.id = t.commit_id;

-- A comment on a commit goes with its to-do items.
create trigger commit_comments_end before delete on commit_comments BEGIN
  delete from todos where comment_id = old.id;
END;

-- A comment on a commit is an event. The check of events knows no other kind that needs the right to read commits.
create trigger commit_comments_are_events after insert on commit_comments BEGIN
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  values (
    new.project_id, new.author_id, 'push', 'commented', new.id,
    max(coalesce((select created_at from events order by id desc limit 1), 0), new.created_at)
  );
END;

-- Something happened in the project, which moves its time of update at most once an hour. What not everybody sees who
-- sees the project does not: they would see when it was written. So a comment on a commit does not.
drop trigger events_are_activity;
create trigger events_are_activity after insert on events
when new.kind <> 'push' or new.action <> 'commented' BEGIN
  update projects
  set updated_at = new.created_at
  where id = new.project_id and updated_at <= new.created_at - 3600000
    and (
      new.kind not in ('issue', 'note')
        or issues_enabled
          and not exists (
            select 1
            from issues i
            where i.confidential
              and i.id = iif(
                new.kind = 'issue', new.target_id, (select n.issue_id from notes n where n.id = new.target_id)
              )
          )
    );
END;

-- An event in answers, the same for every caller. title: of the issue. comment: on a commit.
drop view event_rows;
create view event_rows as
select
  e.id, e.project_id, e.author_id, e.kind, e.action, e.target_id, e.detail, e.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = e.author_id
  ) as author,
  (
    select json_object(
      'id', n.id, 'project_id', n.project_id, 'issue_id', n.issue_id, 'body', n.body, 'system', n.system,
      'created_at', n.created_at, 'updated_at', n.updated_at,
      'author', json(
        (
          select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
          from users u
          where u.id = n.author_id
        )
      )
    )
    from notes n
    where n.id = e.target_id and e.kind = 'note'
  ) as note,
  (
    select json_object('iid', i.iid, 'title', i.title)
    from issues i
    where i.id = iif(
      e.kind = 'issue', e.target_id, (select n.issue_id from notes n where n.id = e.target_id and e.kind = 'note')
    )
      and e.kind in ('issue', 'note')
  ) as issue,
  exists (select 1 from milestone_rows m where m.id = e.target_id and e.kind = 'milestone') as has_milestone,
  (
    select json_object(
      'id', k.id, 'project_id', k.project_id, 'note', k.note, 'path', k.path, 'line', k.line, 'line_type', k.line_type,
      'position', json(k.position), 'created_at', k.created_at, 'updated_at', k.updated_at, 'author', json(k.author),
      'author_created_at', k.author_created_at
    )
    from comment_rows k
    where k.id = e.target_id and e.kind = 'push' and e.action = 'commented'
  ) as comment,
  (
    select substr(c.message, 1, 1000)
    from commit_comments k
    cross join commits c on c.id = k.commit_id
    where k.id = e.target_id and e.kind = 'push' and e.action = 'commented'
  ) as message
from events e;

-- The slug of an environment, which no other one of its project has. null: an environment of a version before, whose
-- slug has a hash of its name, which SQLite cannot compute.
alter table environments add column slug text check (octet_length(slug) <= 24);
update environments
set slug = name
where name glob '[a-z]*' and name not glob '*[^a-z0-9-]*' and octet_length(name) <= 24;
create unique index environments_by_slug on environments (project_id, slug);

drop view deployment_rows;
create view deployment_rows as
select
  d.id, d.iid, d.project_id, d.environment_id, d.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = d.user_id
  ) as user,
  (
    select json_object(
      'id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url, 'created_at', e.created_at,
      'updated_at', e.updated_at, 'state', e.state, 'tier', e.tier, 'description', e.description, 'slug', e.slug
    )
    from environments e
    where e.id = d.environment_id
  ) as environment,
  json_object(
    'git_ref', d.ref, 'state', d.state, 'name', d.name, 'stage', d.stage, 'tag', d.tag, 'coverage', d.coverage,
    'started_at', d.started_at, 'finished_at', d.finished_at
  ) as job,
  (
    select json_object(
      'id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email,
      'created_at', u.created_at, 'admin', u.admin, 'external', u.external, 'bio', u.bio, 'location', u.location,
      'skype', u.skype, 'linkedin', u.linkedin, 'twitter', u.twitter, 'website_url', u.website_url,
      'projects_limit', coalesce(u.projects_limit, (select default_projects_limit from settings)),
      'projects_count', u.projects_count
    )
    from users u
    where u.id = d.changed_by
  ) as author,
  (select c.document from commit_documents c where c.id = d.commit_id) as "commit",
  iif(d.state = 'pending', 'created', d.state) as v4_state,
  coalesce(d.finished_at, d.started_at, d.created_at) as updated_at, d.finished_at, d.ref as git_ref
from deployments d;

-- An emoji that gets the stored name of its alias is counted as one of that name.
create trigger awards_renamed after update of name on awards BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
  update issues
  set
    upvotes = upvotes + (new.note_id = 0 and new.name = 'thumbsup'),
    downvotes = downvotes + (new.note_id = 0 and new.name = 'thumbsdown')
  where id = new.issue_id;
END;
-- No quota ends this file: what the rows of before count more may not fit into one.
insert into request_marks (id, moves)
values (1, 1);
update or ignore awards
set name = iif(name = '+1', 'thumbsup', 'thumbsdown')
where name in ('+1', '-1');
delete from participants
where (issue_id, user_id, note_id) in (select issue_id, user_id, -id from awards where name in ('+1', '-1'));
delete from awards where name in ('+1', '-1');
delete from request_marks where id = 1;
