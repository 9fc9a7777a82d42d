-- People and groups.
--
-- Conventions of all files in this folder:
-- * tables are strict, and deleting a row never deletes rows of other tables by itself
-- * times are integers, milliseconds since 1970 in UTC, unless the comment on a column says otherwise
-- * booleans are 0 or 1
-- * an id that a deleted row had is not given to another: clients, logs, counters and requests on their way may still
--   name it. So the id of a table of which rows are deleted is autoincrement
-- * counters with hidden in their names count confidential issues, which not everybody may see
-- * every text has a limit in bytes, here or in the code that writes it
-- * long texts are the last columns: SQLite reads all that lies before a column, 225 pages of a text of 900 kB
-- * quota_bytes is what a row counts in the quotas, with its indexes. Triggers with names that end in stored, restored
--   and unstored add it up, see 0021_storage.sql
-- * users and projects keep their rows for ever, so a column that refers to them needs no declared reference, which
--   would need an index
-- * a view whose name ends in rows has what several statements read of a table. SQLite flattens it
-- * a view whose name ends in lengths has the lengths of rows in lists, for pages of at most 3 MB. bytes: the length of
--   the longer texts, which SQLite finds without reading them. answered: the length of the row as JSON, where a control
--   character takes six bytes. It reads the texts, so ask for it only if the bytes fit. One text has at most 900,000
--   bytes as JSON, so one row always fits
-- * BEGIN and END of triggers are in upper case, conditions are in WHEN, there is no CASE in a trigger, and comments
--   hold no quotes and no semicolons: the servers that take these files split them into statements in different ways
-- * a released file never changes: a further file is added

-- A name under which projects live. Users and groups take their ids from here, so one number never means two owners:
-- the id of a user is also the id of the personal namespace, and the id of a group is the id of its namespace.
create table namespaces (
  id integer primary key,
  kind text not null check (kind in ('user', 'group')),
  -- as shown in addresses: a username or the path of a group
  path text not null,
  -- lower case of the path: two names never differ by case alone
  path_key text not null unique
) strict;
-- The administrator, whose private token is the Worker secret ADMIN_TOKEN. Without the secret nobody can sign in as
-- root.
insert into namespaces (id, kind, path, path_key)
values (1, 'user', 'root', 'root');

-- People, and the users in whose names tokens of projects act: these have negative ids, and lists, paths and searches
-- do not find them.
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
  -- how many projects the personal namespace may hold, null: as the setting default_projects_limit
  projects_limit integer,
  -- how many it holds, kept by the batch that makes or removes a project
  projects_count integer not null default 0,
  created_at integer not null,
  -- when an administrator deleted the user. The row stays, because records refer to it. It has no name of its own any
  -- more, so that name and address are free
  deleted_at integer,
  -- only the users of tokens count
  quota_bytes integer as (iif(id < 0, 1000 + 6 * octet_length(name), 0)) virtual
) strict;
insert into users (id, username, name, email, email_key, admin, created_at)
values (1, 'root', 'Administrator', 'admin@example.com', 'admin@example.com', 1, unixepoch() * 1000);
-- the few that are not active, for lists by state
create index users_blocked on users (id) where state <> 'active';
-- the keys of callers that ADMIN_TOKEN acts for, see the view callers
create index users_by_key on users ('user ' || id) where id > 0;
create index users_by_named_key on users ('user ' || username) where id > 0;
-- the orders of lists of users
create index users_by_name on users (lower(name), id) where id > 0 and deleted_at is null;
create index users_by_username on users (lower(username), id) where id > 0 and deleted_at is null;
-- the users without those of tokens
create index users_of_people on users (id) where id > 0 and deleted_at is null;

create trigger users_of_tokens_stored after insert on users when new.id < 0 BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger users_of_tokens_restored after update of name on users
when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;
create trigger users_of_tokens_unstored after delete on users when old.id < 0 BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
END;

create table groups (
  id integer primary key references namespaces (id),
  name text not null,
  path text not null,
  -- 0 private, 10 internal, 20 public
  visibility integer not null check (visibility in (0, 10, 20)),
  -- how many projects it holds, kept by the triggers of projects
  projects_count integer not null default 0,
  created_at integer not null,
  -- how many members it has
  members_count integer not null default 0,
  quota_bytes integer as (500 + 6 * (octet_length(name) + octet_length(path)) + octet_length(description)) virtual,
  description text not null default ''
) strict;
-- the orders of lists of groups
create index groups_by_visibility on groups (visibility, id);
create index groups_seen_by_name on groups (visibility, lower(name), id);
create index groups_seen_by_path on groups (visibility, lower(path), id);

create trigger groups_stay_as_visible_as_their_projects before update of visibility on groups
when new.visibility < old.visibility
  and exists (
    select 1
    from projects p
    where p.namespace_id = new.id and p.visibility > new.visibility and p.deleted_at is null
  ) BEGIN
  select raise(abort, 'E_VISIBILITY');
END;
create trigger groups_stored after insert on groups BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger groups_restored after update of name, path, description on groups
when new.quota_bytes <> old.quota_bytes BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
END;
create trigger groups_unstored after delete on groups BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
END;

create table group_members (
  user_id integer not null references users (id),
  group_id integer not null references groups (id),
  -- 10 guest, 20 reporter, 30 developer, 40 master, 50 owner
  access integer not null check (access in (10, 20, 30, 40, 50)),
  created_at integer not null,
  -- the day on which the membership ends, as 2026-01-31
  expires_at text check (octet_length(expires_at) = 10),
  primary key (user_id, group_id)
) strict, without rowid;
create index group_members_of_group on group_members (group_id, user_id);
create index group_members_ending on group_members (expires_at) where expires_at is not null;

create trigger group_members_counted after insert on group_members BEGIN
  update groups set members_count = members_count + 1 where id = new.group_id;
END;
create trigger group_members_uncounted after delete on group_members BEGIN
  update groups set members_count = members_count - 1 where id = old.group_id;
END;

-- A user with all fields that answers have.
create view profile_rows as
select
  id, username, name, state, email, created_at, admin, external, bio, location, skype, linkedin, twitter, website_url,
  coalesce(projects_limit, (select default_projects_limit from settings where id = 1)) as projects_limit,
  projects_count
from users;

-- owner: the user of a personal namespace.
create view namespace_rows as
select
  n.id, n.kind, n.path, n.path_key, coalesce(g.name, n.path) as name, coalesce(g.description, '') as description,
  coalesce(g.created_at, u.created_at) as created_at,
  iif(
    u.id is null, null,
    json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
  ) as owner
from namespaces n
left join groups g on g.id = n.id
left join users u on u.id = n.id;

-- A group in answers.
create view group_rows as
select
  g.id, g.name, g.path, g.description, g.visibility, g.created_at,
  (select default_branch_protection from settings where id = 1) as branch_protection
from groups g;

-- The counts that owners see of their namespace, as a JSON object. A user has no members.
create view namespace_counts as
select
  n.id,
  json_object(
    'projects_count', coalesce(g.projects_count, u.projects_count), 'members_count', g.members_count
  ) as counts
from namespaces n
left join groups g on g.id = n.id
left join users u on u.id = n.id;

create view user_lengths as
select
  id, octet_length(json_array(username, name, email, bio, location, skype, linkedin, twitter, website_url)) as answered
from users;
