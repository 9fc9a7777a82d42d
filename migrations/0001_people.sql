-- People, what they own and what they may do.
-- Conventions of every migration:
-- * tables are strict, and nothing cascades
-- * times are integers, milliseconds since 1970 in UTC, unless a name says otherwise
-- * booleans are 0 or 1
-- * BEGIN and END of triggers are in upper case, conditions stand in WHEN, there is no CASE in a trigger, and comments hold
--   no quotes and no semicolons: the servers that take these files split them with different care
-- * once released, a file is never changed: a further file is added

-- A name under which projects live. Users and groups draw their ids from here, so that one number never means two
-- owners: the id of a user is also the id of their personal namespace, the id of a group that of its namespace.
create table namespaces (
  id integer primary key,
  kind text not null check (kind in ('user', 'group')),
  -- as shown in addresses: a username or the path of a group
  path text not null,
  -- lower case of the path: names differ by more than case
  path_key text not null unique
) strict;

create table users (
  id integer primary key references namespaces (id),
  -- equals the path of the namespace
  username text not null unique,
  name text not null,
  email text not null,
  -- lower case of the email
  email_key text not null unique,
  state text not null default 'active' check (state in ('active', 'blocked', 'ldap_blocked')),
  admin integer not null default 0 check (admin in (0, 1)),
  -- whether they see nothing but public projects and those they are members of
  external integer not null default 0 check (external in (0, 1)),
  bio text,
  location text,
  skype text not null default '',
  linkedin text not null default '',
  twitter text not null default '',
  website_url text not null default '',
  -- how many projects the personal namespace may hold, null: the setting default_projects_limit
  projects_limit integer,
  -- how many it holds, kept by the batch that makes or removes a project
  projects_count integer not null default 0,
  created_at integer not null
) strict;

-- the users that lists filtered by state look for: few
create index users_blocked on users (id) where state <> 'active';

-- Access tokens. The token itself is shown once and never stored.
create table tokens (
  -- SHA-256 of the token, lower-case hexadecimal
  hash text primary key,
  id integer not null unique,
  user_id integer not null references users (id),
  -- personal: whatever its user may. hook: only the mirror of the project
  kind text not null default 'personal' check (kind in ('personal', 'hook')),
  project_id integer references projects (id),
  name text not null,
  created_at integer not null,
  -- null: never
  expires_at integer,
  revoked_at integer,
  check ((kind = 'hook') = (project_id is not null))
) strict, without rowid;
create index tokens_of_user on tokens (user_id, id);
-- the hook tokens of a project
create index tokens_of_project on tokens (project_id, id) where project_id is not null;

create table groups (
  id integer primary key references namespaces (id),
  name text not null,
  path text not null,
  description text not null default '',
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  -- how many projects it holds, kept by the triggers of projects
  projects_count integer not null default 0,
  created_at integer not null
) strict;

create index groups_by_visibility on groups (visibility, id);

create table group_members (
  user_id integer not null references users (id),
  group_id integer not null references groups (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, group_id)
) strict, without rowid;
create index group_members_of_group on group_members (group_id, user_id);

create table projects (
  id integer primary key,
  namespace_id integer not null references namespaces (id),
  creator_id integer not null references users (id),
  name text not null,
  path text not null,
  -- namespace path and project path with a slash, as shown and (in lower case) as looked up
  full_path text not null,
  path_key text not null unique,
  -- namespace name and project name with a slash between blanks
  full_name text not null,
  description text,
  visibility integer not null check (visibility in (0, 10, 20)),
  issues_enabled integer not null default 1 check (issues_enabled in (0, 1)),
  builds_enabled integer not null default 1 check (builds_enabled in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  -- branch name without refs/heads/, as the mirror says, null: empty repository
  default_branch text,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer
) strict;
create index projects_of_namespace on projects (namespace_id, id);
-- the most visible project of a namespace
create index projects_of_namespace_by_visibility on projects (namespace_id, visibility) where deleted_at is null;
-- those of a namespace whose issues nobody sees: few
create index projects_without_issues on projects (namespace_id) where deleted_at is not null or not issues_enabled;
create index projects_by_visibility on projects (visibility, id);
-- the orders of lists within a namespace
create index projects_by_name on projects (namespace_id, lower(name), id);
create index projects_by_path on projects (namespace_id, lower(path), id);
create index projects_by_update on projects (namespace_id, updated_at, id);
create trigger projects_counted after insert on projects when new.deleted_at is null BEGIN
  update groups set projects_count = projects_count + 1 where id = new.namespace_id;
END;
create trigger projects_uncounted after update of deleted_at on projects
when old.deleted_at is null and new.deleted_at is not null BEGIN
  update groups set projects_count = projects_count - 1 where id = new.namespace_id;
END;

-- A project is at most as visible as its group, whatever two changes at once say.
create trigger projects_begin_no_more_visible_than_their_group before insert on projects
when new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
create trigger projects_stay_no_more_visible_than_their_group before update of visibility on projects
when new.visibility > old.visibility
  and new.visibility > (select g.visibility from groups g where g.id = new.namespace_id) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
create trigger groups_stay_as_visible_as_their_projects before update of visibility on groups
when new.visibility < old.visibility and exists (select 1 from projects p
  where p.namespace_id = new.id and p.visibility > new.visibility and p.deleted_at is null) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;

create table project_members (
  user_id integer not null references users (id),
  project_id integer not null references projects (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, project_id)
) strict, without rowid;
create index project_members_of_project on project_members (project_id, user_id);

-- The administrator whose private token is the Worker secret ADMIN_TOKEN (without the secret nobody is him).
insert into namespaces (id, kind, path, path_key) values (1, 'user', 'root', 'root');
insert into users (id, username, name, email, email_key, admin, created_at)
values (1, 'root', 'Administrator', 'admin@example.com', 'admin@example.com', 1, unixepoch() * 1000);
