-- Emoji of issues, links to other issues, times, and who follows a label.

-- Users and projects keep their rows forever, so the columns user_id and project_id below need no check with an index of its own.

-- Emoji on issues and comments.
create table awards (
  id integer primary key,
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
  update storage set bytes = bytes + new.quota_bytes where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger awards_unstored after delete on awards BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

-- how many emoji an issue and its comments have, and how many thumbs the issue
alter table issues add column awards_count integer not null default 0;
alter table issues add column upvotes integer not null default 0;
alter table issues add column downvotes integer not null default 0;
create trigger awards_counted after insert on awards BEGIN
  update issues set awards_count = awards_count + 1, upvotes = upvotes + (new.note_id = 0 and new.name = 'thumbsup'),
    downvotes = downvotes + (new.note_id = 0 and new.name = 'thumbsdown') where id = new.issue_id;
END;
create trigger awards_uncounted after delete on awards BEGIN
  update issues set awards_count = awards_count - 1, upvotes = upvotes - (old.note_id = 0 and old.name = 'thumbsup'),
    downvotes = downvotes - (old.note_id = 0 and old.name = 'thumbsdown') where id = old.issue_id;
END;

-- Links between two issues, also of different projects. A pair is linked once, either way round.
create table issue_links (
  id integer primary key,
  source_id integer not null references issues (id),
  target_id integer not null references issues (id),
  -- blocks: the source blocks the target
  link_type text not null check (link_type in ('relates_to', 'blocks')),
  created_at integer not null,
  -- of the source, whose bytes the link counts in
  project_id integer not null,
  quota_bytes integer as (100) virtual,
  check (source_id <> target_id)
) strict;
create unique index issue_links_of_source on issue_links (source_id, target_id);
create index issue_links_of_target on issue_links (target_id, source_id);
create index issue_links_that_block on issue_links (source_id, target_id) where link_type = 'blocks';
create trigger issue_links_stored after insert on issue_links BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger issue_links_unstored after delete on issue_links BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Seconds.
alter table issues add column time_estimate integer not null default 0 check (time_estimate >= 0);
alter table issues add column time_spent integer not null default 0 check (time_spent >= 0);

-- Who follows a label.
create table label_subscriptions (
  label_id integer not null references labels (id),
  user_id integer not null,
  primary key (label_id, user_id)
) without rowid, strict;

-- the issue that a comment of the service refers to, if not only its project decides who reads the reference
alter table notes add column reference_issue_id integer;

-- The users who see an issue.
create view issue_audience as
select issue_id, user_id from issue_readers where not is_restricted or access >= 20;

-- The open issues that an issue blocks. is_public: anybody sees it.
create view open_blocks as
select k.source_id as issue_id, i.id as blocked_id, i.confidential = 0 and p.visibility = 20 as is_public
from issue_links k cross join issues i on i.id = k.target_id and i.state = 'opened' and i.deleted_at is null
cross join projects p on p.id = i.project_id and p.deleted_at is null and p.issues_enabled
where k.link_type = 'blocks';
-- How many of them a user sees.
create view issue_blocking as
select i.id as issue_id, u.id as user_id, (select count(*) from open_blocks b cross join issue_audience v
  on v.issue_id = b.blocked_id and v.user_id = u.id where b.issue_id = i.id) as blocking
from issues i cross join users u;

-- public_reference: anybody sees the issue that the comment refers to. reference_viewers: who else sees what it refers to.
drop view note_rows;
create view note_rows as
select n.id, n.project_id, n.issue_id, n.body, n.system, n.reference, n.reference_project_id, n.reference_issue_id, n.created_at, n.updated_at,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = n.author_id) as author,
  (select i.confidential = 0 and p.visibility = 20 from issues i cross join projects p on p.id = i.project_id
    where i.id = n.reference_issue_id and i.deleted_at is null and p.deleted_at is null and p.issues_enabled) as public_reference
from notes n;
create view reference_viewers as
select n.id as note_id, v.user_id, v.sees and (n.reference_issue_id is null
  or exists (select 1 from issue_audience a where a.issue_id = n.reference_issue_id and a.user_id = v.user_id)) as sees
from notes n cross join project_viewers v on v.project_id = n.reference_project_id;

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
    and n.confidential = 0 and q.deleted_at is null and q.issues_enabled and q.visibility = 20) as public_successor_id,
  i.upvotes, i.downvotes, i.time_estimate, i.time_spent,
  (select count(*) from open_blocks b where b.issue_id = i.id and b.is_public) as public_blocking
from issues i where i.deleted_at is null;

drop view issue_records;
create view issue_records as
select r.id as issue_id, u.id as user_id, json_object('id', r.id, 'iid', r.iid, 'project_id', r.project_id, 'full_path', r.full_path,
  'title', r.title, 'description', r.description, 'state', r.state, 'created_at', r.created_at, 'updated_at', r.updated_at,
  'labels', json(r.labels), 'milestone', json(r.milestone), 'people', json(r.people), 'author_id', r.author_id,
  'assignee_id', r.assignee_id, 'subscribed', (
    select s.subscribed from issue_subscribers s where s.issue_id = r.id and s.user_id = u.id),
  'user_notes_count', r.user_notes_count, 'due_date', r.due_date, 'confidential', r.confidential, 'closed_at', r.closed_at,
  'closed_by_id', r.closed_by_id, 'discussion_locked', r.discussion_locked, 'moved_to_id', (
    select s.moved_to_id from issue_successors s where s.issue_id = r.id and s.user_id = u.id),
  'upvotes', r.upvotes, 'downvotes', r.downvotes, 'time_estimate', r.time_estimate, 'time_spent', r.time_spent,
  'blocking', (select b.blocking from issue_blocking b where b.issue_id = r.id and b.user_id = u.id)) as row
from issue_rows r cross join users u;
