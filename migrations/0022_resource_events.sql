-- What happened to the labels, the milestone and the state of an issue, for v4. The comments of the service that say the same have has_event:
-- v4 leaves them out of the comments, v3 has no events.
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
create trigger resource_events_stored after insert on resource_events BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger resource_events_unstored after delete on resource_events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

alter table notes add column has_event integer not null default 0;
-- with has_event, because the text of a comment stands before it in the row
drop index notes_of_issue;
create index notes_of_issue on notes (issue_id, id, has_event);
-- how many comments of the service have an event
alter table issues add column event_notes_count integer not null default 0;
drop trigger notes_count_system;
create trigger notes_count_system after insert on notes when new.system BEGIN
  update issues set system_notes_count = system_notes_count + 1, event_notes_count = event_notes_count + new.has_event where id = new.issue_id;
END;

create view resource_event_rows as
select e.id, e.issue_id, e.action, e.state, e.source_sha, e.created_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = e.user_id) as user,
  (select json_object('id', l.id, 'project_id', l.project_id, 'title', l.title, 'color', l.color, 'description', l.description, 'opened', 0, 'closed', 0,
    'opened_hidden', 0, 'closed_hidden', 0) from label_rows l
    where l.id = e.label_id and e.label_made_at = (select b.created_at from labels b where b.id = l.id)) as label,
  (select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description, 'state', m.state,
    'created_at', m.created_at, 'updated_at', m.updated_at, 'due_date', m.due_date, 'start_date', m.start_date)
    from milestone_rows m where m.id = e.milestone_id) as milestone
from resource_events e;
-- As in 0018. A label is answered as text and as HTML, where a letter takes six at most.
create view resource_event_lengths as
select e.id, coalesce((select m.bytes from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce((select octet_length(l.description) from labels l where l.id = e.label_id), 0) as bytes,
  1000 + (select u.answered from user_lengths u where u.id = e.user_id)
    + coalesce((select m.answered from milestone_lengths m where m.id = e.milestone_id), 0)
    + coalesce((select octet_length(json_quote(l.title)) + 7 * octet_length(json_quote(l.description)) from labels l where l.id = e.label_id), 0) as answered
from resource_events e;
