-- Comments on issues, emoji, and events of labels, milestones and states.

create table notes (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  author_id integer not null references users (id),
  -- 1: the service wrote it about a change
  system integer not null default 0 check (system in (0, 1)),
  reference_project_id integer references projects (id),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (100 + octet_length(body) + coalesce(octet_length(reference), 0)) virtual,
  -- 1: a system comment whose change is in resource_events, too. v4 leaves it out
  has_event integer not null default 0,
  -- the issue that the reference is about, if not only its project decides who reads the reference
  reference_issue_id integer,
  -- a text about something in another project, such as the issue that a move left or made. It is added to the body for
  -- those who see that project
  reference text,
  body text not null
) strict;
create index notes_of_issue on notes (issue_id, id, has_event);

create trigger notes_count_added after insert on notes when not new.system BEGIN
  update issues set user_notes_count = user_notes_count + 1 where id = new.issue_id;
END;
-- skips deleted issues, whose counters stay 0, and system comments, which are deleted only with their issue
create trigger notes_count_removed after delete on notes
when not old.system and (select i.deleted_at is null from issues i where i.id = old.issue_id) BEGIN
  update issues set user_notes_count = user_notes_count - 1 where id = old.issue_id;
END;
create trigger notes_restored after update of body, reference on notes
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger notes_unstored after delete on notes BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
create trigger notes_count_system after insert on notes when new.system BEGIN
  update issues
  set system_notes_count = system_notes_count + 1, event_notes_count = event_notes_count + new.has_event
  where id = new.issue_id;
END;
-- The author may date a comment. The times of events ascend with their ids, so that a date finds an id.
create trigger notes_stored after insert on notes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
    + iif(new.system or exists (select 1 from request_marks where silent or copier_id is not null), 0, 150)
  where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select
    new.project_id, new.author_id, 'note', 'commented', new.id,
    max(
      coalesce((select created_at from events order by id desc limit 1), 0),
      min(new.updated_at, cast((julianday('now') - 2440587.5) * 86400000 as integer) + 60000)
    )
  where not new.system and not exists (select 1 from request_marks where copier_id is not null);
END;

-- Emoji on issues and comments.
create table awards (
  id integer primary key autoincrement,
  issue_id integer not null references issues (id),
  -- 0: of the issue itself
  note_id integer not null,
  user_id integer not null,
  name text not null check (octet_length(name) between 1 and 50),
  created_at integer not null,
  quota_bytes integer as (100 + octet_length(name)) virtual
) strict;
create unique index awards_of_issue on awards (issue_id, note_id, user_id, name);

create trigger awards_stored after insert on awards BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger awards_unstored after delete on awards BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;
create trigger awards_counted after insert on awards BEGIN
  update issues
  set
    awards_count = awards_count + 1, upvotes = upvotes + (new.note_id = 0 and new.name = 'thumbsup'),
    downvotes = downvotes + (new.note_id = 0 and new.name = 'thumbsdown')
  where id = new.issue_id;
END;
create trigger awards_uncounted after delete on awards BEGIN
  update issues
  set
    awards_count = awards_count - 1, upvotes = upvotes - (old.note_id = 0 and old.name = 'thumbsup'),
    downvotes = downvotes - (old.note_id = 0 and old.name = 'thumbsdown')
  where id = old.issue_id;
END;

-- What happened to the labels, the milestone and the state of an issue, for v4. A system comment of the same change has
-- has_event: v4 leaves it out of the comments. v3 has no such events.
create table resource_events (
  id integer primary key,
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  kind text not null check (kind in ('label', 'milestone', 'state')),
  action text not null check (action in ('add', 'remove', 'closed', 'reopened')),
  -- the label and when it was made, because another label may get its id
  label_id integer,
  label_made_at integer,
  milestone_id integer,
  -- of the issue, before the change
  state text not null,
  -- the commit that closed it
  source_sha text,
  created_at integer not null,
  quota_bytes integer as (100) virtual
) strict;
create index resource_events_of_issue on resource_events (issue_id, kind, id);

create trigger resource_events_unstored after delete on resource_events BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;
create trigger resource_events_stored after insert on resource_events BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
    + iif(new.kind <> 'state' or exists (select 1 from request_marks where silent), 0, 150)
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  select i.project_id, new.user_id, 'issue', new.action, i.id, new.created_at
  from issues i
  where i.id = new.issue_id and new.kind = 'state';
END;

-- A comment in answers. reference: for the users of reference_viewers. public_reference: anybody sees the issue that it
-- is about.
create view note_rows as
select
  n.id, n.project_id, n.issue_id, n.body, n.system, n.reference, n.reference_project_id, n.reference_issue_id,
  n.created_at, n.updated_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = n.author_id
  ) as author,
  (
    select i.confidential = 0 and p.visibility = 20
    from issues i
    cross join projects p on p.id = i.project_id
    where i.id = n.reference_issue_id and i.deleted_at is null and p.deleted_at is null and p.issues_enabled
  ) as public_reference
from notes n;

-- Who sees the reference of a comment. It names a commit of another project, with an at sign, only to those who may
-- read its commits.
create view reference_viewers as
select
  n.id as note_id, v.user_id,
  v.sees
    and (
      n.reference_issue_id is null
        or exists (select 1 from issue_audience a where a.issue_id = n.reference_issue_id and a.user_id = v.user_id)
    )
    and (
      instr(n.reference, '@') = 0
        or v.access >= 20
        or v.visibility > 0
    ) as sees
from notes n
cross join project_viewers v on v.project_id = n.reference_project_id;

create view note_lengths as
select id, octet_length(body) as bytes, 500 + octet_length(json_quote(body)) as answered
from notes;

-- An event in answers. label and milestone are null if they were deleted.
create view resource_event_rows as
select
  e.id, e.issue_id, e.action, e.state, e.source_sha, e.created_at,
  (
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = e.user_id
  ) as user,
  (
    select json_object(
      'id', l.id, 'project_id', l.project_id, 'title', l.title, 'color', l.color, 'description', l.description,
      'opened', 0, 'closed', 0, 'opened_hidden', 0, 'closed_hidden', 0
    )
    from label_rows l
    where l.id = e.label_id and e.label_made_at = (select b.created_at from labels b where b.id = l.id)
  ) as label,
  (
    select json_object(
      'id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
      'state', m.state, 'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date,
      'start_date', m.start_date
    )
    from milestone_rows m
    where m.id = e.milestone_id
  ) as milestone
from resource_events e;

-- A label is answered as text and as HTML, where a letter takes at most six.
create view resource_event_lengths as
select
  e.id,
  coalesce((select m.bytes from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce((select octet_length(l.description) from labels l where l.id = e.label_id), 0) as bytes,
  1000 + (select u.answered from user_lengths u where u.id = e.user_id)
    + coalesce((select m.answered from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce(
      (
        select octet_length(json_quote(l.title)) + 7 * octet_length(json_quote(l.description))
        from labels l
        where l.id = e.label_id
      ),
      0
    ) as answered
from resource_events e;
