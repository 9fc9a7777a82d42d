-- Issues and what they refer to.

-- Per project: the last number given out, and how many issues are in each state. One row, so that the creation of an issue
-- writes one counter. The hidden ones count confidential issues, so that no total tells of them.
create table issue_counts (
  project_id integer primary key references projects (id),
  last_iid integer not null default 0,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0
) strict;

create table labels (
  id integer primary key,
  project_id integer not null references projects (id),
  title text not null,
  -- #RRGGBB
  color text not null,
  description text,
  created_at integer not null,
  -- how many issues bear it, as in issue_counts
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  unique (project_id, title)
) strict;

create table milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  title text not null,
  description text,
  state text not null default 'active' check (state in ('active', 'closed')),
  -- YYYY-MM-DD
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  -- how many issues it holds, as in issue_counts
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  unique (project_id, iid),
  unique (project_id, title)
) strict;
create index milestones_by_state on milestones (project_id, state, iid);

create table issues (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, never given out twice
  iid integer not null,
  author_id integer not null references users (id),
  assignee_id integer references users (id),
  milestone_id integer references milestones (id),
  title text not null,
  description text,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  confidential integer not null default 0 check (confidential in (0, 1)),
  -- YYYY-MM-DD
  due_date text,
  -- comments that are not system comments
  user_notes_count integer not null default 0,
  -- and those that are
  system_notes_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  -- the issue that it became in another project
  moved_to_id integer references issues (id),
  -- soft deletion: from then on no read shows it
  deleted_at integer
) strict;
create unique index issues_number on issues (project_id, iid);
-- the lists of a project, in either order, one range for each state and confidentiality
create index issues_by_creation on issues (project_id, confidential, state, created_at, id) where deleted_at is null;
create index issues_by_update on issues (project_id, confidential, state, updated_at, id) where deleted_at is null;
-- the issues a user wrote
create index issues_of_author_by_creation on issues (author_id, state, created_at, id) where deleted_at is null;
create index issues_of_author_by_update on issues (author_id, state, updated_at, id) where deleted_at is null;
-- the issues of a milestone
create index issues_of_milestone on issues (milestone_id, confidential, state, created_at, id)
  where deleted_at is null and milestone_id is not null;
-- the confidential issues that a caller below reporter may see
create index issues_hidden_of_author on issues (project_id, author_id, state, created_at, id)
  where confidential = 1 and deleted_at is null;
create index issues_hidden_of_assignee on issues (project_id, assignee_id, state, created_at, id)
  where confidential = 1 and deleted_at is null and assignee_id is not null;

-- How many issues a user wrote in a project, by state: the total of the issues created by the caller, without a count.
create table issue_authors (
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  opened integer not null default 0,
  closed integer not null default 0,
  primary key (author_id, project_id)
) strict, without rowid;

-- Which issue bears which label. State, confidentiality and creation time of the issue are repeated (kept by the
-- triggers below), so that the issues of a label are one range in list order.
create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  state text not null,
  confidential integer not null,
  created_at integer not null,
  primary key (issue_id, label_id)
) strict, without rowid;
create index issue_labels_by_creation on issue_labels (label_id, confidential, state, created_at, issue_id);

-- What a user said himself: 1 subscribed, 0 not. Without a row, participants are subscribed.
create table subscriptions (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  subscribed integer not null check (subscribed in (0, 1)),
  primary key (issue_id, user_id)
) strict, without rowid;

create table notes (
  id integer primary key,
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  author_id integer not null references users (id),
  body text not null,
  -- written by the service about a change
  system integer not null default 0 check (system in (0, 1)),
  -- the issue elsewhere that a move left or made, as written behind the body for those who see its project
  reference text,
  reference_project_id integer references projects (id),
  created_at integer not null,
  updated_at integer not null
) strict;
create index notes_of_issue on notes (issue_id, id);

-- Deleted issues, which no read shows, whose comments and to-do items are still being removed, a portion at each deletion.
create table issue_remains (
  issue_id integer primary key references issues (id)
) strict;

-- Who takes part in an issue beside its author and assignee: commenters and the @-mentioned.
create table participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  -- the comment that says so, 0: the title or description of the issue itself
  note_id integer not null,
  primary key (issue_id, user_id, note_id)
) strict, without rowid;

create table todos (
  id integer primary key,
  -- whose todo
  user_id integer not null references users (id),
  -- who caused it
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  -- the comment it stems from
  note_id integer references notes (id),
  action text not null check (action in ('assigned', 'mentioned', 'build_failed', 'marked')),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null
) strict;
create index todos_of_user on todos (user_id, state, id);
-- deleting a comment looks for the to-do items that stem from it
create index todos_of_note on todos (note_id) where note_id is not null;
create index todos_of_issue on todos (issue_id, user_id, state);

-- The counters, kept inside whatever transaction changes an issue. An issue counts while it is not deleted.
create trigger issues_count_created after insert on issues when new.deleted_at is null BEGIN
  update issue_counts set
    last_iid = max(last_iid, new.iid),
    opened = opened + (new.state = 'opened' and not new.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
  where project_id = new.project_id;
END;
create trigger issues_count_created_milestone after insert on issues
when new.deleted_at is null and new.milestone_id is not null BEGIN
  update milestones set
    opened = opened + (new.state = 'opened' and not new.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
  where id = new.milestone_id;
END;
create trigger issues_count_changed after update of state, confidential, deleted_at on issues
when old.state <> new.state or old.confidential <> new.confidential or (old.deleted_at is null) <> (new.deleted_at is null)
BEGIN
  update issue_counts set
    opened = opened + (new.deleted_at is null and new.state = 'opened' and not new.confidential)
      - (old.deleted_at is null and old.state = 'opened' and not old.confidential),
    closed = closed + (new.deleted_at is null and new.state = 'closed' and not new.confidential)
      - (old.deleted_at is null and old.state = 'closed' and not old.confidential),
    opened_hidden = opened_hidden + (new.deleted_at is null and new.state = 'opened' and new.confidential)
      - (old.deleted_at is null and old.state = 'opened' and old.confidential),
    closed_hidden = closed_hidden + (new.deleted_at is null and new.state = 'closed' and new.confidential)
      - (old.deleted_at is null and old.state = 'closed' and old.confidential)
  where project_id = new.project_id;
  -- a deleted issue bears no labels: the statement that deletes it removes them first
  update issue_labels set state = new.state, confidential = new.confidential where issue_id = new.id;
END;
create trigger issues_count_changed_milestone
after update of state, confidential, deleted_at, milestone_id on issues
when (old.milestone_id is not null or new.milestone_id is not null) and (old.milestone_id is not new.milestone_id
  or old.state <> new.state or old.confidential <> new.confidential or (old.deleted_at is null) <> (new.deleted_at is null))
BEGIN
  update milestones set
    opened = opened + (id is new.milestone_id and new.deleted_at is null and new.state = 'opened' and not new.confidential)
      - (id is old.milestone_id and old.deleted_at is null and old.state = 'opened' and not old.confidential),
    closed = closed + (id is new.milestone_id and new.deleted_at is null and new.state = 'closed' and not new.confidential)
      - (id is old.milestone_id and old.deleted_at is null and old.state = 'closed' and not old.confidential),
    opened_hidden = opened_hidden
      + (id is new.milestone_id and new.deleted_at is null and new.state = 'opened' and new.confidential)
      - (id is old.milestone_id and old.deleted_at is null and old.state = 'opened' and old.confidential),
    closed_hidden = closed_hidden
      + (id is new.milestone_id and new.deleted_at is null and new.state = 'closed' and new.confidential)
      - (id is old.milestone_id and old.deleted_at is null and old.state = 'closed' and old.confidential)
  where id in (old.milestone_id, new.milestone_id);
END;
create trigger issue_labels_count_added after insert on issue_labels BEGIN
  update labels set
    opened = opened + (new.state = 'opened' and not new.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
  where id = new.label_id;
END;
create trigger issue_labels_count_removed after delete on issue_labels BEGIN
  update labels set
    opened = opened - (old.state = 'opened' and not old.confidential),
    closed = closed - (old.state = 'closed' and not old.confidential),
    opened_hidden = opened_hidden - (old.state = 'opened' and old.confidential),
    closed_hidden = closed_hidden - (old.state = 'closed' and old.confidential)
  where id = old.label_id;
END;
create trigger issue_labels_count_changed after update of state, confidential on issue_labels BEGIN
  update labels set
    opened = opened + (new.state = 'opened' and not new.confidential) - (old.state = 'opened' and not old.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential) - (old.state = 'closed' and not old.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential)
      - (old.state = 'opened' and old.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
      - (old.state = 'closed' and old.confidential)
  where id = new.label_id;
END;
create trigger notes_count_added after insert on notes when not new.system BEGIN
  update issues set user_notes_count = user_notes_count + 1 where id = new.issue_id;
END;
create trigger notes_count_system after insert on notes when new.system BEGIN
  update issues set system_notes_count = system_notes_count + 1 where id = new.issue_id;
END;
-- of a deleted issue nobody counts them, and only with it do system comments go
create trigger notes_count_removed after delete on notes
when not old.system and (select i.deleted_at is null from issues i where i.id = old.issue_id) BEGIN
  update issues set user_notes_count = user_notes_count - 1 where id = old.issue_id;
END;
create trigger issue_authors_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_authors (author_id, project_id, opened, closed)
  values (new.author_id, new.project_id, new.state = 'opened', new.state = 'closed')
  on conflict do update set opened = opened + excluded.opened, closed = closed + excluded.closed;
END;
create trigger issue_authors_changed after update of state, deleted_at on issues
when old.state <> new.state or (old.deleted_at is null) <> (new.deleted_at is null) BEGIN
  update issue_authors set
    opened = opened + (new.deleted_at is null and new.state = 'opened') - (old.deleted_at is null and old.state = 'opened'),
    closed = closed + (new.deleted_at is null and new.state = 'closed') - (old.deleted_at is null and old.state = 'closed')
  where author_id = new.author_id and project_id = new.project_id;
END;
