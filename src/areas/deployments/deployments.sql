-- Deployments of a project with enabled builds. Their numbers (iid) ascend with their ids.

-- piece: page_by_number(table, number, lengths, rows)
-- The rows after the number :after. The page ends early if its texts have more than 3 MB.
with {page((select id, {number}
    from {table}
    where project_id = (select project_id from scope where builds_enabled) and {number} > :after
    order by {number}
    {reached}), {number}, {lengths})}
select r.*, p.own as fits, p.is_full as ends
from page p
cross join {rows} r on r.id = p.id
order by p.{number}

-- piece: total_of(table, number, kind)
-- The total: the greatest number given out minus the removed rows.
select max(coalesce((select max({number}) from {table} where project_id = s.project_id), 0), coalesce(x.last, 0))
  - coalesce(x.removed, 0) as total, 0 as counted
from scope s
left join removed_numbers x on x.project_id = s.project_id and x.kind = {kind}

-- piece: next_number(table, number, kind)
max(coalesce((select max({number}) from {table} where project_id = :project_id), 0),
  coalesce((select last from removed_numbers where project_id = :project_id and kind = {kind}), 0)) + 1

-- piece: newest
-- The newest deployment of the project :project_id.
(select id from deployments where project_id = :project_id order by iid desc limit 1)

-- piece: project_if(condition)
(select project_id from scope where builds_enabled and {condition})

-- piece: environment_if(condition)
(select e.id
  from scope s
  cross join environments e on e.project_id = s.project_id and e.name = :environment
  where s.builds_enabled and {condition})

-- piece: deployment_passes
-- Whether the deployment r passes the filters.
((:state is null or r.v4_state = :state) and (:updated_from is null or r.updated_at >= :updated_from)
  and (:updated_to is null or r.updated_at <= :updated_to)
  and (:finished_from is null or r.finished_at >= :finished_from)
  and (:finished_to is null or r.finished_at <= :finished_to))

-- piece: next_deployments(up, down)
-- The next :looks deployments after the number :after, or before it.
select *
from (select id from deployments where {up} and iid > :after order by iid limit :looks)
union all
select *
from (select id from deployments where {down} and iid < :after order by iid desc limit :looks)

-- piece: fitting_by_number
-- :looks deployments after the number :after, only of the environment :environment if that is set, and whether they
-- pass.
looked as materialized (
  select id, row_number() over () as number
  from (
    {next_deployments(project_id = {project_if(:environment is null and not :descends)},
      project_id = {project_if(:environment is null and :descends)})}
    union all
    {next_deployments(environment_id = {environment_if(not :descends)}, environment_id = {environment_if(:descends)})})
), fitting as materialized (
  select l.*, {deployment_passes} is true as fits
  from looked l
  cross join deployment_rows r on r.id = l.id
)

-- name: list
-- scope: project
-- returns: WalkRow<DeploymentRow>*
{page_by_number(deployments, iid, deployment_lengths, deployment_rows)};

-- name: total
-- scope: project
-- returns: WalkTotal?
{total_of(deployments, iid, 'deployment')};

-- name: filtered
-- scope: project
-- returns: WalkRow<ListedRow>*
-- Reads :looks deployments after the number :after, only of the environment :environment if that is set. Returns those
-- that match and the last one read.
with {fitting_by_number}, {page_of(fitting, deployment_lengths, deployment_rows)};

-- name: count
-- scope: project
-- returns: WalkTotal?
-- The number of deployments of the same list.
with {fitting_by_number} select {fitting_total(number = :looks)} from fitting;

-- name: newest
-- scope: project
-- returns: WalkRow<ListedRow>*
-- The matches among the thousand newest deployments in the order of another column. Deployments without a time come
-- first. :passed: how many of them the pages before have. The page ends early if its texts have more than 3 MB.
with looked as materialized (
  select *
  from (select id from deployments where project_id = {project_if(:environment is null)} order by iid desc limit 1000)
  union all
  select *
  from (select id from deployments where environment_id = {environment_if(true)} order by iid desc limit 1000)
), placed as materialized (
  select r.id,
    row_number() over (order by iif(:by_ref and not :descends, r.git_ref, null),
      iif(:by_ref and :descends, r.git_ref, null) desc,
      iif(:by_finish, coalesce(r.finished_at, -1), r.updated_at) * iif(:by_ref, 0, iif(:descends, -1, 1)),
      r.iid * iif(:descends, -1, 1)) as place
  from looked l
  cross join deployment_rows r on r.id = l.id
  where {deployment_passes}
  order by place
  {reached_after(:passed)}
), {page(placed, place, deployment_lengths)}
select r.*, p.place, p.own as fits, p.is_full as ends
from page p
cross join deployment_rows r on r.id = p.id
order by p.place;

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
select :project_id, {next_number(deployments, iid, 'deployment')},
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
