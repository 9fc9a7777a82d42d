-- Pipelines of a project with enabled builds, and their jobs, the posted statuses. Ids ascend with time.

-- piece: pipelines(is_next, way, most)
-- {most} pipelines of the commit :commit and the branch or tag :ref_name where these are set.
select id
from (
  select *
  from (select pipeline_id as id
    from status_counts
    where {is_next}
      and project_id = (select project_id from scope where builds_enabled and :ref_name is null and :commit is null)
    order by pipeline_id {way}
    limit {most})
  union all
  select *
  from (select pipeline_id
    from status_counts
    where {is_next} and ref = :ref_name
      and project_id = (select project_id from scope where builds_enabled and :commit is null)
    order by pipeline_id {way}
    limit {most})
  union all
  select *
  from (select n.pipeline_id
    from scope s
    cross join commits c on c.project_id = s.project_id and c.sha = :commit
    cross join status_counts n on n.commit_id = c.id
    where s.builds_enabled and n.ref = coalesce(:ref_name, n.ref) and {is_next}
    order by n.pipeline_id {way}
    limit {most}))

-- piece: pipeline_fits
-- Whether the pipeline r passes the filters.
(:state is null or r.state = :state) and (:finished is null or r.state in ('success', 'failed', 'canceled'))
  and (:newest_of is null
    or (exists (select 1 from refs x where x.project_id = r.project_id and x.name = :newest_of || r.git_ref)
      and not exists (select 1
        from status_counts y
        where y.project_id = r.project_id and y.ref = r.git_ref and y.pipeline_id > r.id)))
  and (:username is null or r.user_id = (select id from users where username = :username))
  and (:updated_from is null or r.updated_at >= :updated_from)
  and (:updated_to is null or r.updated_at <= :updated_to)
  and (:created_from is null or r.created_at >= :created_from)
  and (:created_to is null or r.created_at <= :created_to)

-- piece: sort_value
case :by when 'status' then state when 'ref' then git_ref when 'user_id' then user_id when 'updated_at' then updated_at
  end

-- list: list
-- scope: project
-- shows: PipelineRow
-- order: r.id either way inside
-- filters: state, finished, newest_of, username, updated_from, updated_to, created_from, created_to
-- :newest_of is 'refs/heads/' or 'refs/tags/' for the newest pipeline of each of these.
select r.id, r.iid, r.git_ref, r.sha, r.state, r.created_at, r.updated_at, {pipeline_fits} as fits
from ({pipelines(pipeline_id {beyond} :after_1, {way}, :looks)}) l
cross join pipeline_rows r on r.project_id = (select project_id from scope) and r.id = l.id;

-- list: sorted
-- scope: project
-- shows: PipelineRow
-- order: place
-- total: total_of_newest
-- The same among the thousand newest, in the order :by.
select *
from (select r.id, r.iid, r.git_ref, r.sha, r.state, r.created_at, r.updated_at,
    row_number() over (
      order by iif(:descends, null, {sort_value}), iif(:descends, {sort_value}, null) desc, r.id desc) as place
  from ({pipelines(pipeline_id < 9007199254740992, desc, 1000)}) l
  cross join pipeline_rows r on r.project_id = (select project_id from scope) and r.id = l.id
  where {pipeline_fits})
where {after};

-- name: total_of_newest
-- scope: project
-- returns: ListTotal
-- null if there are more than a thousand.
select iif(count(*) > 1000, null, coalesce(sum({pipeline_fits}), 0)) as total, count(*) as counted
from ({pipelines(pipeline_id < 9007199254740992, desc, 1001)}) l
cross join pipeline_rows r on r.project_id = (select project_id from scope) and r.id = l.id;

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

-- list: jobs
-- scope: project
-- shows: super::jobs::JobRow of job_rows
-- weighs: job_lengths
-- order: l.id desc inside
-- filters: states, pipeline_id
-- Of the pipeline :pipeline_id, or of the project if it is null. Without :all only the newest of each name.
select l.id, (:states is null or instr(:states, ',' || iif(s.skipped, 'skipped', s.state) || ','))
  and (:pipeline_id is null
    or s.ref = (select n.ref from status_counts n where n.project_id = s.project_id and n.pipeline_id = :pipeline_id))
  and (:pipeline_id is null or :all
    or exists (select 1
      from status_heads h
      where h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name and h.status_id = s.id)) as fits
from (
  select *
  from (select id
    from statuses
    where project_id = (select project_id from scope where builds_enabled and :pipeline_id is null) and id < :after_1
    order by id desc
    limit :looks)
  union all
  select *
  from (select y.id
    from scope s
    cross join status_counts n on n.project_id = s.project_id and n.pipeline_id = :pipeline_id
    cross join statuses y on y.commit_id = n.commit_id and y.id < :after_1
    where s.builds_enabled
    order by y.id desc
    limit :looks)) l
cross join statuses s on s.id = l.id;

-- name: job
-- scope: project
-- returns: super::jobs::JobRow?
select r.*,
  (select (t.failed + t.errors) || ' of ' || t.total || ' tests failed'
    from reports t
    where t.job_id = r.id and t.kind = 1) as failures
from scope s
cross join job_rows r on r.id = :id and r.project_id = s.project_id
where s.builds_enabled;
