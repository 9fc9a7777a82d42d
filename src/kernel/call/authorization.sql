-- The first statement of a batch returns the caller and the resource of the route, always in one row. caller is null if
-- the key is wrong, and resource is null if it does not exist or the caller does not see it.

-- piece: caller
(select json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email, 'admin', admin,
  'member_id', member_id, 'sees_from', sees_from, 'token_project_id', token_project_id, 'scopes', scopes,
  'token_expires_at', token_expires_at, 'token_used_at', token_used_at, 'kind', kind)
  from callers
  where key = :key and expires_at > :now and id is not null)

-- name: in_project
-- returns: Authorization
select {caller} as caller,
  (select json_object('id', project_id, 'full_path', full_path, 'visibility', visibility, 'access', access,
    'default_branch', default_branch, 'issues_enabled', issues_enabled, 'builds_enabled', builds_enabled, 'archived',
    archived)
    from (select *
      from project_access
      where key = :key and expires_at > :now
        and project_id = ifnull((select id from projects where path_key = :place), :place))
    where access > 0 or visibility > 0) as resource, (select avatar_enabled from settings) as avatars;

-- name: in_group
-- returns: Authorization
select {caller} as caller,
  (select json_object('id', group_id, 'full_path', full_path, 'visibility', visibility, 'access', access,
    'default_branch', null, 'issues_enabled', null, 'builds_enabled', null)
    from (select *
      from group_access
      where key = :key and expires_at > :now
        and group_id = ifnull((select id from namespaces where path_key = :place and kind = 'group'), :place))
    where access > 0 or visibility > 0) as resource, (select avatar_enabled from settings) as avatars;

-- name: alone
-- returns: Authorization
select {caller} as caller, null as resource, (select avatar_enabled from settings) as avatars;

-- name: note_use
-- Writes that the token with the hash :hash is used now, unless it was used after :before.
update tokens set last_used_at = :now where hash = :hash and coalesce(last_used_at, 0) <= :before;

-- name: expect_still_allowed
-- scope: project
-- Ends the batch if the caller may no longer do what the route does.
insert into expectations (holds) select exists (select 1 from scope);
