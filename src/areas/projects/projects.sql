-- A deleted project stays as a row until retention removes it.

-- name: one
-- scope: project
-- returns: ProjectRow?
-- The project of the route with the caller's levels. If the caller's token is one of the project, the level is that of
-- the token.
select r.*,
  (select m.access from project_members m where m.user_id = scope.user_id and m.project_id = r.id) as project_access,
  iif(scope.token_project_id is null, null, scope.access) as token_access,
  (select m.access from group_members m where m.user_id = scope.user_id and m.group_id = r.namespace_id) as group_access
from scope
cross join project_rows r on r.id = project_id;

-- name: seen
-- returns: ProjectRow?
-- The project :id, or the newest one if :id is null, with the levels of :user_id.
select r.*,
  (select m.access from project_members m where m.user_id = :user_id and m.project_id = r.id) as project_access,
  (select m.access from group_members m where m.user_id = :user_id and m.group_id = r.namespace_id) as group_access,
  null as token_access
from project_rows r
where r.id = coalesce(:id, (select max(id) from projects));

-- name: before_create
-- scope: caller
-- returns: BeforeCreate?
-- creator_id: null if no user :creator_id exists. :namespace_id: null for the caller's own namespace. Only a personal
-- namespace has a limit.
select (select u.id from users u where u.id = :creator_id and u.deleted_at is null) as creator_id,
  s.default_project_visibility as default_visibility, s.restricted_visibility_levels as restricted,
  (select json_object('id', n.id, 'access',
    iif(caller.admin, 60,
      iif(n.id = caller.id, 50,
        coalesce((select m.access from group_members m where m.user_id = caller.id and m.group_id = n.id), 0))),
    'visibility', (select g.visibility from groups g where g.id = n.id), 'limit',
    iif(u.id is null, null, coalesce(u.projects_limit, s.default_projects_limit)), 'count',
    coalesce(u.projects_count, 0))
    from namespaces n
    left join users u on u.id = n.id
    where n.id = coalesce(:namespace_id, caller.id) and n.path <> '/' and n.id > 0) as namespace
from caller
cross join settings s on s.id = 1;

-- name: create
-- No row if the namespace already has :limit projects.
insert into projects (namespace_id, creator_id, name, path, full_path, path_key, full_name, description, visibility,
  issues_enabled, builds_enabled, default_branch, autoclose, created_at, updated_at)
select n.id, :creator_id, :name, :path, n.path || '/' || :path, lower(n.path || '/' || :path), coalesce(g.name, u.name)
  || ' / ' || :name, :description, :visibility, :issues_enabled, :builds_enabled, :default_branch, :autoclose, :now,
  :now
from namespaces n
left join groups g on g.id = n.id
left join users u on u.id = n.id
where n.id = :namespace_id and n.path <> '/' and (:limit is null or u.projects_count < :limit)
returning id;

-- name: count_personal
-- Must follow a statement that created or deleted a project. Counts it if the namespace is a user's. Triggers count
-- projects of groups.
update users set projects_count = projects_count + :change where changes() = 1 and id = :namespace_id;

-- name: count_issues
-- Adds the counters for issues of the newest project.
insert into issue_counts (project_id) select max(id) from projects where true on conflict do nothing;

-- name: before_edit
-- scope: project
-- returns: edit::BeforeEdit?
-- restricted: visibilities that only administrators may set.
select p.visibility, s.restricted_visibility_levels as restricted,
  exists (select 1 from refs r where r.project_id = p.id and r.name = 'refs/heads/' || :branch) as branch_exists
from scope
cross join projects p on p.id = scope.project_id
cross join settings s on s.id = 1;

-- name: expect_unmodified
-- Ends the batch if the project was deleted, or changed after :since.
insert into expectations (holds)
select exists (select 1 from projects where id = :id and deleted_at is null and updated_at <= :since);

-- name: update
-- Null keeps a column. An empty description becomes null. A change of nothing writes nothing.
update projects
set name = coalesce(:name, name), path = coalesce(:path, path),
  full_name = coalesce((select coalesce(g.name, u.name) || ' / ' || :name
    from namespaces n
    left join groups g on g.id = n.id
    left join users u on u.id = n.id
    where n.id = namespace_id), full_name),
  full_path = coalesce((select n.path || '/' || :path from namespaces n where n.id = namespace_id), full_path),
  path_key = coalesce((select lower(n.path || '/' || :path) from namespaces n where n.id = namespace_id), path_key),
  description = nullif(coalesce(:description, description), ''), visibility = coalesce(:visibility, visibility),
  default_branch = coalesce(:default_branch, default_branch),
  issues_enabled = coalesce(:issues_enabled, issues_enabled),
  builds_enabled = coalesce(:builds_enabled, builds_enabled), autoclose = coalesce(:autoclose, autoclose),
  updated_at = max(updated_at + 1, :now)
where id = :id and deleted_at is null
  and (name, path, coalesce(description, ''), visibility, default_branch, issues_enabled, builds_enabled, autoclose) is
  not (coalesce(:name, name), coalesce(:path, path), coalesce(:description, description, ''),
    coalesce(:visibility, visibility), coalesce(:default_branch, default_branch),
    coalesce(:issues_enabled, issues_enabled), coalesce(:builds_enabled, builds_enabled),
    coalesce(:autoclose, autoclose));

-- name: set_archived
update projects
set archived = :archived, updated_at = max(updated_at + 1, :now)
where id = :id and deleted_at is null and archived <> :archived;

-- name: delete
-- The new path_key makes the path available again.
update projects set deleted_at = :now, path_key = '/' || id where id = :id and deleted_at is null;

-- name: deleted
-- scope: caller
-- returns: edit::DeletedProject?
-- The namespace in which the project is restored: its own, or the caller's if its group is deleted. No row if the
-- removal of the content has begun.
select p.id, iif(n.path = '/', caller.id, n.id) as namespace_id
from caller
cross join projects p on p.id = :id
cross join namespaces n on n.id = p.namespace_id
where p.deleted_at is not null and p.purged_at is null;

-- name: restore
-- Restores the project with the current names of the namespace. It is at most as visible as its group.
update projects
set deleted_at = null, namespace_id = n.id, updated_at = :now, full_path = n.path || '/' || projects.path,
  path_key = lower(n.path || '/' || projects.path), full_name = n.name || ' / ' || projects.name,
  visibility = min(projects.visibility, n.visibility)
from (select n.id, n.path, coalesce(g.name, u.name) as name, coalesce(g.visibility, 20) as visibility
  from namespaces n
  left join groups g on g.id = n.id
  left join users u on u.id = n.id
  where n.path <> '/') n
where projects.id = :id and n.id = :namespace_id and projects.deleted_at is not null and projects.purged_at is null;

-- name: follow_members
-- The members of a project know its namespace.
update project_members set namespace_id = :namespace_id where project_id = :id and namespace_id <> :namespace_id;

-- name: is_user
-- scope: caller
-- A row if :user is the id or the path in lower case of a user.
select u.id
from caller
cross join users u on u.id > 0 and u.deleted_at is null
  and u.id = iif(typeof(:user) = 'text', (select id from namespaces where path_key = :user), :user);

-- name: of_token
-- scope: caller
-- returns: ProjectRow?
-- The project of the caller's token, if it is one of a project and that passes the filters. token_access: at most the
-- access of who made the token.
select r.*, null as project_access, null as group_access, a.access as token_access
from caller c
cross join project_access a on a.key = (select ?1) and a.project_id = c.token_project_id
cross join projects p on p.id = a.project_id
cross join project_rows r on r.id = p.id
where a.access >= coalesce(:least, 1) and p.visibility = coalesce(:visibility, p.visibility)
  and p.archived = coalesce(:archived, p.archived) and p.issues_enabled >= :with_issues
  and p.updated_at between :updated_from and :updated_to and p.id between :first_id and :last_id
  and {has_text((select text from project_texts where id = p.id and kind = :searched), :search)};

-- name: count
-- scope: caller
-- returns: ListTotal?
-- Counts the projects that the caller is a member of, from counters. With :own, the projects of the caller's own
-- namespace.
with places as materialized (
  select u.id, u.projects_count
  from caller
  cross join users u on u.id = caller.id
  union all
  select g.id, g.projects_count
  from caller
  cross join group_members m on m.user_id = caller.id and not :own
  cross join groups g on g.id = m.group_id
)
select (select sum(projects_count) from places)
  + (select count(*)
    from caller
    cross join project_members m on m.user_id = caller.id and not :own
    cross join projects p on p.id = m.project_id
    where p.deleted_at is null and p.namespace_id not in (select id from places)) as total, 0 as counted
from caller;

-- name: count_matching
-- scope: caller
-- returns: ListTotal?
-- The same with filters. The total is null if more than 10,000 projects have to be read.
with places as materialized (
  select id
  from caller
  union all
  select m.group_id
  from caller
  cross join group_members m on m.user_id = caller.id and not :own
)
select iif(count(*) > 10000, null, coalesce(sum(fits), 0)) as total, 2 * count(*) as counted
from (
  select p.archived = coalesce(:archived, p.archived)
    and {has_text((select text from project_texts where id = p.id and kind = 2), :search)} as fits
  from (select o.id
    from places
    cross join (select 0 as level union all select 10 union all select 20) levels
    cross join projects o on o.namespace_id = places.id and o.visibility = level and o.deleted_at is null
    where level = coalesce(:visibility, level)
    union all
    select o.id
    from caller
    cross join project_members m on m.user_id = caller.id and not :own
    cross join projects o on o.id = m.project_id
    where o.deleted_at is null and o.visibility = coalesce(:visibility, o.visibility)
      and o.namespace_id not in (select id from places)
    limit 10001) found
  cross join projects p on p.id = found.id);
