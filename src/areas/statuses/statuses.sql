-- A user has at most one unfinished status of each name on a ref of a commit. A post changes that one, or adds a status (behaviour 8.2).

-- name: expect_accepted
-- scope: project
-- Ends the batch without the commit, if the unfinished status cannot become :state, or if :pipeline_id (null: any) is no pipeline of
-- the commit and ref.
insert into expectations (holds) select exists (
  select 1 from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
  left join statuses o on o.commit_id = t.commit_id and o.ref = coalesce(:ref_name, (select n.ref from status_counts n where n.project_id = t.project_id and n.pipeline_id = :pipeline_id), t.tip_of, t.first_branch, '') and o.name = :job and o.user_id = s.user_id
    and o.state in ('pending', 'running')
  where (o.id is null or not (o.state = 'running' and :state = 'pending') and not (:repeat_is_refused and o.state = :state))
    and (:pipeline_id is null or exists (select 1 from status_counts n where n.project_id = t.project_id
      and n.pipeline_id = :pipeline_id and n.commit_id = t.commit_id and n.ref = coalesce(:ref_name, n.ref))))
from scope

-- name: post
-- scope: project
-- If there is an unfinished status, the insert has its id, conflicts with it and updates its row.
insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, skipped, created_at,
  started_at, finished_at)
select o.id, t.project_id, t.commit_id, coalesce(:ref_name, (select n.ref from status_counts n where n.project_id = t.project_id and n.pipeline_id = :pipeline_id), t.tip_of, t.first_branch, ''), :job, s.user_id, :state, :target_url, :description, :coverage,
  :skipped, s.now, iif(:state = 'running', s.now, null), iif(:state in ('success', 'failed', 'canceled'), s.now, null)
from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
left join statuses o on o.commit_id = t.commit_id and o.ref = coalesce(:ref_name, (select n.ref from status_counts n where n.project_id = t.project_id and n.pipeline_id = :pipeline_id), t.tip_of, t.first_branch, '') and o.name = :job and o.user_id = s.user_id
  and o.state in ('pending', 'running')
where true
on conflict (id) do update set state = excluded.state, target_url = coalesce(excluded.target_url, target_url),
  description = coalesce(excluded.description, description), coverage = coalesce(excluded.coverage, coverage), skipped = excluded.skipped,
  started_at = coalesce(started_at, excluded.started_at), finished_at = excluded.finished_at
returning id, coalesce((select n.pipeline_id from status_counts n where n.commit_id = statuses.commit_id and n.ref = statuses.ref), id) as pipeline_id, ref as git_ref, state, name, target_url, description, coverage, skipped, created_at, started_at, finished_at,
  (select c.sha from commits c where c.id = commit_id) as sha,
  (select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u where u.id = user_id) as author,
  :ref_name is not null and not exists (select 1 from refs r where r.project_id = statuses.project_id
    and r.name in (:ref_name, 'refs/heads/' || :ref_name, 'refs/tags/' || :ref_name)) as ref_is_unknown

-- name: keep
-- scope: project
-- Stores the status that the batch has posted as the answer to the idempotency key.
insert into idempotency_keys (user_id, key, digest, answer, created_at)
select s.user_id, :key, :digest, json_object('base', :base, 'avatars', (select avatar_enabled from settings), 'row', json_object(
    'id', r.id, 'git_ref', r.git_ref, 'state', r.state, 'name', r.name, 'target_url', r.target_url, 'description', r.description,
    'coverage', r.coverage, 'skipped', r.skipped, 'created_at', r.created_at, 'started_at', r.started_at,
    'finished_at', r.finished_at, 'pipeline_id', r.pipeline_id, 'sha', r.sha, 'author', json(r.author))), s.now
from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
cross join status_rows r on r.id = (select max(n.id) from statuses n where n.commit_id = t.commit_id
  and n.ref = coalesce(:ref_name, (select n.ref from status_counts n where n.project_id = t.project_id and n.pipeline_id = :pipeline_id), t.tip_of, t.first_branch, '') and n.name = :job and n.user_id = s.user_id)
where true
on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = null, created_at = excluded.created_at

-- name: open
-- scope: project
-- returns: OpenRow?
-- A row if the commit exists, with the state of the caller's unfinished status of this ref and name. pipeline_fits: :pipeline_id is null,
-- or a pipeline of the commit and ref.
select o.state, :pipeline_id is null or exists (select 1 from status_counts n where n.project_id = t.project_id
  and n.pipeline_id = :pipeline_id and n.commit_id = t.commit_id and n.ref = coalesce(:ref_name, n.ref)) as pipeline_fits from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
left join statuses o on o.commit_id = t.commit_id and o.ref = coalesce(:ref_name, (select n.ref from status_counts n where n.project_id = t.project_id and n.pipeline_id = :pipeline_id), t.tip_of, t.first_branch, '') and o.name = :job and o.user_id = s.user_id
  and o.state in ('pending', 'running')

-- name: target
-- scope: project
-- The commit of a new deployment.
select t.commit_id, coalesce(t.tip_of, t.first_branch) as branch, exists (select 1 from refs r where r.project_id = s.project_id
    and r.name in (:ref_name, 'refs/heads/' || :ref_name, 'refs/tags/' || :ref_name)) as ref_is_known
from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)

-- name: commit
-- scope: project
-- The commit of a list.
select t.sha from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)

-- name: list
-- scope: project
-- Reads the newest status of each ref and name after :after, at most :looks of them. Returns those that match and the last one read.
-- The page ends early if its texts have more than 3 MB. Without :ref_name and :any_ref these are the statuses without a ref and those
-- of one branch: the branch whose tip is the commit, or else the default branch.
, target as materialized (
  select t.commit_id, coalesce(:ref_name, t.tip_of, s.default_branch, '') as ref from scope s
  cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
), looked as materialized (
  select id, row_number() over () as number, (:any_ref or ref = wanted or (:ref_name is null and ref = ''))
    and (:name is null or name = :name) and (:stage is null or :stage = 'external')
    and (:pipeline_id is null or ref = (select n.ref from status_counts n where n.project_id = (select project_id from scope) and n.pipeline_id = :pipeline_id)) as fits
  from (
    select * from (select y.status_id as id, y.ref, y.name, t.ref as wanted from target t cross join status_heads y
      on y.commit_id = t.commit_id and y.status_id > :after where not :descends order by y.status_id limit :looks)
    union all
    select * from (select y.status_id, y.ref, y.name, t.ref from target t cross join status_heads y
      on y.commit_id = t.commit_id and y.status_id < :after where :descends order by y.status_id desc limit :looks))
), page as (
  select x.*, sum(l.answered) over (order by x.number) as bytes
  from (select k.*, sum(l.bytes) over (order by k.number) - l.bytes as before
    from (select * from looked where fits or number = :looks order by number limit :most offset :skip) k
    cross join status_lengths l on l.id = k.id) x
  cross join status_lengths l on l.id = x.id where x.before <= 3000000
)
select r.id, r.git_ref, r.state, r.name, r.target_url, r.description, r.coverage, r.skipped, r.created_at, r.started_at, r.finished_at,
  r.pipeline_id, r.sha, r.author, p.fits, p.number = :looks or coalesce(p.next > 3000000, 0) as ends
from (select *, lead(bytes) over (order by number) as next from page) p cross join status_rows r on r.id = p.id
where p.bytes <= 3000000 order by p.number

-- name: list_all
-- scope: project
-- The same for all statuses. In one statement they would be nested too deep for SQLite.
, target as materialized (
  select t.commit_id, coalesce(:ref_name, t.tip_of, s.default_branch, '') as ref from scope s
  cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
), looked as materialized (
  select id, row_number() over () as number, (:any_ref or ref = wanted or (:ref_name is null and ref = ''))
    and (:name is null or name = :name) and (:stage is null or :stage = 'external')
    and (:pipeline_id is null or ref = (select n.ref from status_counts n where n.project_id = (select project_id from scope) and n.pipeline_id = :pipeline_id)) as fits
  from (
    select * from (select y.id as id, y.ref, y.name, t.ref as wanted from target t cross join statuses y
      on y.commit_id = t.commit_id and y.id > :after where not :descends order by y.id limit :looks)
    union all
    select * from (select y.id, y.ref, y.name, t.ref from target t cross join statuses y
      on y.commit_id = t.commit_id and y.id < :after where :descends order by y.id desc limit :looks))
), page as (
  select x.*, sum(l.answered) over (order by x.number) as bytes
  from (select k.*, sum(l.bytes) over (order by k.number) - l.bytes as before
    from (select * from looked where fits or number = :looks order by number limit :most offset :skip) k
    cross join status_lengths l on l.id = k.id) x
  cross join status_lengths l on l.id = x.id where x.before <= 3000000
)
select r.id, r.git_ref, r.state, r.name, r.target_url, r.description, r.coverage, r.skipped, r.created_at, r.started_at, r.finished_at,
  r.pipeline_id, r.sha, r.author, p.fits, p.number = :looks or coalesce(p.next > 3000000, 0) as ends
from (select *, lead(bytes) over (order by number) as next from page) p cross join status_rows r on r.id = p.id
where p.bytes <= 3000000 order by p.number

-- name: total
-- scope: project
-- The total of such a list, from counters.
select coalesce(sum(iif(:all, n.posted, n.pending + n.running + n.success + n.failed + n.canceled)), 0) as total, 0 as counted
from scope s cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
cross join status_counts n on n.commit_id = t.commit_id
where (:any_ref or n.ref = coalesce(:ref_name, t.tip_of, s.default_branch, '') or (:ref_name is null and n.ref = ''))
  and (:stage is null or :stage = 'external')

-- name: total_named
-- scope: project
-- The same for the statuses with the name :name. null if more than 10,000.
, heads as materialized (
  select h.* from (select distinct n.commit_id, n.ref from scope s
    cross join status_targets t on t.project_id = s.project_id and t.name = json_array(:sha)
    cross join status_counts n on n.commit_id = t.commit_id
    where :any_ref or n.ref = coalesce(:ref_name, t.tip_of, s.default_branch, '') or (:ref_name is null and n.ref = '')) r
  cross join status_heads h on h.commit_id = r.commit_id and h.ref = r.ref and h.name = :name
), counted as materialized (
  select iif(:all, (select count(*) from (select 1 from heads h cross join statuses y on y.commit_id = h.commit_id and y.ref = h.ref
      and y.name = h.name limit 10001)), (select count(*) from heads)) * (:stage is null or :stage = 'external') as counted
)
select iif(counted > 10000, null, counted) as total, counted from counted
