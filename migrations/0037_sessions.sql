-- The table of tokens again, for sessions, programs and trusts (behaviour 2.1). SQLite cannot change a check in place.
-- The rows wait in a table without a key, and nothing is renamed. The indexes and triggers of 0002, 0027 and 0029 come
-- behind the rows, so that no trigger counts them twice.

create table waiting_tokens (
  hash text not null,
  id integer not null,
  user_id integer not null,
  kind text not null,
  project_id integer,
  bot_id integer,
  scopes integer not null,
  access integer,
  name text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  pusher_id integer,
  cross_project integer not null,
  last_used_at integer,
  expiry_told integer not null,
  description text
) strict;
insert into waiting_tokens (
  hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, revoked_at, pusher_id,
  cross_project, last_used_at, expiry_told, description
)
select
  hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, revoked_at, pusher_id,
  cross_project, last_used_at, expiry_told, description
from tokens;
drop table tokens;

-- Access tokens. The token itself is shown once and never stored.
create table tokens (
  -- SHA-256 of the token, lower-case hexadecimal. Of a session: the word session and that of its secret, so that the
  -- secret is no token. Of a trust: the word trust and its audience
  hash text primary key,
  id integer not null unique,
  -- the owner of a personal token, the maker of a token of a project, the person of a session
  user_id integer not null references users (id),
  -- personal: may do what its user may. project: may do what its maker may in the project. hook: feeds the mirror of
  -- the project. session: a person in the pages. oauth: a program in the name of a person
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook', 'session', 'oauth')),
  project_id integer references projects (id),
  -- the user in whose name a token of a project acts
  bot_id integer references users (id) check (bot_id < 0),
  -- a bit for each: 1 api and 2 read_api of a user, 4 api, 8 read_api, 16 statuses and 32 deployments of a project,
  -- 64 mirror, and from 128 the further scopes of GitLab, which allow nothing
  scopes integer not null default 1,
  -- the most that a token of a project may do: 10 guest, 20 reporter, 30 developer, 40 master
  access integer check (access in (10, 20, 30, 40)),
  -- of a session: the browser, as it names itself
  name text not null,
  created_at integer not null,
  -- null: never
  expires_at integer,
  revoked_at integer,
  -- the user in whose name a hook closes and mentions issues, null: the token is not of a hook
  pusher_id integer references users (id) check (pusher_id < 0),
  -- 1: commits that this hook pushes also close and mention issues of other projects, where the maker of the token may
  -- edit them
  cross_project integer not null default 0 check (cross_project in (0, 1)),
  -- moves at most once an hour, null: not used yet
  last_used_at integer,
  -- sessions and tokens of programs are few by rule and count nothing: on a full server, too, one must get in
  quota_bytes integer as (
    iif(
      kind in ('session', 'oauth'), 0,
      600 + 2 * octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(claims), 0)
    )
  ) virtual,
  -- how many events about its end hooks got: 1 when seven days are left, 2 when one is
  expiry_told integer not null default 0,
  -- the personal token that a session came from, null: it came by Access or by ADMIN_TOKEN
  parent_id integer,
  -- the end of that token, which changes only when the session ends: tokens that are made in it end no later
  parent_expires_at integer,
  -- the consent that a token of a program belongs to
  grant_id integer,
  description text check (octet_length(description) <= 1020),
  -- of a trust, a token of a project without a secret: who signs its JWTs, and the name=value that they must have, an
  -- array
  issuer text check (octet_length(issuer) <= 255),
  claims text check (octet_length(claims) <= 12000),
  check ((kind in ('project', 'hook')) = (project_id is not null)),
  check ((kind = 'project') = (bot_id is not null)),
  check ((kind = 'project') = (access is not null)),
  check (parent_id is null or kind = 'session'),
  check ((kind = 'oauth') = (grant_id is not null)),
  check ((issuer is null) = (claims is null) and (issuer is null or kind = 'project')),
  check (scopes > 0 and scopes & iif(project_id is null, 4194179, iif(kind = 'project', 4194236, 64)) = scopes)
) strict, without rowid;
insert into tokens (
  hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, revoked_at, pusher_id,
  cross_project, last_used_at, expiry_told, description
)
select
  hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, revoked_at, pusher_id,
  cross_project, last_used_at, expiry_told, description
from waiting_tokens
order by hash;
drop table waiting_tokens;

create index tokens_of_user on tokens (user_id, id);
create index tokens_of_project on tokens (project_id, id) where project_id is not null;
-- by what they are for: those of a person, of all persons, of a project
create index tokens_of_person on tokens (user_id, id) where kind = 'personal';
create index tokens_of_persons on tokens (id) where kind = 'personal';
create index tokens_of_project_by_kind on tokens (project_id, kind, id) where project_id is not null;
-- those that retention removes
create index tokens_by_expiry on tokens (expires_at) where expires_at is not null;
create index tokens_by_revocation on tokens (revoked_at) where revoked_at is not null;
-- A user has at most a thousand personal tokens that are alive, and a project a thousand. These indexes have them in
-- the order of their ends, for the triggers below.
create index tokens_alive on tokens (user_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and kind = 'personal';
create index tokens_alive_of_project on tokens (project_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and project_id is not null;
-- those whose end hooks get events about
create index tokens_expiring on tokens (expiry_told, expires_at)
  where kind = 'project' and revoked_at is null and expires_at is not null;
create index tokens_of_bot on tokens (bot_id, id) where bot_id is not null;
-- sessions of a person, those that a personal token started, tokens of a consent, and what the hourly sweep deletes
create index tokens_of_sessions on tokens (user_id, id) where kind = 'session';
create index tokens_by_parent on tokens (parent_id) where parent_id is not null;
create index tokens_of_grant on tokens (grant_id, id) where grant_id is not null;
create index tokens_passing on tokens (expires_at) where kind in ('session', 'oauth');

create trigger tokens_of_user_end before insert on tokens
when new.kind = 'personal'
  and 1000
    <= (
      select count(*)
      from tokens t
      where t.user_id = new.user_id
        and t.kind = 'personal'
        and t.revoked_at is null
        and coalesce(t.expires_at, 9007199254740991) > new.created_at
    ) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;
create trigger tokens_of_project_end before insert on tokens
when new.project_id is not null
  and 1000
    <= (
      select count(*)
      from tokens t
      where t.project_id = new.project_id
        and t.revoked_at is null
        and coalesce(t.expires_at, 9007199254740991) > new.created_at
    ) BEGIN
  select raise(abort, 'E_TOO_MANY_TOKENS');
END;
create trigger tokens_stored after insert on tokens when new.quota_bytes > 0 BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger tokens_unstored after delete on tokens BEGIN
  update stored set bytes = bytes - old.quota_bytes, last_token_id = max(last_token_id, old.id) where id = 1;
END;
create trigger tokens_shared after insert on tokens when new.quota_bytes > 0 BEGIN
  insert into shares (user_id, bytes)
  values (new.user_id, 0)
  on conflict do nothing;
  update shares set records = records + new.quota_bytes where user_id = new.user_id;
END;
create trigger tokens_unshared after delete on tokens when old.quota_bytes > 0 BEGIN
  update shares set records = records - old.quota_bytes where user_id = old.user_id;
END;

-- A personal token takes the sessions along that it started: when it is revoked, rotated or deleted.
create trigger tokens_end_sessions after update of revoked_at, expires_at on tokens
when new.kind = 'personal' and (new.revoked_at is not old.revoked_at or new.expires_at is not old.expires_at) BEGIN
  delete from tokens where parent_id = new.id;
END;
create trigger tokens_drop_sessions after delete on tokens when old.kind = 'personal' BEGIN
  delete from tokens where parent_id = old.id;
END;

-- A token in answers.
drop view token_rows;
create view token_rows as
select
  id, kind, user_id, project_id, name, description, created_at, last_used_at, expires_at, revoked_at, bot_id, scopes,
  access, cross_project, issuer, claims, iif(issuer is null, null, substr(hash, 7)) as audience
from tokens;

-- key: the hash of a token. The end of a token that is made in a session is that of the token behind the session
-- (token_expires_at). For ADMIN_TOKEN: the word user and an id or name. Without a token: anybody. A token of a
-- project acts as its own user (id) with the rights of the member who made it (member_id).
drop view callers;
create view callers as
select
  t.hash as key, coalesce(t.expires_at, 9007199254740991) as expires_at,
  iif(t.kind = 'session', t.parent_expires_at, t.expires_at) as token_expires_at, t.scopes,
  coalesce(t.last_used_at, 0) as token_used_at, t.project_id as token_project_id,
  coalesce(t.access, 40) as token_access, coalesce(b.id, m.id) as id,
  iif(b.id is null, m.username, b.username) as username, iif(b.id is null, m.name, b.name) as name, m.state,
  iif(b.id is null, m.email, b.email) as email, iif(b.id is null, m.admin, b.admin) as admin,
  iif(iif(b.id is null, m.external, b.external), 20, 10) as sees_from, m.id as member_id, m.admin as member_admin,
  t.kind
from tokens t
cross join users m on m.id = t.user_id
left join users b on b.id = t.bot_id
where t.revoked_at is null and m.state = 'active' and (t.bot_id is null or b.state = 'active')
union all
select
  'user ' || u.id, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin, null
from users u
where u.state = 'active' and u.id > 0
union all
select
  'user ' || u.username, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin, null
from users u
where u.state = 'active' and u.id > 0
union all
select 'anybody', 9007199254740991, null, 2, null, null, 40, null, null, null, null, null, 0, 20, null, 0, null;
