-- One row for each project: the last issue number given out, and the number of issues in each state.
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
  -- how many issues bear the label, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  unique (project_id, title)
) strict;

create table milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, less than 0: the milestone is deleted. Its row stays, so that the number is not given out again
  iid integer not null,
  title text not null,
  description text,
  state text not null default 'active' check (state in ('active', 'closed')),
  -- YYYY-MM-DD
  start_date text,
  -- YYYY-MM-DD
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  -- how many issues the milestone holds, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  unique (project_id, iid),
  unique (project_id, title)
) strict;
create index milestones_by_state on milestones (project_id, state, iid);
-- finds the next milestone that is due
create index milestones_by_due_date on milestones (project_id, due_date, id) where state = 'active' and due_date is not null;

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
  -- when and by whom the issue was closed, null: it is open, or nobody knows
  closed_at integer,
  closed_by_id integer references users (id),
  -- the issue that it became in another project
  moved_to_id integer references issues (id),
  -- soft deletion: from then on no read shows the issue
  deleted_at integer,
  -- where it stands in lists: 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential, 4 deleted
  section integer as (iif(deleted_at is null, 2 * confidential + (state = 'closed'), 4)) virtual
) strict;
create unique index issues_number on issues (project_id, iid);
-- Lists of issues merge ranges of these indexes. A range has one section of a project, of an author or assignee in a project, or of a
-- milestone, in the order of the list.
create index issues_by_creation on issues (project_id, section, created_at, id);
create index issues_by_update on issues (project_id, section, updated_at, id);
create index issues_of_author on issues (author_id, project_id, section, created_at, id);
create index issues_of_assignee on issues (assignee_id, project_id, section, created_at, id) where assignee_id is not null;
create index issues_of_milestone on issues (milestone_id, section, created_at, id) where milestone_id is not null;
-- SQLite looks up this foreign key when an issue is deleted
create index issues_moved_to on issues (moved_to_id) where moved_to_id is not null;

-- The labels of issues. An insert copies section and created_at of the issue, and a trigger updates the section.
create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  section integer not null,
  created_at integer not null,
  primary key (issue_id, label_id)
) strict, without rowid;
create index issue_labels_of_label on issue_labels (label_id, section, created_at, issue_id);
create trigger issue_labels_follow after update of state, confidential, deleted_at on issues when old.section <> new.section BEGIN
  update issue_labels set section = new.section where issue_id = new.id;
END;

-- The counters of labels.
create trigger issue_labels_added after insert on issue_labels BEGIN
  update labels set opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.label_id;
END;
create trigger issue_labels_removed after delete on issue_labels BEGIN
  update labels set opened = opened - (old.section = 0), closed = closed - (old.section = 1),
    opened_hidden = opened_hidden - (old.section = 2), closed_hidden = closed_hidden - (old.section = 3)
  where id = old.label_id;
END;
create trigger issue_labels_moved after update on issue_labels BEGIN
  update labels set opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where id = new.label_id;
END;

-- The counters of projects and milestones.
create trigger issues_count_created after insert on issues when new.section < 4 BEGIN
  update issue_counts set last_iid = max(last_iid, new.iid),
    opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_changed after update of state, confidential, deleted_at on issues when old.section <> new.section BEGIN
  update issue_counts set opened = opened + (new.section = 0) - (old.section = 0), closed = closed + (new.section = 1) - (old.section = 1),
    opened_hidden = opened_hidden + (new.section = 2) - (old.section = 2),
    closed_hidden = closed_hidden + (new.section = 3) - (old.section = 3)
  where project_id = new.project_id;
END;
create trigger issues_count_planned after insert on issues when new.section < 4 and new.milestone_id is not null BEGIN
  update milestones set opened = opened + (new.section = 0), closed = closed + (new.section = 1),
    opened_hidden = opened_hidden + (new.section = 2), closed_hidden = closed_hidden + (new.section = 3)
  where id = new.milestone_id;
END;
create trigger issues_count_replanned after update of state, confidential, deleted_at, milestone_id on issues
when old.section <> new.section or old.milestone_id is not new.milestone_id BEGIN
  update milestones set opened = opened + (id is new.milestone_id and new.section = 0) - (id is old.milestone_id and old.section = 0),
    closed = closed + (id is new.milestone_id and new.section = 1) - (id is old.milestone_id and old.section = 1),
    opened_hidden = opened_hidden + (id is new.milestone_id and new.section = 2) - (id is old.milestone_id and old.section = 2),
    closed_hidden = closed_hidden + (id is new.milestone_id and new.section = 3) - (id is old.milestone_id and old.section = 3)
  where id in (old.milestone_id, new.milestone_id);
END;

-- The choices of users: 1 subscribed, 0 not subscribed. Without a row a participant is subscribed.
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
  -- 1: the service wrote it about a change
  system integer not null default 0 check (system in (0, 1)),
  -- the issue in another project that a move left or made, added to the body for those who see that project
  reference text,
  reference_project_id integer references projects (id),
  created_at integer not null,
  updated_at integer not null
) strict;
create index notes_of_issue on notes (issue_id, id);
create trigger notes_count_added after insert on notes when not new.system BEGIN
  update issues set user_notes_count = user_notes_count + 1 where id = new.issue_id;
END;
create trigger notes_count_system after insert on notes when new.system BEGIN
  update issues set system_notes_count = system_notes_count + 1 where id = new.issue_id;
END;
-- skips deleted issues, whose counters stay 0, and system comments, which are deleted only with their issue
create trigger notes_count_removed after delete on notes
when not old.system and (select i.deleted_at is null from issues i where i.id = old.issue_id) BEGIN
  update issues set user_notes_count = user_notes_count - 1 where id = old.issue_id;
END;

-- The participants of an issue besides author and assignee: users who commented or were mentioned.
create table participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  -- the comment that shows it, 0: the title or description of the issue
  note_id integer not null,
  primary key (issue_id, user_id, note_id)
) strict, without rowid;

create table todos (
  id integer primary key,
  -- the owner of the to-do item
  user_id integer not null references users (id),
  -- who caused it
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  -- the comment that it stems from
  note_id integer references notes (id),
  action text not null check (action in ('assigned', 'mentioned', 'build_failed', 'marked')),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null
) strict;
-- A list merges one range for each action in the order of the ids. Each filter of the list has an index.
create index todos_by_action on todos (user_id, state, action);
create index todos_by_author on todos (user_id, state, author_id, action);
create index todos_by_project on todos (user_id, state, project_id, action);
create index todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
-- the to-do items of a deleted comment, and of an issue
create index todos_of_note on todos (note_id) where note_id is not null;
create index todos_of_issue on todos (issue_id, user_id, state);
