-- Tokens have scopes, and a project has tokens of its own.
-- Such a token acts as a user who is nobody else: a row of users with a negative id, which no list, no path and no search
-- finds, so that what the token writes has an author like everything else. Nothing refers to tokens, so the table is
-- made anew.

create table scoped_tokens (
  -- SHA-256 of the token, lower-case hexadecimal
  hash text primary key,
  id integer not null unique,
  -- whose it is, or who made it
  user_id integer not null references users (id),
  -- personal: what its user may. project: what its maker may in the project. hook: only the mirror of the project
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook')),
  project_id integer references projects (id),
  -- as whom a token of a project acts
  bot_id integer references users (id) check (bot_id < 0),
  -- a bit for each: 1 api and 2 read_api of a user, 4 api, 8 read_api, 16 statuses and 32 deployments of a project, 64 mirror
  scopes integer not null default 1,
  -- the most that a token of a project may: 10 guest, 20 reporter, 30 developer, 40 master
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
insert into scoped_tokens (hash, id, user_id, kind, project_id, scopes, name, created_at, expires_at, revoked_at)
select hash, id, user_id, kind, project_id, iif(kind = 'hook', 64, 1), name, created_at, expires_at, revoked_at from tokens;
drop table tokens;
alter table scoped_tokens rename to tokens;
create index tokens_of_user on tokens (user_id, id);
create index tokens_of_project on tokens (project_id, id) where project_id is not null;
