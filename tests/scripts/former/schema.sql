-- The schema that the former migrations (0001_people.sql to 0018_lists.sql) ended at, without their comments. It was written by a
-- script from those files, is never changed, and is only here so that tests have a backup of a database like that.
CREATE TABLE namespaces (
  id integer primary key,
  kind text not null check (kind in ('user', 'group')),
  path text not null,
  path_key text not null unique
) strict;
CREATE TABLE users (
  id integer primary key references namespaces (id),
  username text not null unique,
  name text not null,
  email text not null,
  email_key text not null unique,
  state text not null default 'active' check (state in ('active', 'blocked', 'ldap_blocked')),
  admin integer not null default 0 check (admin in (0, 1)),
  external integer not null default 0 check (external in (0, 1)),
  bio text,
  location text,
  skype text not null default '',
  linkedin text not null default '',
  twitter text not null default '',
  website_url text not null default '',
  projects_limit integer,
  projects_count integer not null default 0,
  created_at integer not null
) strict;
CREATE INDEX users_blocked on users (id) where state <> 'active';
CREATE TABLE groups (
  id integer primary key references namespaces (id),
  name text not null,
  path text not null,
  description text not null default '',
  visibility integer not null check (visibility in (0, 10, 20)),
  projects_count integer not null default 0,
  created_at integer not null
) strict;
CREATE INDEX groups_by_visibility on groups (visibility, id);
CREATE TABLE group_members (
  user_id integer not null references users (id),
  group_id integer not null references groups (id),
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, group_id)
) strict, without rowid;
CREATE INDEX group_members_of_group on group_members (group_id, user_id);
CREATE TABLE projects (
  id integer primary key,
  namespace_id integer not null references namespaces (id),
  creator_id integer not null references users (id),
  name text not null,
  path text not null,
  full_path text not null,
  path_key text not null unique,
  full_name text not null,
  description text,
  visibility integer not null check (visibility in (0, 10, 20)),
  issues_enabled integer not null default 1 check (issues_enabled in (0, 1)),
  builds_enabled integer not null default 1 check (builds_enabled in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  default_branch text,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
, purged_at integer) strict;
CREATE INDEX projects_of_namespace on projects (namespace_id, id);
CREATE INDEX projects_of_namespace_by_visibility on projects (namespace_id, visibility) where deleted_at is null;
CREATE INDEX projects_without_issues on projects (namespace_id) where deleted_at is not null or not issues_enabled;
CREATE INDEX projects_by_visibility on projects (visibility, id);
CREATE INDEX projects_by_name on projects (namespace_id, lower(name), id);
CREATE INDEX projects_by_path on projects (namespace_id, lower(path), id);
CREATE INDEX projects_by_update on projects (namespace_id, updated_at, id);
CREATE TRIGGER projects_counted after insert on projects when new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
CREATE TRIGGER projects_uncounted after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null BEGIN
  update groups set projects_count = projects_count - 1 where id = new.namespace_id;
END;
CREATE TRIGGER projects_begin_no_more_visible_than_their_group before insert on projects
when new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
CREATE TRIGGER projects_stay_no_more_visible_than_their_group before update of visibility on projects
when new.visibility > old.visibility
  and new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
CREATE TRIGGER groups_stay_as_visible_as_their_projects before update of visibility on groups
when new.visibility < old.visibility and exists (select 1 from projects p
  where p.namespace_id = new.id and p.visibility > new.visibility and p.deleted_at is null) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
CREATE TABLE project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, project_id)
) strict, without rowid;
CREATE INDEX project_members_of_project on project_members (project_id, user_id);
CREATE TABLE issue_counts (
  project_id integer primary key references projects (id),
  last_iid integer not null default 0,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0
) strict;
CREATE TABLE labels (
  id integer primary key,
  project_id integer not null references projects (id),
  title text not null,
  color text not null,
  description text,
  created_at integer not null,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  unique (project_id, title)
) strict;
CREATE TABLE milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  title text not null,
  description text,
  state text not null default 'active' check (state in ('active', 'closed')),
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0, start_date text,
  unique (project_id, iid),
  unique (project_id, title)
) strict;
CREATE INDEX milestones_by_state on milestones (project_id, state, iid);
CREATE TABLE issues (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  author_id integer not null references users (id),
  assignee_id integer references users (id),
  milestone_id integer references milestones (id),
  title text not null,
  description text,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  confidential integer not null default 0 check (confidential in (0, 1)),
  unlabeled integer not null default 1 check (unlabeled in (0, 1)),
  due_date text,
  user_notes_count integer not null default 0,
  system_notes_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  moved_to_id integer references issues (id),
  deleted_at integer
, closed_at integer, closed_by_id integer references users (id), discussion_locked integer check (discussion_locked in (0, 1)), words text) strict;
CREATE UNIQUE INDEX issues_number on issues (project_id, iid);
CREATE INDEX issues_of_milestone on issues (milestone_id) where milestone_id is not null;
CREATE TABLE issue_authors (
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  opened integer not null default 0,
  closed integer not null default 0,
  primary key (author_id, project_id)
) strict, without rowid;
CREATE TABLE issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  primary key (issue_id, label_id)
) strict, without rowid;
CREATE INDEX issue_labels_of_label on issue_labels (label_id, issue_id);
CREATE TABLE issue_postings (
  kind integer not null check (kind in (0, 1, 2)),
  owner_id integer not null,
  label_id integer not null,
  milestone_id integer not null,
  viewer_id integer not null,
  closed integer not null check (closed in (0, 1)),
  updated integer not null check (updated in (0, 1)),
  at integer not null,
  issue_id integer not null,
  project_id integer not null,
  primary key (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id)
) strict, without rowid;
CREATE VIEW issue_places as
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
CREATE TABLE subscriptions (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  subscribed integer not null check (subscribed in (0, 1)),
  primary key (issue_id, user_id)
) strict, without rowid;
CREATE TABLE notes (
  id integer primary key,
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  author_id integer not null references users (id),
  body text not null,
  system integer not null default 0 check (system in (0, 1)),
  reference text,
  reference_project_id integer references projects (id),
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE INDEX notes_of_issue on notes (issue_id, id);
CREATE TABLE issue_remains (
  issue_id integer primary key references issues (id)
) strict;
CREATE TABLE participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  note_id integer not null,
  primary key (issue_id, user_id, note_id)
) strict, without rowid;
CREATE TABLE todos (
  id integer primary key,
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  project_id integer not null references projects (id),
  issue_id integer not null references issues (id),
  note_id integer references notes (id),
  action text not null check (action in ('assigned', 'mentioned', 'build_failed', 'marked')),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE INDEX todos_of_note on todos (note_id) where note_id is not null;
CREATE INDEX todos_of_issue on todos (issue_id, user_id, state);
CREATE TRIGGER issues_count_created after insert on issues when new.deleted_at is null BEGIN
  update issue_counts set
    last_iid = max(last_iid, new.iid),
    opened = opened + (new.state = 'opened' and not new.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
  where project_id = new.project_id;
END;
CREATE TRIGGER issues_count_created_milestone after insert on issues
when new.deleted_at is null and new.milestone_id is not null BEGIN
  update milestones set
    opened = opened + (new.state = 'opened' and not new.confidential),
    closed = closed + (new.state = 'closed' and not new.confidential),
    opened_hidden = opened_hidden + (new.state = 'opened' and new.confidential),
    closed_hidden = closed_hidden + (new.state = 'closed' and new.confidential)
  where id = new.milestone_id;
END;
CREATE TRIGGER issues_count_changed after update of state, confidential, deleted_at on issues
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
CREATE TRIGGER issues_count_changed_milestone
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
CREATE TRIGGER issue_labels_added after insert on issue_labels BEGIN
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
CREATE TRIGGER issue_labels_removed after delete on issue_labels BEGIN
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
CREATE TRIGGER issue_postings_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_places where issue_id = new.id;
END;
CREATE TRIGGER issue_postings_labeled after update of unlabeled on issues
when old.unlabeled <> new.unlabeled and new.deleted_at is null BEGIN
  update issue_postings set label_id = new.unlabeled - 1
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, old.unlabeled - 1, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_places where issue_id = new.id);
END;
CREATE TRIGGER issue_postings_moved after update of state, updated_at on issues
when (old.state <> new.state or old.updated_at <> new.updated_at) and old.deleted_at is null and new.deleted_at is null
  and old.milestone_id is new.milestone_id and old.confidential = new.confidential
  and (old.assignee_id is new.assignee_id or not new.confidential) BEGIN
  update issue_postings set closed = (new.state = 'closed'), at = iif(updated, new.updated_at, at)
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, old.state = 'closed', updated,
      iif(updated, old.updated_at, at), issue_id
    from issue_entries where issue_id = new.id and (updated or old.state <> new.state));
END;
CREATE TRIGGER issue_postings_left before update of milestone_id, confidential, assignee_id, deleted_at on issues
when old.milestone_id is not new.milestone_id or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null)
BEGIN
  delete from issue_postings
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_entries where issue_id = old.id);
END;
CREATE TRIGGER issue_postings_entered after update of milestone_id, confidential, assignee_id, deleted_at on issues
when old.milestone_id is not new.milestone_id or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null)
BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_entries where issue_id = new.id;
END;
CREATE TRIGGER notes_count_added after insert on notes when not new.system BEGIN
  update issues set user_notes_count = user_notes_count + 1 where id = new.issue_id;
END;
CREATE TRIGGER notes_count_system after insert on notes when new.system BEGIN
  update issues set system_notes_count = system_notes_count + 1 where id = new.issue_id;
END;
CREATE TRIGGER notes_count_removed after delete on notes
when not old.system and (select i.deleted_at is null from issues i where i.id = old.issue_id) BEGIN
  update issues set user_notes_count = user_notes_count - 1 where id = old.issue_id;
END;
CREATE TRIGGER issue_authors_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_authors (author_id, project_id, opened, closed)
  values (new.author_id, new.project_id, new.state = 'opened', new.state = 'closed')
  on conflict do update set opened = opened + excluded.opened, closed = closed + excluded.closed;
END;
CREATE TRIGGER issue_authors_changed after update of state, deleted_at on issues
when old.state <> new.state or (old.deleted_at is null) <> (new.deleted_at is null) BEGIN
  update issue_authors set
    opened = opened + (new.deleted_at is null and new.state = 'opened') - (old.deleted_at is null and old.state = 'opened'),
    closed = closed + (new.deleted_at is null and new.state = 'closed') - (old.deleted_at is null and old.state = 'closed')
  where author_id = new.author_id and project_id = new.project_id;
END;
CREATE TABLE commits (
  id integer primary key,
  project_id integer not null references projects (id),
  sha text not null,
  author_name text not null,
  author_email text not null,
  authored_at integer not null,
  author_zone integer not null,
  committer_name text not null,
  committer_email text not null,
  committed_at integer not null,
  committer_zone integer not null,
  message text not null,
  additions integer not null,
  deletions integer not null,
  parent_shas text not null,
  branch text,
  lift integer not null default 0
) strict;
CREATE UNIQUE INDEX commits_by_sha on commits (project_id, sha);
CREATE TABLE parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  parent_committed_at integer not null,
  parent_lift integer not null default 0,
  primary key (child_id, position)
) strict, without rowid;
CREATE INDEX parents_of_parent on parents (parent_id);
CREATE TRIGGER parents_lift_child after insert on parents
when (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  >= (select c.committed_at + c.lift from commits c where c.id = new.child_id) BEGIN
  update commits set lift = 1 - committed_at + (select p.committed_at + p.lift from commits p where p.id = new.parent_id)
  where id = new.child_id;
END;
CREATE TRIGGER parents_repeat_lift after insert on parents
when (select p.lift from commits p where p.id = new.parent_id) > 0 BEGIN
  update parents set parent_lift = (select p.lift from commits p where p.id = new.parent_id)
  where child_id = new.child_id and position = new.position;
END;
CREATE TABLE refs (
  project_id integer not null references projects (id),
  name text not null,
  commit_id integer not null references commits (id),
  message text,
  tag_sha text, commits integer check (commits > 0), committed_at integer not null default 0,
  primary key (project_id, name)
) strict, without rowid;
CREATE INDEX refs_of_commit on refs (commit_id, name);
CREATE TABLE mirrors (
  project_id integer primary key references projects (id),
  version integer not null,
  scan_after text,
  before_batch integer not null default 0
, bytes integer not null default 0) strict;
CREATE TABLE forgotten_commits (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id)
) strict;
CREATE INDEX forgotten_commits_of_project on forgotten_commits (project_id);
CREATE TABLE branch_queue (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id),
  committed_at integer not null
) strict;
CREATE INDEX branch_queue_in_order on branch_queue (project_id, committed_at);
CREATE TRIGGER projects_default_branch after update of default_branch on projects
when old.default_branch is not new.default_branch and exists (select 1 from refs r where r.project_id = new.id) BEGIN
  insert into mirrors (project_id, version, scan_after) values (new.id, 1, '')
  on conflict (project_id) do update set version = version + 1, scan_after = '';
  insert into branch_queue (commit_id, project_id, committed_at)
  select c.id, new.id, c.committed_at from refs r join commits c on c.id = r.commit_id
  where r.project_id = new.id and r.name = 'refs/heads/' || new.default_branch on conflict do nothing;
END;
CREATE TABLE staged_swaps (
  project_id integer not null references projects (id),
  portion integer not null,
  sync text not null,
  changes text not null,
  primary key (project_id, portion)
) strict, without rowid;
CREATE TABLE diffs (
  commit_id integer not null references commits (id),
  part integer not null,
  text text not null, object text, bytes integer, digest text,
  primary key (commit_id, part)
) strict, without rowid;
CREATE TABLE commit_comments (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  author_id integer not null references users (id),
  note text not null,
  path text,
  line integer,
  line_type text check (line_type in ('new', 'old')),
  created_at integer not null
) strict;
CREATE INDEX commit_comments_of_commit on commit_comments (commit_id, id);
CREATE TABLE statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  stage text not null default 'external',
  user_id integer not null references users (id),
  state text not null check (state in ('pending', 'running', 'success', 'failed', 'canceled')),
  target_url text,
  description text,
  tag integer not null default 0 check (tag in (0, 1)),
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer
, skipped integer not null default 0 check (skipped in (0, 1) and (not skipped or state = 'canceled'))) strict;
CREATE UNIQUE INDEX statuses_open on statuses (commit_id, ref, name, user_id) where state in ('pending', 'running');
CREATE INDEX statuses_of_commit on statuses (commit_id, ref, stage, id);
CREATE INDEX statuses_of_name on statuses (commit_id, ref, name, id);
CREATE TABLE status_counts (
  commit_id integer not null references commits (id),
  ref text not null,
  stage text not null,
  posted integer not null default 0,
  pending integer not null default 0,
  running integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0, skipped integer not null default 0,
  primary key (commit_id, ref, stage)
) strict, without rowid;
CREATE TABLE environments (
  id integer primary key,
  project_id integer not null references projects (id),
  number integer not null,
  name text not null,
  external_url text,
  created_at integer not null, updated_at integer not null default 0, state text not null default 'available' check (state in ('available', 'stopped')), tier text, description text,
  unique (project_id, name),
  unique (project_id, number)
) strict;
CREATE TABLE deployments (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  environment_id integer not null references environments (id),
  status_id integer not null references statuses (id),
  user_id integer not null references users (id),
  created_at integer not null,
  unique (project_id, iid)
) strict;
CREATE TABLE settings (
  id integer primary key check (id = 1),
  default_projects_limit integer not null default 10,
  signup_enabled integer not null default 1 check (signup_enabled in (0, 1)),
  signin_enabled integer not null default 1 check (signin_enabled in (0, 1)),
  avatar_enabled integer not null default 1 check (avatar_enabled in (0, 1)),
  sign_in_text text,
  home_page_url text,
  default_branch_protection integer not null default 2 check (default_branch_protection in (0, 1, 2)),
  restricted_visibility_levels text not null default '[]',
  max_attachment_size integer not null default 10 check (max_attachment_size > 0),
  session_expire_delay integer not null default 10080 check (session_expire_delay >= 0),
  default_project_visibility integer not null default 0 check (default_project_visibility in (0, 1, 2)),
  default_snippet_visibility integer not null default 0 check (default_snippet_visibility in (0, 1, 2)),
  domain_whitelist text,
  domain_blacklist_enabled integer not null default 0 check (domain_blacklist_enabled in (0, 1)),
  domain_blacklist text not null default '[]',
  user_oauth_applications integer not null default 1 check (user_oauth_applications in (0, 1)),
  after_sign_out_path text,
  container_registry_token_expire_delay integer not null default 5 check (container_registry_token_expire_delay > 0),
  repository_storage text not null default 'default',
  enabled_git_access_protocol text check (enabled_git_access_protocol in ('ssh', 'http')),
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE TRIGGER settings_blacklist_holds_a_domain before update on settings
when new.domain_blacklist_enabled = 1 and json_array_length(new.domain_blacklist) = 0
BEGIN
  select raise(abort, 'Domain blacklist cannot be empty if Blacklist is enabled.');
END;
CREATE TABLE expectations (
  holds integer not null
) strict;
CREATE TRIGGER expectations_hold before insert on expectations when new.holds BEGIN
  select raise(ignore);
END;
CREATE TRIGGER expectations_fail before insert on expectations when not new.holds BEGIN
  select raise(abort, 'E_EXPECTATION');
END;
CREATE TABLE idempotency_keys (
  user_id integer not null references users (id),
  key text not null,
  digest text not null,
  answer text,
  record_id integer,
  created_at integer not null,
  primary key (user_id, key)
) strict, without rowid;
CREATE INDEX idempotency_keys_by_age on idempotency_keys (created_at);
CREATE TRIGGER idempotency_keys_expire after insert on idempotency_keys BEGIN
  delete from idempotency_keys where (user_id, key) in (select o.user_id, o.key from idempotency_keys o
    where o.created_at <= new.created_at - 86400000 order by o.created_at limit 10);
END;
CREATE TABLE "tokens" (
  hash text primary key,
  id integer not null unique,
  user_id integer not null references users (id),
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook')),
  project_id integer references projects (id),
  bot_id integer references users (id) check (bot_id < 0),
  scopes integer not null default 1,
  access integer check (access in (10, 20, 30, 40)),
  name text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  check ((kind = 'personal') = (project_id is null)),
  check ((kind = 'project') = (bot_id is not null)),
  check ((kind = 'project') = (access is not null)),
  check (scopes > 0 and scopes & iif(kind = 'personal', 3, iif(kind = 'project', 60, 64)) = scopes)
) strict, without rowid;
CREATE INDEX tokens_of_user on tokens (user_id, id);
CREATE INDEX tokens_of_project on tokens (project_id, id) where project_id is not null;
CREATE TABLE hourly_writes (
  user_id integer primary key references users (id),
  hour integer not null,
  writes integer not null,
  most integer not null
) strict;
CREATE TRIGGER hourly_writes_end before update on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;
CREATE TABLE stored (
  id integer primary key check (id = 1),
  bytes integer not null
) strict;
CREATE TRIGGER mirrors_add_up after update of bytes on mirrors when new.bytes <> old.bytes BEGIN
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
CREATE TABLE branch_counts (
  project_id integer not null references projects (id),
  branch text not null,
  commits integer not null,
  primary key (project_id, branch)
) strict, without rowid;
CREATE INDEX todos_by_action on todos (user_id, state, action);
CREATE INDEX todos_by_author on todos (user_id, state, author_id, action);
CREATE INDEX todos_by_project on todos (user_id, state, project_id, action);
CREATE INDEX todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
CREATE INDEX refs_by_date on refs (project_id, substr(name, 6, 1), committed_at, name);
CREATE INDEX deployments_of_environment on deployments (environment_id, iid);
CREATE TABLE removed_numbers (
  project_id integer not null references projects (id),
  kind text not null check (kind in ('deployment', 'environment')),
  removed integer not null,
  last integer not null,
  primary key (project_id, kind)
) strict, without rowid;
CREATE TRIGGER deployments_removed after delete on deployments BEGIN
  insert into removed_numbers (project_id, kind, removed, last) values (old.project_id, 'deployment', 1, old.iid)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
CREATE TRIGGER environments_removed after delete on environments BEGIN
  insert into removed_numbers (project_id, kind, removed, last) values (old.project_id, 'environment', 1, old.number)
  on conflict (project_id, kind) do update set removed = removed + 1, last = max(last, excluded.last);
END;
CREATE VIEW issue_persons as
select i.id as issue_id, i.project_id, 2 as kind, iif(k.role = -3, i.author_id, i.assignee_id) as owner_id,
  k.role as label_id, iif(k.role = -2, 0, i.project_id) as milestone_id,
  iif(k.viewer = 1, i.author_id, iif(k.viewer = 2, i.assignee_id, iif(k.role = -2, 0, -i.confidential))) as viewer_id,
  i.state = 'closed' as closed, o.updated, iif(o.updated, i.updated_at, i.created_at) as at
from issues i
cross join (select column1 as role, column2 as viewer
  from (values (-2, 0), (-3, 0), (-3, 1), (-3, 2), (-4, 0), (-4, 1), (-4, 2))) k
cross join (select 0 as updated union all select 1) o
where i.deleted_at is null and (k.role = -3 or i.assignee_id is not null)
  and (k.viewer = 0 or (i.confidential and (k.viewer = 1 or i.assignee_id <> i.author_id)));
CREATE VIEW issue_entries as
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_places
union all
select p.kind, p.owner_id, l.label_id, p.milestone_id, p.viewer_id, p.closed, p.updated, p.at, p.issue_id, p.project_id
from issue_labels l cross join issue_places p on p.issue_id = l.issue_id where p.kind <> 1
union all
select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id from issue_persons;
CREATE TRIGGER issue_persons_created after insert on issues when new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_persons where issue_id = new.id;
END;
CREATE TRIGGER issue_persons_left before update of assignee_id on issues
when old.assignee_id is not new.assignee_id and old.milestone_id is new.milestone_id and not old.confidential
  and not new.confidential and old.deleted_at is null and new.deleted_at is null BEGIN
  delete from issue_postings
  where (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id) in (
    select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id
    from issue_persons where issue_id = old.id and label_id <> -3);
END;
CREATE TRIGGER issue_persons_entered after update of assignee_id on issues
when old.assignee_id is not new.assignee_id and old.milestone_id is new.milestone_id and not old.confidential
  and not new.confidential and old.deleted_at is null and new.deleted_at is null BEGIN
  insert into issue_postings (kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id)
  select kind, owner_id, label_id, milestone_id, viewer_id, closed, updated, at, issue_id, project_id
  from issue_persons where issue_id = new.id and label_id <> -3;
END;
CREATE INDEX projects_archived on projects (namespace_id) where archived and deleted_at is null;
CREATE INDEX milestones_by_due_date on milestones (project_id, due_date, id) where state = 'active' and due_date is not null;
CREATE INDEX issues_without_words on issues (project_id) where words is null and deleted_at is null;
CREATE TABLE issue_words (
  project_id integer not null,
  viewer_id integer not null,
  word text not null,
  issue_id integer not null,
  primary key (project_id, viewer_id, word, issue_id)
) strict, without rowid;
CREATE VIEW issue_word_entries as
select i.project_id, iif(k.value = 1, i.author_id, iif(k.value = 2, i.assignee_id, -i.confidential)) as viewer_id,
  w.value as word, i.id as issue_id
from issues i cross join json_each(i.words) t cross join json_each(t.value) w
cross join json_each(iif(i.confidential, '[0,1,2]', '[0]')) k
where i.deleted_at is null and (k.value <> 2 or i.assignee_id <> i.author_id);
CREATE TRIGGER issue_words_created after insert on issues when new.deleted_at is null and new.words is not null BEGIN
  insert into issue_words (project_id, viewer_id, word, issue_id)
  select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = new.id on conflict do nothing;
END;
CREATE TRIGGER issue_words_left before update of words, confidential, assignee_id, deleted_at on issues
when old.words is not null and (old.words is not new.words or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null))
BEGIN
  delete from issue_words where (project_id, viewer_id, word, issue_id) in (
    select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = old.id);
END;
CREATE TRIGGER issue_words_entered after update of words, confidential, assignee_id, deleted_at on issues
when new.words is not null and (old.words is not new.words or old.confidential <> new.confidential
  or (old.assignee_id is not new.assignee_id and new.confidential) or (old.deleted_at is null) <> (new.deleted_at is null))
BEGIN
  insert into issue_words (project_id, viewer_id, word, issue_id)
  select project_id, viewer_id, word, issue_id from issue_word_entries where issue_id = new.id on conflict do nothing;
END;
CREATE INDEX projects_seen_by_name on projects (visibility, lower(name), id) where deleted_at is null;
CREATE INDEX projects_seen_by_path on projects (visibility, lower(path), id) where deleted_at is null;
CREATE INDEX projects_seen_by_update on projects (visibility, updated_at, id) where deleted_at is null;
CREATE INDEX groups_seen_by_name on groups (visibility, lower(name), id);
CREATE INDEX groups_seen_by_path on groups (visibility, lower(path), id);
CREATE INDEX projects_seen_of_namespace on projects (visibility, namespace_id) where deleted_at is null;
CREATE INDEX users_of_people on users (id) where id > 0;
CREATE TABLE sweeps (
  what text primary key check (what in ('statuses')),
  after integer not null default 0,
  upto integer not null default 0
) strict, without rowid;
CREATE INDEX tokens_by_expiry on tokens (expires_at) where expires_at is not null;
CREATE INDEX tokens_by_revocation on tokens (revoked_at) where revoked_at is not null;
CREATE INDEX projects_to_purge on projects (deleted_at) where deleted_at is not null and purged_at is null;
CREATE TRIGGER projects_recounted after update of deleted_at on projects
when old.deleted_at is not null and new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
CREATE TABLE project_remains (
  project_id integer primary key references projects (id)
) strict;
CREATE INDEX issues_moved_to on issues (moved_to_id) where moved_to_id is not null;
CREATE INDEX deployments_of_status on deployments (status_id);
CREATE TABLE "status_heads" (
  commit_id integer not null references commits (id),
  ref text not null,
  name text not null,
  status_id integer not null,
  stage text not null,
  posted integer not null default 1,
  primary key (commit_id, ref, name)
) strict, without rowid;
CREATE INDEX status_heads_in_order on status_heads (commit_id, ref, stage, status_id);
CREATE TRIGGER statuses_added after insert on statuses BEGIN
  insert into status_counts (commit_id, ref, stage, posted, pending, running, success, failed, canceled, skipped)
  select new.commit_id, new.ref, new.stage, 1,
    (new.state = 'pending') - (before.state is 'pending'), (new.state = 'running') - (before.state is 'running'),
    (new.state = 'success') - (before.state is 'success'), (new.state = 'failed') - (before.state is 'failed'),
    (new.state = 'canceled') - (before.state is 'canceled'), new.skipped - coalesce(before.skipped, 0)
  from (select 1) left join status_heads h
    on h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage = new.stage
    left join statuses before on before.id = h.status_id
  where true
  on conflict (commit_id, ref, stage) do update set posted = posted + 1,
    pending = pending + excluded.pending, running = running + excluded.running, success = success + excluded.success,
    failed = failed + excluded.failed, canceled = canceled + excluded.canceled, skipped = skipped + excluded.skipped;
  update status_counts set
    pending = pending - (before.state = 'pending'), running = running - (before.state = 'running'),
    success = success - (before.state = 'success'), failed = failed - (before.state = 'failed'),
    canceled = canceled - (before.state = 'canceled'), skipped = status_counts.skipped - before.skipped
  from status_heads h cross join statuses before on before.id = h.status_id
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.stage <> new.stage
    and status_counts.commit_id = new.commit_id and status_counts.ref = new.ref and status_counts.stage = h.stage;
  insert into status_heads (commit_id, ref, name, status_id, stage)
  values (new.commit_id, new.ref, new.name, new.id, new.stage)
  on conflict (commit_id, ref, name) do update
  set status_id = excluded.status_id, stage = excluded.stage, posted = posted + 1;
END;
CREATE TRIGGER statuses_moved after update of state on statuses when old.state <> new.state and old.stage = new.stage
and exists (select 1 from status_heads h
  where h.commit_id = new.commit_id and h.ref = new.ref and h.name = new.name and h.status_id = new.id) BEGIN
  update status_counts set
    pending = pending + (new.state = 'pending') - (old.state = 'pending'),
    running = running + (new.state = 'running') - (old.state = 'running'),
    success = success + (new.state = 'success') - (old.state = 'success'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed'),
    canceled = canceled + (new.state = 'canceled') - (old.state = 'canceled'), skipped = skipped + new.skipped - old.skipped
  where commit_id = new.commit_id and ref = new.ref and stage = new.stage;
END;
CREATE TRIGGER statuses_restaged after update of stage on statuses when old.stage <> new.stage BEGIN
  insert into status_counts (commit_id, ref, stage) values (new.commit_id, new.ref, new.stage) on conflict do nothing;
  update status_counts set posted = posted + (stage = new.stage) - (stage = old.stage),
    pending = pending + head.newest * ((stage = new.stage) * (new.state = 'pending') - (stage = old.stage) * (old.state = 'pending')),
    running = running + head.newest * ((stage = new.stage) * (new.state = 'running') - (stage = old.stage) * (old.state = 'running')),
    success = success + head.newest * ((stage = new.stage) * (new.state = 'success') - (stage = old.stage) * (old.state = 'success')),
    failed = failed + head.newest * ((stage = new.stage) * (new.state = 'failed') - (stage = old.stage) * (old.state = 'failed')),
    canceled = canceled + head.newest * ((stage = new.stage) * (new.state = 'canceled') - (stage = old.stage) * (old.state = 'canceled')),
    skipped = skipped + head.newest * ((stage = new.stage) * new.skipped - (stage = old.stage) * old.skipped)
  from (select exists (select 1 from status_heads h where h.commit_id = new.commit_id and h.ref = new.ref
    and h.name = new.name and h.status_id = new.id) as newest) head
  where commit_id = new.commit_id and ref = new.ref and stage in (old.stage, new.stage);
  update status_heads set stage = new.stage
  where commit_id = new.commit_id and ref = new.ref and name = new.name and status_id = new.id;
END;
CREATE TRIGGER statuses_removed after delete on statuses BEGIN
  update status_counts set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and stage = old.stage;
  update status_heads set posted = posted - 1
  where commit_id = old.commit_id and ref = old.ref and name = old.name;
END;
CREATE TABLE object_sweeps (
  id integer primary key check (id = 1),
  store text not null,
  after text not null default '',
  moved integer not null default 0
) strict;
CREATE INDEX projects_listed on projects (visibility, id) where deleted_at is null;
CREATE INDEX projects_within on projects (namespace_id, visibility, id) where deleted_at is null;
CREATE INDEX projects_within_by_name on projects (namespace_id, visibility, lower(name), id) where deleted_at is null;
CREATE INDEX projects_within_by_path on projects (namespace_id, visibility, lower(path), id) where deleted_at is null;
CREATE INDEX projects_within_by_update on projects (namespace_id, visibility, updated_at, id) where deleted_at is null;
CREATE INDEX tokens_of_person on tokens (user_id, id) where kind = 'personal';
CREATE INDEX tokens_of_persons on tokens (id) where kind = 'personal';
CREATE INDEX tokens_of_project_by_kind on tokens (project_id, kind, id) where project_id is not null;

insert into namespaces (id, kind, path, path_key) values (1, 'user', 'root', 'root');
insert into users (id, username, name, email, email_key, admin, created_at)
values (1, 'root', 'Administrator', 'admin@example.com', 'admin@example.com', 1, 1700000000000);
insert into settings (id, created_at, updated_at) values (1, 1700000000000, 1700000000000);
insert into stored (id, bytes) values (1, 0);
insert into sweeps (what) values ('statuses');
insert into object_sweeps (id, store) values (1, '0123456789abcdef');
