-- name: own
-- scope: caller
-- returns: ProfileRow?
select p.* from caller c cross join profile_rows p on p.id = c.id;

-- name: one
-- scope: caller
-- returns: ProfileRow?
select p.*
from caller c
cross join users u on u.id = :id and u.deleted_at is null
cross join profile_rows p on p.id = u.id;

-- name: bot
-- scope: caller
-- returns: ProfileRow?
-- The user :id of a project's token, for callers who see the project. Its id is in the username: `project_7_bot_..`.
select p.*
from caller
cross join users u on u.id = :id and u.id < 0 and u.deleted_at is null
cross join project_access a on a.key = (select ?1) and a.project_id = cast(substr(u.username, 9) as integer)
cross join profile_rows p on p.id = u.id
where a.access > 0 or a.visibility > 0;

-- name: before_create
-- scope: caller
-- returns: BeforeCreation
-- Whether another user has the e-mail address or the name, and the settings for domains.
select exists (select 1 from users where email_key = :email) as email_taken,
  exists (select 1 from namespaces where path_key = :username) as username_taken,
  coalesce(s.domain_whitelist, '[]') as domain_whitelist, s.domain_blacklist_enabled, s.domain_blacklist
from caller
cross join settings s on s.id = 1;

-- name: before_update
-- scope: caller
-- returns: change::BeforeUpdate?
-- Whether another user has the e-mail address or the name.
select u.id, u.username, u.email_key, u.projects_count as projects,
  exists (select 1 from users where email_key = :email and id <> u.id) as email_taken,
  exists (select 1 from namespaces where path_key = :username and id <> u.id) as username_taken
from caller
cross join users u on u.id = :id and u.deleted_at is null;

-- name: take_name
-- The namespace gets the next id, which the user shares.
insert into namespaces (kind, path, path_key) values ('user', :username, :username_key);

-- name: create
insert into users (id, username, name, email, email_key, admin, bio, location, skype, linkedin, twitter, website_url,
  projects_limit, created_at, external, state)
select id, path, :name, :email, :email_key, :admin, :bio, :location, :skype, :linkedin, :twitter, :website_url,
  :projects_limit, :now, :external, :new_state
from namespaces
where path_key = :username_key;

-- name: created
-- returns: ProfileRow
select * from profile_rows where id = (select id from namespaces where path_key = :username_key);

-- name: update
-- Null keeps a value. An empty bio or location becomes null.
update users
set email = coalesce(:email, email), email_key = coalesce(:email_key, email_key), name = coalesce(:name, name),
  username = coalesce(:username, username), admin = coalesce(:admin, admin), external = coalesce(:external, external),
  bio = nullif(coalesce(:bio, bio), ''), location = nullif(coalesce(:location, location), ''),
  skype = coalesce(:skype, skype), linkedin = coalesce(:linkedin, linkedin), twitter = coalesce(:twitter, twitter),
  website_url = coalesce(:website_url, website_url), projects_limit = iif(:keeps_limit, projects_limit, :projects_limit)
where id = :id and deleted_at is null;

-- name: change_username
-- Changes nothing unless `update` has changed the user, who may have been deleted meanwhile.
update namespaces
set path = :username, path_key = :username_key
where id = :id and :username = (select username from users where id = :id);

-- name: profile
-- returns: ProfileRow?
select p.* from users u cross join profile_rows p on p.id = u.id where u.id = :id and u.deleted_at is null;

-- name: set_state
-- Does not change a user that the LDAP directory blocked.
update users set state = :new_state where id = :id and state <> 'ldap_blocked' and deleted_at is null;

-- name: forget
-- Leaves a ghost, which keeps only the id of the user. It also changes the state of LDAP users, which set_state does
-- not.
update users
set username = :username, name = 'Ghost User', email = :username || '@noreply.invalid', email_key = :username
  || '@noreply.invalid', state = 'blocked', admin = 0, bio = null, location = null, skype = '', linkedin = '',
  twitter = '', website_url = '', deleted_at = :now
where id = :id and deleted_at is null;

-- name: block_bots
-- Blocks the users of the project tokens that belong to the user :id. Must run before revoke_tokens.
update users
set state = 'blocked'
where state = 'active' and id in (select bot_id from tokens where user_id = :id and revoked_at is null);

-- name: end_sessions
delete from tokens where user_id = :id and kind = 'session';

-- name: revoke_tokens
update tokens set revoked_at = :now where user_id = :id and revoked_at is null;

-- name: leave_address
-- Gives some projects of the namespace a temporary path_key, a slash with the id of the namespace and of the project.
-- So the next chunk finds the remaining projects without reading these again.
update projects
set path_key = '/' || namespace_id || '/' || id
where id in (
  select p.id
  from namespaces n
  cross join projects p on p.path_key > n.path_key || '/' and p.path_key < n.path_key || '0'
  where n.id = :namespace_id
  order by p.path_key
  limit :most);

-- name: take_address
-- Gives some projects with a temporary path_key their new address and full name.
update projects
set path_key = lower(now.path || '/' || projects.path), full_path = now.path || '/' || projects.path,
  full_name = now.name || ' / ' || projects.name
from (select n.path, coalesce(g.name, u.name) as name
  from namespaces n
  left join groups g on g.id = n.id
  left join users u on u.id = n.id
  where n.id = :namespace_id) now
where projects.id in (
  select p.id
  from namespaces n
  cross join projects p on p.path_key > '/' || n.id || '/' and p.path_key < '/' || n.id || '0'
  where n.id = :namespace_id
  order by p.path_key
  limit :most);
