-- Pipelines of a project with enabled builds, and their jobs, the posted statuses. Ids ascend with time.

-- piece: ids(matching, way, allowed)
-- The ids of :looks pipelines.
select *
from (select pipeline_id as id
  from status_counts
  where {matching} and project_id = (select project_id from scope where builds_enabled and {allowed})
  order by pipeline_id {way}
  limit :looks)

-- piece: looked
-- :looks pipelines after the id :after, or :backwards before it, of the commit :commit and the branch or tag :ref_name
-- where these are set.
select id, row_number() over () as number
from (
  {ids(pipeline_id < :after, desc, :backwards and :ref_name is null and :commit is null)}
  union all
  {ids(pipeline_id > :after, asc, not :backwards and :ref_name is null and :commit is null)}
  union all
  select *
  from (
    {ids(pipeline_id < :after and ref = :ref_name, desc, :backwards and :commit is null)}
    union all
    {ids(pipeline_id > :after and ref = :ref_name, asc, not :backwards and :commit is null)}
    limit :looks)
  union all
  select *
  from (select n.pipeline_id
    from scope s
    cross join commits c on c.project_id = s.project_id and c.sha = :commit
    cross join status_counts n on n.commit_id = c.id
    where s.builds_enabled and n.ref = coalesce(:ref_name, n.ref)
      and iif(:backwards, n.pipeline_id < :after, n.pipeline_id > :after)
    order by n.pipeline_id * iif(:backwards, -1, 1)
    limit :looks))

-- piece: sort_value
case :by when 'status' then state when 'ref' then git_ref when 'user_id' then user_id when 'updated_at' then updated_at
  end

-- piece: in_order
iif(:descends, null, {sort_value}), iif(:descends, {sort_value}, null) desc, number

-- piece: looked_jobs
-- :looks jobs before the id :before, and whether they belong to the list.
looked as materialized (
  select id, row_number() over () as number
  from (
    select *
    from (select id
      from statuses
      where project_id = (select project_id from scope where builds_enabled and :pipeline_id is null) and id < :before
      order by id desc
      limit :looks)
    union all
    select *
    from (select y.id
      from scope s
      cross join status_counts n on n.project_id = s.project_id and n.pipeline_id = :pipeline_id
      cross join statuses y on y.commit_id = n.commit_id and y.id < :before
      where s.builds_enabled
      order by y.id desc
      limit :looks))
), fitting as materialized (
  select l.id, l.number, (:states is null or instr(:states, ',' || iif(s.skipped, 'skipped', s.state) || ','))
    and (:pipeline_id is null
      or s.ref = (select n.ref from status_counts n where n.project_id = s.project_id and n.pipeline_id = :pipeline_id))
    and (:pipeline_id is null or :all
      or exists (select 1
        from status_heads h
        where h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name and h.status_id = s.id)) as fits
  from looked l
  cross join statuses s on s.id = l.id
)

-- name: list
-- scope: project
-- returns: WalkRow<PipelineRow>*
-- The matches among :looks pipelines after the id :after, or :backwards before it, and the last one read. If :by is
-- set, the matches among the thousand newest in that order. :commit limits both to the commit with this hash, and
-- :ref_name to a branch or tag. :newest_of is 'refs/heads/' or 'refs/tags/' for the newest pipeline of each of these.
with looked as materialized ({looked}),
  fitting as materialized (
    select l.number, r.*,
      ((:state is null or r.state = :state) and (:finished is null or r.state in ('success', 'failed', 'canceled'))
        and (:newest_of is null
          or (exists (select 1 from refs x where x.project_id = r.project_id and x.name = :newest_of || r.git_ref)
            and not exists (select 1
              from status_counts y
              where y.project_id = r.project_id and y.ref = r.git_ref and y.pipeline_id > r.id)))
        and (:username is null or r.user_id = (select id from users where username = :username))
        and (:updated_from is null or r.updated_at >= :updated_from)
        and (:updated_to is null or r.updated_at <= :updated_to)
        and (:created_from is null or r.created_at >= :created_from)
        and (:created_to is null or r.created_at <= :created_to)) as fits
    from looked l
    cross join pipeline_rows r on r.project_id = (select project_id from scope) and r.id = l.id
  )
select id, iid, git_ref, sha, state, created_at, updated_at, fits and nth > :skip as fits,
  :by is null and number = :looks as ends
from (select *, sum(fits) over (order by {in_order}) as nth from fitting)
where fits and nth > :skip or :by is null and number = :looks
order by {in_order}
limit :most;

-- name: count
-- scope: project
-- returns: WalkTotal?
-- The number of these :looks pipelines without other filters.
select {total_of_all} from ({looked}) where (select project_id from scope) is not null;

-- name: one
-- scope: project
-- returns: SingleRow?
-- The pipeline :id, or else the newest one of the tip of the branch or tag :ref_name (null: the default branch).
with found as (
  select coalesce(:id,
    (select n.pipeline_id
      from (select s.project_id, coalesce(:ref_name, s.default_branch) as name) b
      cross join refs r on r.project_id = b.project_id and r.name in ('refs/heads/' || b.name, 'refs/tags/' || b.name)
      cross join status_counts n on n.commit_id = r.commit_id and n.ref = b.name
      order by r.name
      limit 1)) as id, s.project_id
  from scope s
  where s.builds_enabled
)
select r.id, r.iid, r.git_ref, r.sha, r.state, r.created_at, r.updated_at, {user_object(r.user_id)} as author,
  (select json_group_array(json_array(started_at, finished_at, coverage))
    from (select s.started_at, s.finished_at, s.coverage
      from status_heads h
      cross join statuses s on s.id = h.status_id
      where h.commit_id = r.commit_id and h.ref = r.git_ref
      limit 1000)) as spans,
  exists (select 1 from refs t where t.project_id = r.project_id and t.name = 'refs/tags/' || r.git_ref)
  and not exists (select 1 from refs t where t.project_id = r.project_id and t.name = 'refs/heads/' || r.git_ref) as tag
from found f
cross join pipeline_rows r on r.project_id = f.project_id and r.id = f.id;

-- name: jobs
-- scope: project
-- returns: WalkRow<super::jobs::JobRow>*
-- The matches among :looks jobs before the id :before, and the last one read: of the pipeline :pipeline_id, or of the
-- project if it is null. Without :all only the newest of each name. The page ends early if its texts have more than 3
-- MB.
with {looked_jobs}, {page_of(fitting, job_lengths, job_rows)};

-- name: count_jobs
-- scope: project
-- returns: WalkTotal?
-- The number of jobs of the same list.
with {looked_jobs} select {fitting_total(number = :looks)} from fitting;

-- name: job
-- scope: project
-- returns: super::jobs::JobRow?
select r.*
from scope s
cross join job_rows r on r.id = :id and r.project_id = s.project_id
where s.builds_enabled;
