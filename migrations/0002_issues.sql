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
  -- whether it bears no label, kept by the triggers below
  unlabeled integer not null default 1 check (unlabeled in (0, 1)),
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
-- the foreign keys, each looked for when what it names is deleted
create index issues_of_milestone on issues (milestone_id) where milestone_id is not null;

-- How many issues a user wrote in a project, by state: the total of the issues created by the caller, without a count.
create table issue_authors (
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  opened integer not null default 0,
  closed integer not null default 0,
  primary key (author_id, project_id)
) strict, without rowid;

-- Which issue bears which label.
create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  primary key (issue_id, label_id)
) strict, without rowid;
create index issue_labels_of_label on issue_labels (label_id, issue_id);

-- Which issues a list holds, in its orders: every list of issues is one range of this table for each way to be in it, and
-- a page is read from where it begins. An issue stands in the lists of its project and of its author, once under whether
-- it bears a label and once under each label that it bears, each of these once under whether it has a milestone and once
-- under the milestone, and in the list of its projects namespace under the first of both. Each of these twice, by
-- creation and by update. A confidential issue stands under the viewer -1, and again under its author and its assignee.
create table issue_postings (
  -- whose list: 0 of a project, 1 of a namespace, 2 of an author
  kind integer not null check (kind in (0, 1, 2)),
  -- the id of that project, namespace or author
  owner_id integer not null,
  -- a label, or 0: without labels, -1: with some
  label_id integer not null,
  -- a milestone, or 0: without, -1: with one
  milestone_id integer not null,
  -- who sees it: 0 whoever sees the project, -1 those who read hidden issues, else this user
  viewer_id integer not null,
  closed integer not null check (closed in (0, 1)),
  -- what the list is ordered by: 0 creation, 1 update
  updated integer not null check (updated in (0, 1)),
  -- that time of the issue
  at integer not null,
  issue_id integer not null,
  project_id integer not null,
  primary key (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id)
) strict, without rowid;

-- The postings that an issue has to have, but for those under its labels.
create view issue_places as
select i.id as issue_id, i.project_id, k.kind,
  iif(k.kind = 0, i.project_id, iif(k.kind = 2, i.author_id, (select p.namespace_id from projects p where p.id = i.project_id)))
    as owner_id,
  i.unlabeled - 1 as label_id, iif(m.named, i.milestone_id, -(i.milestone_id is not null)) as milestone_id,
  iif(k.viewer = 1, i.author_id, iif(k.viewer = 2, i.assignee_id, iif(k.kind = 2, 0, -i.confidential))) as viewer_id,
  i.state = 'closed' as closed, o.updated, iif(o.updated, i.updated_at, i.created_at) as at
from issues i
cross join (select column1 as kind, column2 as viewer
  from (values (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0))) k
cross join (select 0 as named union all select 1) m
cross join (select 0 as updated union all select 1) o
where i.deleted_at is null and (not m.named or (i.milestone_id is not null and k.kind <> 1))
  and (k.viewer = 0 or (i.confidential and (k.viewer = 1 or i.assignee_id <> i.author_id)));

-- All postings that an issue has to have.
create view issue_entries as
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_places
union all
select p.kind, p.owner_id, l.label_id, p.milestone_id, p.viewer_id, p.closed, p.updated, p.at, p.issue_id, p.project_id
from issue_labels l cross join issue_places p on p.issue_id = l.issue_id where p.kind <> 1;

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
  update labels set
    opened = opened + (new.deleted_at is null and new.state = 'opened' and not new.confidential)
      - (old.deleted_at is null and old.state = 'opened' and not old.confidential),
    closed = closed + (new.deleted_at is null and new.state = 'closed' and not new.confidential)
      - (old.deleted_at is null and old.state = 'closed' and not old.confidential),
    opened_hidden = opened_hidden + (new.deleted_at is null and new.state = 'opened' and new.confidential)
      - (old.deleted_at is null and old.state = 'opened' and old.confidential),
    closed_hidden = closed_hidden + (new.deleted_at is null and new.state = 'closed' and new.confidential)
      - (old.deleted_at is null and old.state = 'closed' and old.confidential)
  where id in (select label_id from issue_labels where issue_id = new.id);
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
create trigger issue_labels_added after insert on issue_labels BEGIN
  update labels set
    opened = opened + (i.state = 'opened' and not i.confidential),
    closed = closed + (i.state = 'closed' and not i.confidential),
    opened_hidden = opened_hidden + (i.state = 'opened' and i.confidential),
    closed_hidden = closed_hidden + (i.state = 'closed' and i.confidential)
  from issues i where i.id = new.issue_id and i.deleted_at is null and labels.id = new.label_id;
  update issues set unlabeled = 0 where id = new.issue_id and unlabeled;
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, new.label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_places where issue_id = new.issue_id and kind <> 1;
END;
create trigger issue_labels_removed after delete on issue_labels BEGIN
  update labels set
    opened = opened - (i.state = 'opened' and not i.confidential),
    closed = closed - (i.state = 'closed' and not i.confidential),
    opened_hidden = opened_hidden - (i.state = 'opened' and i.confidential),
    closed_hidden = closed_hidden - (i.state = 'closed' and i.confidential)
  from issues i where i.id = old.issue_id and i.deleted_at is null and labels.id = old.label_id;
  delete from issue_postings
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, old.label_id, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_places where issue_id = old.issue_id and kind <> 1);
  update issues set unlabeled = 1 where id = old.issue_id and not unlabeled and deleted_at is null
    and not exists (select 1 from issue_labels where issue_id = old.issue_id);
END;

-- The postings, kept likewise. What changes what an issue stands under takes all its postings off before and puts them on
-- after, what changes only its state or its update moves them.
create trigger issue_postings_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_places where issue_id = new.id;
END;
create trigger issue_postings_labeled after update of unlabeled on issues
when old.unlabeled <> new.unlabeled and new.deleted_at is null BEGIN
  update issue_postings set label_id = new.unlabeled - 1
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, old.unlabeled - 1, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_places where issue_id = new.id);
END;
create trigger issue_postings_moved after update of state, updated_at on issues
when (old.state <> new.state or old.updated_at <> new.updated_at) and old.deleted_at is null and new.deleted_at is null
  and old.milestone_id is new.milestone_id and old.confidential = new.confidential
  and (old.assignee_id is new.assignee_id or not new.confidential) BEGIN
  update issue_postings set closed = (new.state = 'closed'), at = iif(updated, new.updated_at, at)
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, old.state = 'closed', updated,
      iif(updated, old.updated_at, at), issue_id
    from issue_entries where issue_id = new.id and (updated or old.state <> new.state));
END;
create trigger issue_postings_left before update of milestone_id, confidential, assignee_id, deleted_at on issues
when old.milestone_id is not new.milestone_id or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null)
BEGIN
  delete from issue_postings
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_entries where issue_id = old.id);
END;
create trigger issue_postings_entered after update of milestone_id, confidential, assignee_id, deleted_at on issues
when old.milestone_id is not new.milestone_id or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null)
BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_entries where issue_id = new.id;
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
