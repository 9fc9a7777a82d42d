-- The view token_rows leaves out the hashes of tokens.

-- piece: token_passes(now)
-- Whether the token t passes :wanted, a JSON object. A member is null if the request lacks it. search: a part of the
-- name. The times are inclusive.
(:wanted ->> 'is_active' is null
  or :wanted ->> 'is_active' = (t.revoked_at is null and coalesce(t.expires_at > {now}, 1)))
  and (:wanted ->> 'is_revoked' is null or :wanted ->> 'is_revoked' = (t.revoked_at is not null))
  and {has_text(t.name, :wanted ->> 'search')}
  and (:wanted ->> 'created_after' is null or t.created_at >= :wanted ->> 'created_after')
  and (:wanted ->> 'created_before' is null or t.created_at <= :wanted ->> 'created_before')
  and (:wanted ->> 'used_after' is null or t.last_used_at >= :wanted ->> 'used_after')
  and (:wanted ->> 'used_before' is null or t.last_used_at <= :wanted ->> 'used_before')
  and (:wanted ->> 'expires_after' is null or t.expires_at >= :wanted ->> 'expires_after')
  and (:wanted ->> 'expires_before' is null or t.expires_at <= :wanted ->> 'expires_before')

-- piece: sorted_key
case :field when 'name' then lower(t.name) when 'expires_at' then t.expires_at when 'last_used_at' then t.last_used_at
  end

-- piece: place
-- The place of the token t in a list by :field. Tokens without the time come last.
row_number() over (order by {sorted_key} is null, iif(:is_downwards, null, {sorted_key}), {sorted_key} desc, -t.id)

-- piece: next_tokens(condition, after)
-- The next :looks tokens.
select *
from (select id from tokens where {condition} and id {beyond} {after} order by id {way} limit :looks)

-- piece: newest_tokens(condition)
-- The 2,000 newest.
select * from (select id from tokens where {condition} order by id desc limit 2000)

-- name: owner
-- scope: caller
-- returns: OwnerRow?
-- The user :user_id. token_id is null unless :token_id is a personal token of this user and the caller may see it.
select u.id as user_id,
  (select t.id
    from token_rows t
    where t.id = (select :token_id where c.admin or c.id = u.id) and t.user_id = u.id and t.kind = 'personal')
  as token_id
from caller c
cross join users u on u.id = :user_id and u.deleted_at is null;

-- list: list
-- scope: caller
-- shows: TokenRow
-- order: id
-- total: none
-- The personal tokens of the user :user_id. Only this user and administrators get rows.
select *
from token_rows
where user_id = (select :user_id from caller where admin or id = :user_id) and kind = 'personal' and {after};

-- name: one
-- scope: caller
-- returns: v4::FoundRow?
-- The token :token_id if the caller may see it. Null for the token of the request. A session is none.
select t.*, t.id = coalesce(o.id, 0) as is_own
from caller c
left join tokens o on o.hash = c.key
cross join token_rows t on t.id = coalesce(:token_id, o.id)
where :token_id is null and t.kind <> 'session' or t.kind = 'personal' and (c.admin or t.user_id = c.id);

-- list: list_in_project
-- scope: project
-- shows: TokenRow
-- order: id
-- total: none
-- The project's tokens of the kind :of_kind.
select * from token_rows where project_id = (select project_id from scope) and kind = :of_kind and {after};

-- name: one_in_project
-- scope: project
-- returns: TokenRow?
-- The project's token :token_id if it is of the kind :of_kind.
select t.*
from scope s
cross join token_rows t on t.id = :token_id and t.project_id = s.project_id and t.kind = :of_kind;

-- name: own_in_project
-- scope: project
-- returns: TokenRow?
-- The token of the request, if it is one of this project.
select t.*
from scope s
cross join tokens o on o.hash = s.key
cross join token_rows t on t.id = o.id and t.project_id = s.project_id and t.kind = 'project';

-- list: filter_in_project
-- scope: project
-- shows: TokenRow of token_rows
-- order: t.id either way inside
-- filters: wanted
-- The same of the project and of the kind :of_kind.
select t.id, {token_passes(s.now)} as fits
from scope s
cross join ({next_tokens(project_id = (select project_id from scope) and kind = :of_kind, :after_1)}) y
cross join tokens t on t.id = y.id;

-- list: sorted_in_project
-- scope: project
-- shows: TokenRow of token_rows
-- order: place
-- total: 1000
-- The newest of them in the order of :field.
select id, place
from (select t.id, {place} as place
  from scope s
  cross join ({newest_tokens(project_id = (select project_id from scope) and kind = :of_kind)}) y
  cross join tokens t on t.id = y.id
  where {token_passes(s.now)})
where {after};

-- name: revoke
-- Keeps the time of an earlier revocation.
update tokens set revoked_at = :now where id = :id and revoked_at is null;

-- name: end_by
-- A token that ends before :ends_at keeps its end.
update tokens set expires_at = min(coalesce(expires_at, :ends_at), :ends_at) where id = :id and revoked_at is null;

-- name: block_bot
-- Blocks the user of a hook's token, and that of a project's token if all tokens that act as this user are revoked. The
-- row stays, because records refer to it.
update users
set state = 'blocked'
where id = (select coalesce(t.bot_id, t.pusher_id)
  from tokens t
  where t.id = :id
    and not exists (
      select 1
      from tokens o
      where o.project_id = t.project_id and o.bot_id = t.bot_id and o.revoked_at is null));

-- name: revoke_all_of_project
update tokens set revoked_at = :now where project_id = :project_id and revoked_at is null;

-- name: block_bots_of_project
-- Must run before revoke_all_of_project.
update users
set state = 'blocked'
where state = 'active'
  and id in (select coalesce(bot_id, pusher_id) from tokens where project_id = :project_id and revoked_at is null);

-- name: expect_live
-- Ends the batch if the token was revoked or has expired.
insert into expectations (holds)
select exists (select 1
  from tokens
  where id = :id and revoked_at is null and (expires_at is null or expires_at > :now));

-- name: name_bot
-- The username of a project's token. Ids of such users are below -100, because 0 and -1 have other meanings in filters
-- of lists.
insert into namespaces (id, kind, path, path_key)
values (min(-100, (select min(id) from namespaces)) - 1, 'user', :username, :username);

-- name: create_bot
-- external = 1: outside of the project this user sees only public projects.
insert into users (id, username, name, email, email_key, external, projects_limit, maker_id, created_at)
select id, path, :bot_name, path || '@noreply.invalid', path || '@noreply.invalid', 1, 0, :maker_id, :now
from namespaces
where path_key = :username;

-- name: create
-- The token gets the next id. It acts as the user :bot_id, or if that is null as the user :bot. A hook pushes in the
-- name of :bot.
insert into tokens (hash, id, user_id, kind, project_id, name, description, created_at, expires_at, scopes, access,
  bot_id, pusher_id, cross_project, issuer, claims)
values (:hash, {next_token_id}, :user_id,
  iif(:project_id is null, 'personal', iif(:access is null, 'hook', 'project')), :project_id, :title, :description,
  :now, :expires_at, :scopes, :access,
  iif(:access is null, null, coalesce(:bot_id, (select id from namespaces where path_key = :bot))),
  iif(:access is null and :project_id is not null, (select id from namespaces where path_key = :bot), null),
  :cross_project, :issuer, :claims);

-- name: created
-- returns: TokenRow
select * from token_rows where id = (select id from tokens where hash = :hash);

-- name: keep
-- Keeps the answer for the key :key of the user :caller_id. It has :salt instead of the token
-- (src/areas/tokens/create.rs).
insert into idempotency_keys (user_id, person_id, key, digest, answer, created_at)
select :caller_id, :person_id, :key, :digest,
  json_object('base', '', 'avatars', (select avatar_enabled from settings where id = 1), 'row',
    json_object('id', id, 'user_id', user_id, 'project_id', project_id, 'name', name, 'description', description,
      'created_at', created_at, 'expires_at', expires_at, 'revoked_at', revoked_at, 'bot_id', bot_id, 'scopes', scopes,
      'access', access, 'cross_project', cross_project, 'issuer', issuer, 'claims', claims, 'audience', audience,
      'salt', :salt)), :now
from token_rows
where id = (select id from tokens where hash = :hash)
on conflict (user_id, key) do update set person_id = excluded.person_id, digest = excluded.digest,
  answer = excluded.answer, record_id = excluded.record_id, created_at = excluded.created_at;

-- piece: whose
-- Whose tokens the list has: those of :user_id, or without one the caller's own, or everybody's for an administrator.
select coalesce(:user_id, iif(admin, null, id)) as owner_id, admin and :user_id is null as is_all, now
from caller
where :user_id is null or :user_id = id or admin

-- list: filter
-- scope: caller
-- shows: TokenRow of token_rows
-- order: t.id either way inside
-- filters: wanted
-- Personal tokens (`whose`) that pass :wanted.
with whose as materialized ({whose})
select t.id, {token_passes(w.now)} as fits
from whose w
cross join (
  {next_tokens(kind = 'personal' and user_id = (select owner_id from whose), :after_1)}
  union all
  {next_tokens(kind = 'personal', (select :after_1 from whose where is_all))}) y
cross join tokens t on t.id = y.id;

-- list: sorted
-- scope: caller
-- shows: TokenRow of token_rows
-- order: place
-- total: 1000
-- The newest of them in the order of :field.
with whose as materialized ({whose})
select id, place
from (select t.id, {place} as place
  from whose w
  cross join (
    {newest_tokens(kind = 'personal' and user_id = (select owner_id from whose))}
    union all
    {newest_tokens(kind = 'personal' and id < (select 9007199254740992 from whose where is_all))}) y
  cross join tokens t on t.id = y.id
  where {token_passes(w.now)})
where {after};
