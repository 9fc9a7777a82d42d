-- Environments of a project with enabled builds.

-- piece: environment_of_route
-- The environment :id of this project, e.
scope s cross join environments e on e.id = :id and e.project_id = s.project_id and s.builds_enabled

-- piece: environment_columns
id, number, name, external_url, created_at, updated_at, state, tier, description, slug

-- piece: free_slug
-- The first of :slugs that no environment of the project has. One that ends like those of a version before, which are
-- not stored, is left out where there are such environments.
(select c.value
  from json_each(:slugs) c
  where not exists (select 1 from environments e where e.project_id = :project_id and e.slug = c.value)
    and not (c.value glob '*-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
      and exists (select 1 from environments e where e.project_id = :project_id and e.slug is null))
  order by c.key
  limit 1)

-- list: environments
-- scope: project
-- shows: EnvironmentRow of environments
-- weighs: environment_lengths
-- order: number
-- total: total_environments
select id, number from environments where project_id = (select project_id from scope where builds_enabled) and {after};

-- name: total_environments
-- scope: project
-- returns: ListTotal?
{total_of(environments, number, 'environment')};

-- name: project_of_environments
-- scope: project
-- returns: ListProject
select json_object('id', p.id, 'name', p.name, 'path', p.path, 'full_name', p.full_name, 'full_path', p.full_path,
  'description', p.description, 'visibility', p.visibility, 'default_branch', p.default_branch, 'issues_enabled',
  p.issues_enabled, 'builds_enabled', p.builds_enabled, 'autoclose', p.autoclose, 'archived', p.archived, 'creator_id',
  p.creator_id, 'created_at', p.created_at, 'updated_at', p.updated_at) as project,
  (select f.files from root_files f where f.project_id = p.id) as root_files,
  (select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path), coalesce(g.description, ''),
    coalesce(g.created_at, (select u.created_at from users u where u.id = n.id)),
    json({user_object(n.id)}))
    from namespaces n
    left join groups g on g.id = n.id
    where n.id = p.namespace_id) as namespace
from scope s
cross join projects p on p.id = s.project_id;

-- list: search_environments
-- scope: project
-- shows: EnvironmentRow of environments
-- weighs: environment_lengths
-- order: number
-- filters: search, states
-- Those whose name has :search and whose state is in :states, JSON.
select id, number,
  {has_text(name, :search)} and (:states is null or state in (select value from json_each(:states))) as fits
from environments
where project_id = (select project_id from scope where builds_enabled) and {after};

-- list: named_environment
-- scope: project
-- shows: EnvironmentRow
-- order: e.number
-- The environment with the name.
select e.*
from scope s
cross join environments e on e.project_id = s.project_id and e.name = :name and {after}
where s.builds_enabled and (:states is null or e.state in (select value from json_each(:states)));

-- name: one_environment
-- scope: project
-- returns: EnvironmentRow?
select e.* from {environment_of_route};

-- name: last_success
-- scope: project
-- returns: DeploymentRow?
-- The newest successful deployment among the last thousand of the environment :id.
select r.*
from deployment_rows r
where r.id = (select w.id
  from (
    select n.id, n.state
    from deployments n
    where n.environment_id = (select e.id from {environment_of_route})
    order by n.iid desc
    limit 1000) w
  where w.state = 'success'
  limit 1);

-- name: environment_removal
-- scope: project
-- returns: EnvironmentRemoval?
-- The state, and whether the environment has more deployments than one request removes.
select e.state, exists (select 1 from deployments d where d.environment_id = e.id limit 1 offset 9000) as is_large,
  e.updated_at
from {environment_of_route};

-- name: environment
-- Creates the environment, or changes its address and makes it available again.
insert into environments (project_id, number, name, external_url, created_at, updated_at, slug)
select :project_id, {last_number(environments, number, 'environment')} + 1, :name, :external_url, :now, :now,
  {free_slug}
where true
on conflict (project_id, name) do update set external_url = coalesce(excluded.external_url, external_url),
  state = 'available', updated_at = excluded.updated_at
where coalesce(excluded.external_url, external_url) is not external_url or state <> 'available';

-- name: insert_environment
-- returns: EnvironmentRow?
-- No row if the name is taken.
insert into environments (project_id, number, name, external_url, tier, description, created_at, updated_at, slug)
select :project_id, {last_number(environments, number, 'environment')} + 1, :name, :external_url, :tier, :description,
  :now, :now, {free_slug}
where true
on conflict (project_id, name) do nothing
returning {environment_columns};

-- name: update_environment
-- returns: EnvironmentRow?
update environments
set external_url = iif(:keeps_url, external_url, :external_url), tier = coalesce(:tier, tier),
  description = iif(:keeps_description, description, :description), state = coalesce(:state, state), updated_at = :now
where id = :id
returning {environment_columns};

-- name: remove_deployments
-- Removes some deployments of a stopped environment.
delete from deployments
where id in (select d.id
  from environments e
  cross join deployments d on d.environment_id = e.id
  where e.id = :id and e.state = 'stopped'
  limit :most);

-- name: remove_environment
delete from environments where id = :id and state = 'stopped';
