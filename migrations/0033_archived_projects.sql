-- Two views of 0004_access.sql with archived: whether the project is only read.
drop view project_access;
create view project_access as
select
  c.key, c.expires_at, c.scopes, c.token_project_id, c.id as user_id, c.member_id, c.admin, c.sees_from,
  p.id as project_id, p.namespace_id, p.path_key, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
  p.archived,
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

drop view project_viewers;
create view project_viewers as
select
  u.id as user_id, u.username, u.state = 'active' and u.id > 0 as is_active, p.id as project_id, p.namespace_id,
  p.issues_enabled, p.archived, iif(p.visibility < iif(u.external, 20, 10), 0, p.visibility) as visibility,
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
