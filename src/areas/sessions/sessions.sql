-- Sessions are rows of tokens (migrations/0037_sessions.sql).

-- name: text
-- returns: String?
select sign_in_text from settings where id = 1 and sign_in_text is not null;

-- piece: usual_end
-- The end of a session that begins now, by the settings s.
:now + 60000 * iif(s.session_expire_delay = 0, 1440, min(s.session_expire_delay, 525600))

-- name: start
-- The session of the user :user_id, who has the token with the hash :token. It ends with that token, or without a
-- stored one at :most. No row if the token has ended.
insert into tokens (hash, id, user_id, kind, name, created_at, expires_at, scopes, parent_id,
  parent_expires_at)
select :hash, {next_token_id}, u.id,
  'session', :browser, :now,
  min({usual_end},
    coalesce(:most, p.expires_at, 9007199254740991)), coalesce(p.scopes, 1), p.id, p.expires_at
from users u
cross join settings s on s.id = 1
left join tokens p on p.hash = :token and p.user_id = u.id and p.revoked_at is null
  and coalesce(p.expires_at > :now, 1)
where u.id = :user_id and u.state = 'active' and (p.id is not null or :most is not null);

-- name: start_by_access
-- The session of the active user with this e-mail address. That of user 1 is public.
insert into tokens (hash, id, user_id, kind, name, created_at, expires_at)
select :hash, {next_token_id}, u.id,
  'session', :browser, :now,
  {usual_end}
from users u
cross join settings s on s.id = 1
where u.email_key = :email_key and u.id > 1 and u.state = 'active';

-- name: known
-- returns: access::Known
-- The user with this e-mail address, the session, and what making an account takes. The name is :base, or the first
-- of a thousand numbers behind it that nobody has.
with recursive candidates(number, name) as (
  select 1, :base
  union all
  select number + 1, :base || (number + 1)
  from candidates
  where number < 1000 and exists (select 1 from namespaces where path_key = lower(name)))
select u.state, t.id as session_id, t.expires_at, s.signup_enabled,
  (select name from candidates order by number desc limit 1) as free_name,
  coalesce(s.domain_whitelist, '[]') as domain_whitelist, s.domain_blacklist_enabled, s.domain_blacklist
from settings s
left join users u on u.email_key = :email_key and u.id > 1
left join tokens t on t.hash = :hash
where s.id = 1;

-- name: end_oldest
-- Leaves the newest :most of the user whose new session has the hash :hash.
delete from tokens
where user_id = (select user_id from tokens where hash = :hash) and kind = 'session'
  and id <= (select id
    from tokens
    where user_id = (select user_id from tokens where hash = :hash) and kind = 'session'
    order by id desc
    limit 1 offset :most);

-- name: started
-- returns: Started?
select id, expires_at from tokens where hash = :hash;

-- name: end
-- scope: caller
-- returns: Ended?
delete from tokens
where hash = (select key from caller) and kind = 'session'
returning parent_id is null and user_id <> 1 as is_of_access,
  (select after_sign_out_path from settings where id = 1) as after_sign_out_path;

-- list: list
-- scope: caller
-- shows: Session
-- order: id desc
-- total: none
-- The sessions of the user :user_id that have not ended. Only this user and administrators get rows.
select id, created_at, last_used_at, expires_at, name as user_agent,
  iif(parent_id is not null, 'token', iif(user_id = 1, 'admin_token', 'access')) as via,
  hash = (select key from caller) as current
from tokens
where user_id = (select :user_id from caller where admin or id = :user_id) and kind = 'session'
  and expires_at > (select now from caller) and {after};

-- name: end_one
-- returns: i64?
delete from tokens where id = :id and user_id = :user_id and kind = 'session' returning id;
