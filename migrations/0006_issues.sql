-- Issues, their labels, people and links.

-- One row for each project: the last issue number given out, and the number of issues in each state.
create table issue_counts (
  project_id integer primary key references projects (id),
  last_iid integer not null default 0,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0
) strict;

create table issues (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- number within the project, never given out twice
  iid integer not null,
  author_id integer not null references users (id),
  assignee_id integer references users (id),
  milestone_id integer references milestones (id),
  title text not null,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  confidential integer not null default 0 check (confidential in (0, 1)),
  -- 1: only members may comment, null: never set
  discussion_locked integer check (discussion_locked in (0, 1)),
  -- YYYY-MM-DD
  due_date text,
  -- comments that are not system comments
  user_notes_count integer not null default 0,
  -- system comments
  system_notes_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  -- when the issue was closed, and by which user, null: it is open, or that is not known
  closed_at integer,
  closed_by_id integer references users (id),
  -- the issue that it became in another project
  moved_to_id integer references issues (id),
  -- soft deletion: from then on no read shows the issue, and its texts are gone
  deleted_at integer,
  -- where it stands in lists: 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential, 4 deleted
  section integer as (iif(deleted_at is null, 2 * confidential + (state = 'closed'), 4)) virtual,
  -- system comments whose change is in resource_events, too
  event_notes_count integer not null default 0,
  quota_bytes integer as (300 + octet_length(title) + coalesce(octet_length(description), 0)) virtual,
  -- emoji of the issue and its comments
  awards_count integer not null default 0,
  -- thumbs of the issue itself
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  -- seconds
  time_estimate integer not null default 0 check (time_estimate >= 0),
  -- seconds
  time_spent integer not null default 0 check (time_spent >= 0),
  description text
) strict;
create unique index issues_number on issues (project_id, iid);
-- Lists of issues merge ranges of these indexes. A range has one section of a project, of an author or assignee in a
-- project, or of a milestone, in the order of the list.
create index issues_by_creation on issues (project_id, section, created_at, id);
create index issues_by_update on issues (project_id, section, updated_at, id);
create index issues_of_author on issues (author_id, project_id, section, created_at, id);
create index issues_of_assignee on issues (assignee_id, project_id, section, created_at, id)
  where assignee_id is not null;
create index issues_of_milestone on issues (milestone_id, section, created_at, id) where milestone_id is not null;
-- SQLite looks up this foreign key when an issue is deleted
create index issues_moved_to on issues (moved_to_id) where moved_to_id is not null;
-- What lists compare, and how long the description is in an answer, which takes all of it to compute.
create index issues_narrow on issues (
  id, project_id, iid, author_id, assignee_id, milestone_id, due_date, created_at, updated_at, closed_by_id, section,
  octet_length(json_quote(description))
);

create trigger issue_labels_follow after update of state, confidential, deleted_at on issues
when old.section <> new.section BEGIN
  update issue_labels set section = new.section where issue_id = new.id;
END;
-- The counters of projects and milestones.
create trigger issues_count_created after insert on issues when new.section < 4 BEGIN
  update issue_counts
  set
    last_iid = max(last_iid, new.iid), opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_changed after update of state, confidential, deleted_at on issues
when old.section <> new.section BEGIN
  update issue_counts
  set
    opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_planned after insert on issues
when new.section < 4 and new.milestone_id is not null BEGIN
  update milestones
  set
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.milestone_id;
END;
create trigger issues_count_replanned after update of state, confidential, deleted_at, milestone_id on issues
when old.section <> new.section or old.milestone_id is not new.milestone_id BEGIN
  update milestones
  set
    opened = opened + (id is new.milestone_id and new.section = 0) - (id is old.milestone_id and old.section = 0),
    closed = closed + (id is new.milestone_id and new.section = 1) - (id is old.milestone_id and old.section = 1),
    opened_hidden = opened_hidden + (id is new.milestone_id and new.section = 2)
      - (id is old.milestone_id and old.section = 2),
    closed_hidden = closed_hidden + (id is new.milestone_id and new.section = 3)
      - (id is old.milestone_id and old.section = 3)
  where id in (old.milestone_id, new.milestone_id);
END;
create trigger issues_restored after update of title, description on issues
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger issues_unstored after delete on issues BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;
-- The issue counts with the 150 bytes of its event, if there is one.
create trigger issues_stored after insert on issues BEGIN
  update storage
  set bytes = bytes + new.quota_bytes + iif(exists (select 1 from request_marks where silent), 0, 150)
  where project_id = new.project_id;
  insert into events (project_id, author_id, kind, action, target_id, created_at)
  values (
    new.project_id,
    coalesce((select copier_id from request_marks where id = 2), new.author_id),
    'issue', 'created', new.id, new.updated_at
  );
END;

-- The labels of issues. An insert copies section and created_at of the issue, and a trigger updates the section.
create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  section integer not null,
  created_at integer not null,
  primary key (issue_id, label_id)
) strict, without rowid;
create index issue_labels_of_label on issue_labels (label_id, section, created_at, issue_id);

-- The counters of labels.
create trigger issue_labels_added after insert on issue_labels BEGIN
  update labels
  set
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.label_id;
END;
create trigger issue_labels_removed after delete on issue_labels BEGIN
  update labels
  set
    opened = opened - (old.section = 0), closed = closed - (old.section = 1),
    opened_hidden = opened_hidden - (old.section = 2), closed_hidden = closed_hidden - (old.section = 3)
  where id = old.label_id;
END;
create trigger issue_labels_moved after update on issue_labels BEGIN
  update labels
  set
    opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where id = new.label_id;
END;
-- Each label of an issue counts 40 bytes.
create trigger issue_labels_stored after insert on issue_labels BEGIN
  update storage
  set bytes = bytes + 40
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger issue_labels_unstored after delete on issue_labels BEGIN
  update storage
  set bytes = bytes - 40
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

-- The choices of users: 1 subscribed, 0 not subscribed. Without a row a participant is subscribed.
create table subscriptions (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  subscribed integer not null check (subscribed in (0, 1)),
  primary key (issue_id, user_id)
) strict, without rowid;

-- The participants of an issue besides author and assignee: users who commented or were mentioned.
create table participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  -- the comment that shows it, 0: the title or description of the issue
  note_id integer not null,
  quota_bytes integer as (40) virtual,
  primary key (issue_id, user_id, note_id)
) strict, without rowid;

create trigger participants_stored after insert on participants BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = new.issue_id);
END;
create trigger participants_unstored after delete on participants BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select i.project_id from issues i where i.id = old.issue_id);
END;

-- Links between two issues, also of different projects. A pair is linked once, either way round.
create table issue_links (
  id integer primary key autoincrement,
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
