-- name: counts
-- scope: project
-- returns: Counts?
-- The number of the newest statuses of the commit :sha in each state. No row without statuses.
select sum(n.pending) as pending, sum(n.running) as running, sum(n.success) as success, sum(n.failed) as failed,
  sum(n.canceled) as canceled
from status_counts n
where n.commit_id = (select commit_id
  from commit_names
  where project_id = (select project_id from scope) and name = json_array(:sha))
having count(*) > 0;

-- name: coverage
-- scope: project
-- returns: f64?
-- The mean coverage of the newest successful pipeline of the branch or tag :git_ref or, with :job, that of its newest
-- successful job of this name. Looks at the hundred newest pipelines. No row if there is none. The parts of a sum of
-- numbers of any size are never infinite.
with newest as materialized (
  select n.commit_id, n.pipeline_id, n.state = 'success' as passed
  from status_counts n
  where n.project_id = (select project_id from scope where builds_enabled) and n.ref = :git_ref
    and n.pipeline_id is not null
  order by n.pipeline_id desc
  limit 100
)
select avg(coverage / 1024) * 1024 as coverage
from (select s.coverage
  from (select commit_id from newest where passed and :job is null order by pipeline_id desc limit 1) p
  cross join status_heads h on h.commit_id = p.commit_id and h.ref = :git_ref
  cross join statuses s on s.id = h.status_id
  limit 1000)
where :job is null
having count(coverage) > 0
union all
select coverage
from (select s.coverage
  from newest p
  cross join status_heads h on h.commit_id = p.commit_id and h.ref = :git_ref and h.name = :job
  cross join statuses s on s.id = h.status_id
  where s.state = 'success'
  order by p.pipeline_id desc
  limit 1)
where coverage is not null;

-- name: newest_release
-- scope: project
-- returns: String?
-- Its tag.
select r.tag
from releases r
where r.project_id = (select project_id from scope)
order by r.released_at desc, r.id desc
limit 1;
