-- :is_inherited adds the members of a project's group, :with_owner the owner of its personal namespace. Of two
-- memberships of a user the one with the higher level counts, or the project's own if the levels are equal.

-- piece: member_fits
-- :search: part of a name, or :email for administrators. :among and :without: JSON lists of ids.
{is_named(s)} and (:among is null or u.id in (select value from json_each(:among)))
  and (:without is null or u.id not in (select value from json_each(:without)))

-- piece: named_users
-- Those in :users, a JSON list of ids and of usernames in lower case.
json_each(:users) d
cross join users u on u.id = iif(d.type = 'text', (select n.id from namespaces n where n.path_key = d.value), d.value)
  and u.id > 0 and u.deleted_at is null

-- list: list_of_project
-- scope: project
-- shows: MemberRow
-- order: m.user_id inside
-- filters: search, among, without
with standings as (
  select *
  from (select user_id, access, created_at, expires_at, 1 as is_own
    from project_members
    where project_id = (select project_id from scope) and user_id > :after_1
    order by user_id
    limit :looks)
  union all
  select *
  from (select user_id, access, created_at, expires_at, 0
    from group_members
    where group_id = (select namespace_id from scope where :is_inherited) and user_id > :after_1
    order by user_id
    limit :looks)
  union all
  select u.id, 50, p.created_at, null, 0
  from scope s
  cross join projects p on p.id = s.project_id
  cross join users u on u.id = p.namespace_id
  where :with_owner and u.id > :after_1
)
select m.user_id, u.id, u.username, u.name, u.state, u.email, m.standing / 2 as access, m.created_at, m.expires_at,
  {member_fits} as fits
from (select user_id, max(access * 2 + is_own) as standing, created_at, expires_at
  from standings
  group by user_id
  order by user_id
  limit :looks) m
cross join users u on u.id = m.user_id
cross join scope s;

-- list: list_of_group
-- scope: group
-- shows: MemberRow
-- order: m.user_id
-- filters: search, among, without
-- A group inherits no members.
select m.user_id, u.id, u.username, u.name, u.state, u.email, m.access, m.created_at, m.expires_at,
  {member_fits} as fits
from group_members m
cross join users u on u.id = m.user_id
cross join scope s
where m.group_id = (select group_id from scope) and {after};

-- name: bot_of_project
-- scope: project
-- returns: MemberRow?
-- The user :user_id of the caller's token, if it is a token of the project.
select u.id, u.username, u.name, u.state, u.email, s.access, u.created_at, null as expires_at
from scope s
cross join users u on u.id = :user_id
where s.user_id = u.id and s.token_project_id = s.project_id;

-- name: subjects_of_project
-- scope: project
-- returns: SubjectRow*
-- access is null if the user is not a member.
select u.id, u.username, u.name, u.state, u.email, iif(:with_owner and u.id = s.namespace_id, 50, m.access) as access,
  :with_owner and u.id = s.namespace_id as is_owner,
  iif(:with_owner and u.id = s.namespace_id, (select created_at from projects where id = s.project_id), m.created_at)
  as created_at, iif(:with_owner and u.id = s.namespace_id, null, m.expires_at) as expires_at
from scope s
cross join {named_users}
left join project_members m on m.user_id = u.id and m.project_id = s.project_id;

-- name: subjects_of_group
-- scope: group
-- returns: SubjectRow*
-- The same for a group.
select u.id, u.username, u.name, u.state, u.email, m.access, 0 as is_owner, m.created_at, m.expires_at
from scope s
cross join {named_users}
left join group_members m on m.user_id = u.id and m.group_id = s.group_id;

-- name: add_to_project
-- Ends the batch if the user is already a member.
insert into project_members (user_id, project_id, access, created_at, namespace_id, expires_at)
select :user_id, id, :access, :now, namespace_id, :expires_at
from projects
where id = :project_id;

-- name: add_to_group
insert into group_members (user_id, group_id, access, created_at, expires_at)
values (:user_id, :group_id, :access, :now, :expires_at);

-- name: change_in_project
update project_members
set access = :access, expires_at = :expires_at
where user_id = :user_id and project_id = :project_id
returning user_id;

-- name: change_in_group
-- No row for the last owner of a group.
update group_members
set access = :access, expires_at = :expires_at
where user_id = :user_id and group_id = :group_id
  and (access < 50 or :access = 50
    or exists (select 1 from group_members o where o.group_id = :group_id and o.access = 50 and o.user_id <> :user_id))
returning user_id;

-- name: remove_from_project
delete from project_members where user_id = :user_id and project_id = :project_id returning user_id;

-- name: remove_from_group
-- No row for the last owner of a group.
delete from group_members
where user_id = :user_id and group_id = :group_id
  and (access < 50
    or exists (select 1 from group_members o where o.group_id = :group_id and o.access = 50 and o.user_id <> :user_id))
returning user_id;

-- name: is_in_project
select user_id from project_members where user_id = :user_id and project_id = :project_id;

-- name: is_in_group
select user_id from group_members where user_id = :user_id and group_id = :group_id;
