-- The yardstick's own tables. Times are milliseconds since 1970, booleans are 0 or 1.

create table settings (
  avatar_enabled integer not null,
  default_projects_limit integer not null
);

create table users (
  id integer primary key,
  username text not null unique,
  name text not null,
  email text not null,
  -- MD5 of the email, for the address of the picture
  avatar text not null,
  state text not null,
  admin integer not null,
  external integer not null,
  bio text,
  location text,
  skype text not null,
  linkedin text not null,
  twitter text not null,
  website_url text not null,
  projects_limit integer,
  projects_count integer not null,
  created_at integer not null
);

create table tokens (
  -- SHA-256 of the token
  hash text primary key,
  user_id integer not null references users (id),
  -- api: all rights of its user; read_api: reading
  scope text not null check (scope in ('api', 'read_api')),
  expires_at integer,
  revoked_at integer
) without rowid;

create table namespaces (
  id integer primary key,
  -- the user with this personal namespace; null: a group
  owner_id integer references users (id),
  path text not null
);

create table group_members (
  user_id integer not null references users (id),
  namespace_id integer not null references namespaces (id),
  level integer not null,
  primary key (user_id, namespace_id)
) without rowid;

create table projects (
  id integer primary key,
  namespace_id integer not null references namespaces (id),
  full_path text not null unique collate nocase,
  -- 0 private, 10 internal, 20 public
  visibility integer not null,
  issues_enabled integer not null,
  default_branch text,
  -- the number of the newest issue
  last_iid integer not null default 0,
  -- how many issues are open and closed
  opened integer not null default 0,
  closed integer not null default 0,
  deleted_at integer
);

create table project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  level integer not null,
  primary key (user_id, project_id)
) without rowid;

create table milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  title text not null,
  description text,
  state text not null,
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  -- how many issues it holds
  opened integer not null default 0,
  closed integer not null default 0,
  unique (project_id, title)
);

create table labels (
  id integer primary key,
  project_id integer not null references projects (id),
  title text not null,
  color text not null,
  created_at integer not null,
  -- the number of issues with it
  opened integer not null default 0,
  closed integer not null default 0,
  unique (project_id, title)
);

create table issues (
  id integer primary key,
  project_id integer not null references projects (id),
  iid integer not null,
  author_id integer not null references users (id),
  assignee_id integer references users (id),
  milestone_id integer references milestones (id),
  title text not null,
  description text,
  state text not null default 'opened',
  confidential integer not null default 0,
  due_date text,
  user_notes_count integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  unique (project_id, iid)
);
create index issues_by_creation on issues (project_id, created_at, id);
create index issues_by_update on issues (project_id, updated_at, id);
create index issues_by_state on issues (project_id, state, created_at, id);
create index issues_confidential on issues (project_id) where confidential;
create index issues_of_author on issues (author_id);
create index issues_of_assignee on issues (assignee_id) where assignee_id is not null;
create index issues_of_milestone on issues (milestone_id) where milestone_id is not null;

create table issue_labels (
  issue_id integer not null references issues (id),
  label_id integer not null references labels (id),
  primary key (issue_id, label_id)
) without rowid;
create index issue_labels_of_label on issue_labels (label_id);

-- further participants of an issue beside author and assignee
create table participants (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  primary key (issue_id, user_id)
) without rowid;

-- explicit choices: 1 subscribed, 0 not
create table subscriptions (
  issue_id integer not null references issues (id),
  user_id integer not null references users (id),
  subscribed integer not null,
  primary key (issue_id, user_id)
) without rowid;

create table todos (
  id integer primary key,
  user_id integer not null references users (id),
  author_id integer not null references users (id),
  issue_id integer not null references issues (id),
  action text not null,
  state text not null default 'pending',
  created_at integer not null
);
create index todos_of_user on todos (user_id, state, id);
create index todos_of_issue on todos (issue_id, user_id);

create table commits (
  id integer primary key,
  project_id integer not null references projects (id),
  sha text not null,
  author_name text not null,
  author_email text not null,
  -- seconds since 1970, and minutes east of UTC
  committed_at integer not null,
  committer_zone integer not null,
  message text not null,
  -- the branch of a status without a ref
  branch text,
  unique (project_id, sha)
);

create table parents (
  child_id integer not null references commits (id),
  position integer not null,
  parent_id integer not null references commits (id),
  primary key (child_id, position)
) without rowid;

create table refs (
  project_id integer not null references projects (id),
  -- refs/heads/.. or refs/tags/..
  name text not null,
  commit_id integer not null references commits (id),
  -- the number of commits that it reaches
  commits integer not null,
  primary key (project_id, name)
) without rowid;
create index refs_of_commit on refs (commit_id);

-- Diffs as the JSON text of the answer. Those over 1 KB are in R2, compressed with gzip.
create table diffs (
  commit_id integer primary key references commits (id),
  -- null: stored in R2
  text text,
  object_key text,
  bytes integer not null,
  -- SHA-256 in base64url, for the entity tag
  digest text not null
);

create table statuses (
  id integer primary key,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  -- may be empty
  ref text not null,
  name text not null,
  user_id integer not null references users (id),
  state text not null,
  target_url text,
  description text,
  coverage real,
  created_at integer not null,
  started_at integer,
  finished_at integer
);
create unique index statuses_unfinished on statuses (commit_id, ref, name, user_id) where state in ('pending', 'running');
create index statuses_of_commit on statuses (commit_id, ref, name, id);

-- The level of users in projects: 60 administrator, 50 owner, 40 master, 30 developer, 20 reporter, 10 guest, 0 none.
create view access as
select u.id as user_id, p.id as project_id, p.full_path,
  case when u.admin then 60 when n.owner_id = u.id then 50 else max(
    coalesce((select m.level from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
    coalesce((select m.level from group_members m where m.user_id = u.id and m.namespace_id = p.namespace_id), 0)
  ) end as level,
  -- its visibility to non-members: internal projects are private to external users
  case when u.external and p.visibility < 20 then 0 else p.visibility end as visibility
from users u cross join projects p join namespaces n on n.id = p.namespace_id
where u.state = 'active' and p.deleted_at is null;

-- Valid tokens.
create view sessions as
select hash, user_id, scope from tokens
where revoked_at is null and (expires_at is null or expires_at > unixepoch() * 1000);
