-- Callers, and their access to projects and groups. It is defined here only. Ask the first three views for one caller
-- by its key, and never in a correlated subquery, because SQLite would scan a table.

-- key: the hash of a token. For ADMIN_TOKEN: the word user and an id or name. Without a token: anybody. A token of a
-- project acts as its own user (id) with the rights of the member who made it (member_id).
create view callers as
select
  t.hash as key, coalesce(t.expires_at, 9007199254740991) as expires_at, t.expires_at as token_expires_at, t.scopes,
  coalesce(t.last_used_at, 0) as token_used_at, t.project_id as token_project_id,
  coalesce(t.access, 40) as token_access, coalesce(b.id, m.id) as id,
  iif(b.id is null, m.username, b.username) as username, iif(b.id is null, m.name, b.name) as name, m.state,
  iif(b.id is null, m.email, b.email) as email, iif(b.id is null, m.admin, b.admin) as admin,
  iif(iif(b.id is null, m.external, b.external), 20, 10) as sees_from, m.id as member_id, m.admin as member_admin
from tokens t
cross join users m on m.id = t.user_id
left join users b on b.id = t.bot_id
where t.revoked_at is null and m.state = 'active' and (t.bot_id is null or b.state = 'active')
union all
select
  'user ' || u.id, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin
from users u
where u.state = 'active' and u.id > 0
union all
select
  'user ' || u.username, 9007199254740991, null, 1, null, null, 40, u.id, u.username, u.name, u.state, u.email, u.admin,
  iif(u.external, 20, 10), u.id, u.admin
from users u
where u.state = 'active' and u.id > 0
union all
select 'anybody', 9007199254740991, null, 2, null, null, 40, null, null, null, null, null, 0, 20, null, 0;

-- The access of each caller to each project that is not deleted. access: 0 none, 10 guest, 20 reporter, 30 developer,
-- 40 master, 50 owner, 60 administrator. visibility: 10 or 20 if the caller sees the project without being a member,
-- else 0.
create view project_access as
select
  c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  p.id as project_id, p.namespace_id, p.path_key, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
  iif(p.visibility < c.sees_from, 0, p.visibility) as visibility,
  min(
    iif(
      c.member_admin, 60,
      iif(
        p.namespace_id = c.member_id, 50,
        max(
          coalesce((select m.access from project_members m where m.user_id = c.member_id and m.project_id = p.id), 0),
          coalesce(
            (select m.access from group_members m where m.user_id = c.member_id and m.group_id = p.namespace_id), 0
          )
        )
      )
    ),
    iif(c.token_project_id is null, 60, c.token_access * (c.token_project_id = p.id))
  ) as access
from callers c
cross join projects p
where p.deleted_at is null and (c.id is not null or p.visibility = 20);

-- The access of each caller to each group. A member of one project of a group sees the group. A token of a project has
-- no access to groups.
create view group_access as
select
  c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  g.id as group_id, g.path as full_path,
  iif(
    c.token_project_id is null,
    iif(c.admin, 60, coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0)),
    0
  ) as access,
  iif(
    g.visibility >= c.sees_from, g.visibility,
    iif(
      c.token_project_id is null
        and exists (
          select 1
          from project_members m
          cross join projects p on p.id = m.project_id
          where m.user_id = c.id and m.namespace_id = g.id and p.deleted_at is null
        ),
      10, 0
    )
  ) as visibility
from callers c
cross join groups g;

-- The access of each user to each project that is not deleted, for mentioned users and assignees. Ask for one user and
-- one project. access and visibility are as in project_access. sees is 1 if the user sees the project.
create view project_viewers as
select
  u.id as user_id, u.username, u.state = 'active' and u.id > 0 as is_active, p.id as project_id, p.namespace_id,
  p.issues_enabled, iif(p.visibility < iif(u.external, 20, 10), 0, p.visibility) as visibility,
  iif(
    u.admin, 60,
    iif(
      p.namespace_id = u.id, 50,
      max(
        coalesce((select m.access from project_members m where m.user_id = u.id and m.project_id = p.id), 0),
        coalesce((select m.access from group_members m where m.user_id = u.id and m.group_id = p.namespace_id), 0)
      )
    )
  ) as access,
  p.visibility >= iif(u.external, 20, 10)
    or u.admin
    or p.namespace_id = u.id
    or exists (select 1 from project_members m where m.user_id = u.id and m.project_id = p.id)
    or exists (select 1 from group_members m where m.user_id = u.id and m.group_id = p.namespace_id) as sees
from users u
cross join projects p
where p.deleted_at is null;
