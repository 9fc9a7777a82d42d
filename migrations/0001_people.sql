-- The schema, in one clean set: people, projects, issues, repository, builds, settings, upkeep, views.
-- Conventions of every migration:
-- * tables are strict, and nothing cascades
-- * times are integers, milliseconds since 1970 in UTC, unless the comment on a column says otherwise
-- * booleans are 0 or 1
-- * hidden counters count confidential issues, which not everybody may know of
-- * BEGIN and END of triggers are in upper case, conditions stand in WHEN, there is no CASE in a trigger, and comments hold
--   no quotes and no semicolons: the servers that take these files split them with different care
-- * a released file is never changed: a further file is added

-- People, what they own and what they may do.

-- A name under which projects live. Users and groups take their ids from here, so one number never means two owners: the id of a
-- user is also the id of the personal namespace, and the id of a group is the id of its namespace.
create table namespaces (
  id integer primary key,
  kind text not null check (kind in ('user', 'group')),
  -- as shown in addresses: a username or the path of a group
  path text not null,
  -- lower case of the path: two names never differ by case alone
  path_key text not null unique
) strict;

-- Negative ids belong to the users as whom the tokens of projects act. Lists, paths and searches do not find these users.
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
  -- 1: the user sees public projects only, and those where they are a member
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
-- the users without those of tokens
create index users_of_people on users (id) where id > 0;
-- the few that are not active, for lists by state
create index users_blocked on users (id) where state <> 'active';
-- the keys of callers for whom ADMIN_TOKEN acts, see the view callers
create index users_by_key on users ('user ' || id) where id > 0;
create index users_by_named_key on users ('user ' || username) where id > 0;

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
-- the orders of lists of groups
create index groups_by_visibility on groups (visibility, id);
create index groups_seen_by_name on groups (visibility, lower(name), id);
create index groups_seen_by_path on groups (visibility, lower(path), id);

create table group_members (
  user_id integer not null references users (id),
  group_id integer not null references groups (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  primary key (user_id, group_id)
) strict, without rowid;
create index group_members_of_group on group_members (group_id, user_id);

-- Access tokens. The token itself is shown once and never stored.
create table tokens (
  -- SHA-256 of the token, lower-case hexadecimal
  hash text primary key,
  id integer not null unique,
  -- the owner of a personal token, the maker of a token of a project
  user_id integer not null references users (id),
  -- personal: may do what its user may. project: may do what its maker may in the project. hook: feeds the mirror of the project
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook')),
  project_id integer references projects (id),
  -- the user as whom a token of a project acts
  bot_id integer references users (id) check (bot_id < 0),
  -- a bit for each: 1 api and 2 read_api of a user, 4 api, 8 read_api, 16 statuses and 32 deployments of a project, 64 mirror
  scopes integer not null default 1,
  -- the most that a token of a project may do: 10 guest, 20 reporter, 30 developer, 40 master
  access integer check (access in (10, 20, 30, 40)),
  name text not null,
  created_at integer not null,
  -- null: never
  expires_at integer,
  revoked_at integer,
  check ((kind = 'personal') = (project_id is null)),
  check ((kind = 'project') = (bot_id is not null)),
  check ((kind = 'project') = (access is not null)),
  check (scopes > 0 and scopes & iif(kind = 'personal', 3, iif(kind = 'project', 60, 64)) = scopes)
) strict, without rowid;
create index tokens_of_user on tokens (user_id, id);
create index tokens_of_project on tokens (project_id, id) where project_id is not null;
-- by what they are for: those of a person, of all persons, of a project
create index tokens_of_person on tokens (user_id, id) where kind = 'personal';
create index tokens_of_persons on tokens (id) where kind = 'personal';
create index tokens_of_project_by_kind on tokens (project_id, kind, id) where project_id is not null;
-- those that retention removes
create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;
create index tokens_by_revocation on tokens (revoked_at) where revoked_at is not null;

-- The administrator, whose private token is the Worker secret ADMIN_TOKEN. Without the secret nobody can sign in as root.
insert into namespaces (id, kind, path, path_key) values (1, 'user', 'root', 'root');
insert into users (id, username, name, email, email_key, admin, created_at)
values (1, 'root', 'Administrator', 'admin@example.com', 'admin@example.com', 1, unixepoch() * 1000);
