-- A user has at most one unfinished status of each name on a ref of a commit. A post changes that one, or adds a status
-- (behaviour 8.2).

-- piece: commit_of_route
-- The commit of the route, t.
scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)

-- piece: ref_of_unfinished
(select q.ref
  from statuses q
  where q.commit_id = t.commit_id and q.name = :job and q.user_id = s.user_id and q.state in ('pending', 'running')
  order by q.ref = t.first_branch desc, q.id desc
  limit 1)

-- piece: target
-- The commit of the route, and the ref of a status that is posted to it. The first that is not null: :ref_name, the ref
-- of the pipeline, the branch by which the request names the commit, the ref of the caller's unfinished status of this
-- name, the first branch with the commit.
select s.user_id, s.now, t.*,
  coalesce(:ref_name, {ref_of_pipeline(t.project_id)}, t.tip_of, {ref_of_unfinished}, t.first_branch, '') as ref
from {commit_of_route}

-- piece: open_status
-- The target t with the caller's unfinished status o of the ref and name.
target t
left join statuses o on o.commit_id = t.commit_id and o.ref = t.ref and o.name = :job and o.user_id = t.user_id
  and o.state in ('pending', 'running')

-- piece: pipeline_fits
-- Whether :pipeline_id is null, or a pipeline of the commit and ref.
(:pipeline_id is null
  or exists (select 1
    from status_counts n
    where n.project_id = t.project_id and n.pipeline_id = :pipeline_id and n.commit_id = t.commit_id
      and n.ref = coalesce(:ref_name, n.ref)))

-- piece: ref_is_known(project)
-- Whether :ref_name is the name of a branch or tag.
exists (select 1
  from refs r
  where r.project_id = {project} and r.name in (:ref_name, 'refs/heads/' || :ref_name, 'refs/tags/' || :ref_name))

-- piece: ref_of_list
-- The ref :ref_name. If it is null, the branch whose tip is the commit, or else the default branch.
coalesce(:ref_name, t.tip_of, s.default_branch, '')

-- piece: is_listed_status(ref, wanted)
-- Whether a list has the statuses of the ref. Without :ref_name it also has those without a ref.
(:any_ref or {ref} = {wanted} or (:ref_name is null and {ref} = ''))
  and (:pipeline_id is null or {ref} = {ref_of_pipeline((select project_id from scope))})

-- piece: is_accepted
-- Whether the unfinished status can become :state, and :pipeline_id is null or a pipeline of the commit and ref.
(o.id is null or not (o.state = 'running' and :state = 'pending') and not (:repeat_is_refused and o.state = :state))
  and {pipeline_fits}

-- name: expect_accepted
-- scope: project
-- Ends the batch if the status is not posted.
with target as materialized ({target})
insert into expectations (holds)
select exists (select 1 from {open_status} where {is_accepted})
from scope;

-- name: post
-- scope: project
-- Returns no row if the commit does not exist, or if the status is not accepted. If there is an unfinished status, the
-- insert has its id, conflicts with it and updates its row.
with target as materialized ({target})
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, skipped,
  created_at, started_at, finished_at)
select o.id, t.project_id, t.commit_id, t.ref, :job, t.user_id, :state, :target_url, :description, :coverage,
  :skipped, t.now, iif(:state = 'running', t.now, null), iif(:state in ('success', 'failed', 'canceled'), t.now, null)
from {open_status}
where {is_accepted}
on conflict (id) do update set state = excluded.state, target_url = coalesce(excluded.target_url, target_url),
  description = coalesce(excluded.description, description), coverage = coalesce(excluded.coverage, coverage),
  skipped = excluded.skipped, started_at = coalesce(started_at, excluded.started_at), finished_at = excluded.finished_at
returning id,
  coalesce((select n.pipeline_id from status_counts n where n.commit_id = statuses.commit_id and n.ref = statuses.ref),
    id) as pipeline_id, ref as git_ref, state, name, target_url, description, coverage, skipped, created_at, started_at,
  finished_at, (select c.sha from commits c where c.id = commit_id) as sha,
  {user_object(user_id)} as author, :ref_name is not null and not {ref_is_known(statuses.project_id)} as ref_is_unknown;

-- name: keep
-- scope: project
-- Stores the status that the batch has posted, and may have finished, as the answer to the idempotency key.
{keep_answer(json_object('id', r.id, 'git_ref', r.git_ref, 'state', r.state, 'name', r.name, 'target_url', r.target_url,
    'description', r.description, 'coverage', r.coverage, 'skipped', r.skipped, 'created_at', r.created_at,
    'started_at', r.started_at, 'finished_at', r.finished_at, 'pipeline_id', r.pipeline_id, 'sha', r.sha, 'author',
    json(r.author)),
  from {commit_of_route}
  cross join status_rows r on r.id = (select n.id
    from statuses n
    where n.commit_id = t.commit_id and n.ref = coalesce(:ref_name, {ref_of_pipeline(t.project_id)}, t.tip_of,
        (select q.ref
          from statuses q
          where q.commit_id = t.commit_id and q.name = :job and q.user_id = s.user_id and q.finished_at = s.now
          order by q.id desc
          limit 1), {ref_of_unfinished}, t.first_branch, '') and n.name = :job and n.user_id = s.user_id
    order by n.id desc
    limit 1))};

-- name: open
-- scope: project
-- returns: OpenRow?
-- A row if the commit exists, with the state of the caller's unfinished status of this ref and name.
with target as materialized ({target})
select o.state, {pipeline_fits} as pipeline_fits
from {open_status};

-- name: target
-- scope: project
-- returns: Target?
-- The commit of a new deployment.
select t.commit_id, coalesce(t.tip_of, t.first_branch) as branch, {ref_is_known(s.project_id)} as ref_is_known
from {commit_of_route};

-- name: commit
-- scope: project
-- The commit of a list. No row if there is none.
select t.sha from {commit_of_route};

-- list: list
-- scope: project
-- shows: ListedStatus of status_rows
-- weighs: status_lengths
-- order: y.id either way
-- filters: narrowed
-- total: none
-- The newest status of each ref and name, or with :all every status. narrowed: set unless that is all of the commit.
with target as materialized (select t.commit_id, {ref_of_list} as ref from {commit_of_route})
select y.id, {is_listed_status(y.ref, (select ref from target))} and (:name is null or y.name = :name)
  and (:stage is null or :stage = 'external')
  and (:all
    or exists (select 1
      from status_heads h
      where h.commit_id = y.commit_id and h.ref = y.ref and h.name = y.name and h.status_id = y.id)) as fits
from statuses y
where y.commit_id = (select commit_id from target) and {after};

-- name: total
-- scope: project
-- returns: ListTotal?
-- The total of the same list, from counters.
select coalesce(sum(iif(:all, n.posted, n.pending + n.running + n.success + n.failed + n.canceled)), 0) as total,
  0 as counted
from {commit_of_route}
cross join status_counts n on n.commit_id = t.commit_id
where {is_listed_status(n.ref, {ref_of_list})} and (:stage is null or :stage = 'external');

-- name: total_named
-- scope: project
-- returns: ListTotal?
-- The same for the statuses with the name :name.
select coalesce(sum(iif(:all, h.posted, 1)), 0) * (:stage is null or :stage = 'external') as total, count(*) as counted
from (select distinct n.commit_id, n.ref
  from {commit_of_route}
  cross join status_counts n on n.commit_id = t.commit_id
  where {is_listed_status(n.ref, {ref_of_list})}) r
cross join status_heads h on h.commit_id = r.commit_id and h.ref = r.ref and h.name = :name;
