-- Access tokens.

-- Access tokens. The token itself is shown once and never stored.
create table tokens (
  -- SHA-256 of the token, lower-case hexadecimal
  hash text primary key,
  id integer not null unique,
  -- the owner of a personal token, the maker of a token of a project
  user_id integer not null references users (id),
  -- personal: may do what its user may. project: may do what its maker may in the project. hook: feeds the mirror of
  -- the project
  kind text not null default 'personal' check (kind in ('personal', 'project', 'hook')),
  project_id integer references projects (id),
  -- the user in whose name a token of a project acts
  bot_id integer references users (id) check (bot_id < 0),
  -- a bit for each: 1 api and 2 read_api of a user, 4 api, 8 read_api, 16 statuses and 32 deployments of a project,
  -- 64 mirror, and from 128 the further scopes of GitLab, which allow nothing
  scopes integer not null default 1,
  -- the most that a token of a project may do: 10 guest, 20 reporter, 30 developer, 40 master
  access integer check (access in (10, 20, 30, 40)),
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
  quota_bytes integer as (600 + 2 * octet_length(name) + coalesce(octet_length(description), 0)) virtual,
  -- how many events about its end hooks got: 1 when seven days are left, 2 when one is
  expiry_told integer not null default 0,
  description text check (octet_length(description) <= 1020),
  check ((kind = 'personal') = (project_id is null)),
  check ((kind = 'project') = (bot_id is not null)),
  check ((kind = 'project') = (access is not null)),
  check (scopes > 0 and scopes & iif(kind = 'personal', 4194179, iif(kind = 'project', 4194236, 64)) = scopes)
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
-- A user has at most a thousand personal tokens that are alive, and a project a thousand. These indexes have them in
-- the order of their ends, for the triggers below.
create index tokens_alive on tokens (user_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and kind = 'personal';
create index tokens_alive_of_project on tokens (project_id, coalesce(expires_at, 9007199254740991))
  where revoked_at is null and project_id is not null;
-- those whose end hooks get events about
create index tokens_expiring on tokens (expiry_told, expires_at)
  where kind = 'project' and revoked_at is null and expires_at is not null;

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
create trigger tokens_stored after insert on tokens BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
END;
create trigger tokens_unstored after delete on tokens BEGIN
  update stored set bytes = bytes - old.quota_bytes, last_token_id = max(last_token_id, old.id) where id = 1;
END;

-- A token in answers.
create view token_rows as
select
  id, kind, user_id, project_id, name, description, created_at, last_used_at, expires_at, revoked_at, bot_id, scopes,
  access, cross_project
from tokens;
