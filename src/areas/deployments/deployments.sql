-- Deployments of a project with enabled builds. Their numbers (iid) ascend with their ids.

-- piece: total_of(table, number, kind)
-- The total: the greatest number given out minus the removed rows.
select max(coalesce((select max({number}) from {table} where project_id = s.project_id), 0), coalesce(x.last, 0))
  - coalesce(x.removed, 0) as total, 0 as counted
from scope s
left join removed_numbers x on x.project_id = s.project_id and x.kind = {kind}

-- piece: newest
-- The newest deployment of the project :project_id.
(select id from deployments where project_id = :project_id order by iid desc limit 1)

-- piece: project_of_list
-- The project, if the list is of all of its environments.
(select project_id from scope where builds_enabled and :environment is null)

-- piece: environment_of_list
(select e.id
  from scope s
  cross join environments e on e.project_id = s.project_id and e.name = :environment
  where s.builds_enabled)

-- piece: deployment_passes
-- Whether the deployment r passes the filters.
((:state is null or r.v4_state = :state) and (:updated_from is null or r.updated_at >= :updated_from)
  and (:updated_to is null or r.updated_at <= :updated_to)
  and (:finished_from is null or r.finished_at >= :finished_from)
  and (:finished_to is null or r.finished_at <= :finished_to))

-- list: list
-- scope: project
-- shows: DeploymentRow of deployment_rows
-- weighs: deployment_lengths
-- order: iid
-- total: total
select id, iid from deployments where project_id = (select project_id from scope where builds_enabled) and {after};

-- name: total
-- scope: project
-- returns: ListTotal?
{total_of(deployments, iid, 'deployment')};

-- list: filtered
-- scope: project
-- shows: DeploymentRow of deployment_rows
-- weighs: deployment_lengths
-- order: l.iid either way inside
-- filters: state, updated_from, updated_to, finished_from, finished_to
-- Only those of the environment :environment if that is set.
select l.id, l.iid, {deployment_passes} is true as fits
from (
  select *
  from (select id, iid
    from deployments
    where project_id = {project_of_list} and iid {beyond} :after_1
    order by iid {way}
    limit :looks)
  union all
  select *
  from (select id, iid
    from deployments
    where environment_id = {environment_of_list} and iid {beyond} :after_1
    order by iid {way}
    limit :looks)) l
cross join deployment_rows r on r.id = l.id;

-- list: newest
-- scope: project
-- shows: DeploymentRow of deployment_rows
-- weighs: deployment_lengths
-- order: place
-- total: total_of_newest
-- The matches among the thousand newest deployments in the order of another column. Deployments without a time come
-- first.
select id, place
from (select r.id,
    row_number() over (order by iif(:by_ref and not :descends, r.git_ref, null),
      iif(:by_ref and :descends, r.git_ref, null) desc,
      iif(:by_finish, coalesce(r.finished_at, -1), r.updated_at) * iif(:by_ref, 0, iif(:descends, -1, 1)),
      r.iid * iif(:descends, -1, 1)) as place
  from ({newest_deployments(1000)}) l
  cross join deployment_rows r on r.id = l.id
  where {deployment_passes})
where {after};

-- piece: newest_deployments(most)
select *
from (select id from deployments where project_id = {project_of_list} order by iid desc limit {most})
union all
select *
from (select id from deployments where environment_id = {environment_of_list} order by iid desc limit {most})

-- name: total_of_newest
-- scope: project
-- returns: ListTotal
-- null if there are more than a thousand deployments.
select iif(count(*) > 1000, null, coalesce(sum({deployment_passes}), 0)) as total, count(*) as counted
from ({newest_deployments(1001)}) l
cross join deployment_rows r on r.id = l.id;

-- name: one
-- scope: project
-- returns: DeploymentRow?
-- The deployment of this project with the id :id.
select r.*
from scope s
cross join deployment_rows r on r.id = :id and r.project_id = s.project_id
where s.builds_enabled;

-- name: insert
insert into deployments (project_id, iid, environment_id, commit_id, ref, tag, user_id, changed_by, name, stage, state,
  coverage, created_at, started_at, finished_at)
select :project_id, {last_number(deployments, iid, 'deployment')} + 1,
  (select id from environments where project_id = :project_id and name = :environment), :commit_id, :ref_name, :tag,
  :user_id, :user_id, :job, :stage, :state, :coverage, :now, iif(:state = 'running', :now, null),
  iif(:state in ('success', 'failed', 'canceled'), :now, null);

-- name: last
-- returns: DeploymentRow?
select * from deployment_rows where id = {newest};

-- name: keep
-- Stores the newest deployment of the project as the answer to the idempotency key.
{keep_answer(json_object('id', r.id, 'iid', r.iid, 'created_at', r.created_at, 'user', json(r.user), 'environment',
    json(r.environment), 'job', json(r.job), 'author', json(r.author), 'commit', json(r."commit")),
  from (select :user_id as user_id, :person_id as member_id, :now as now) s
  cross join deployment_rows r on r.id = {newest})};

-- name: change
-- No row if the deployment refuses the state: a running one does not become pending. A repeat leaves the times.
update deployments
set state = :state, coverage = coalesce(:coverage, coverage), changed_by = iif(state = :state, changed_by, :user_id),
  started_at = iif(state = :state, started_at, case :state when 'running' then :now when 'pending' then null
    else started_at end),
  finished_at = iif(state = :state, finished_at, iif(:state in ('success', 'failed', 'canceled'), :now, null))
where id = :id and not (state = 'running' and :state = 'pending')
  and not (:repeat_is_refused and state = :state and state in ('pending', 'running'))
returning id;

-- name: by_id
-- returns: DeploymentRow?
select * from deployment_rows where id = :id;

-- name: removal
-- scope: project
-- returns: DeploymentRemoval?
-- The state, and whether none of the next thousand deployments to the environment succeeded.
select d.state,
  not exists (select 1
    from (select n.state
      from deployments n
      where n.environment_id = d.environment_id and n.iid > d.iid
      order by n.iid
      limit 1000) n
    where n.state = 'success') as is_last, coalesce(d.finished_at, d.started_at, d.created_at) as updated_at
from scope c
cross join deployments d on d.id = :id and d.project_id = c.project_id
where c.builds_enabled;

-- name: remove
delete from deployments where id = :id and state <> 'running';
