-- What is broken in a pipeline, compared with the reports before (behaviour 20.2). kind: 1 tests, 2 findings.

-- piece: shown
-- 21 reports of the newest jobs of each name of the pipeline :pipeline_id, or of its job :job_id. Broken ones come
-- first.
select r.*, n.default_branch
from (select s.default_branch, n.commit_id, n.ref
  from scope s
  cross join status_counts n on n.project_id = s.project_id and n.pipeline_id = :pipeline_id
  where s.builds_enabled) n
cross join reports r on r.job_id in (
  select *
  from (select h.status_id
    from status_heads h
    where h.commit_id = n.commit_id and h.ref = n.ref and :job_id is null
    limit 1000)
  union all
  select j.id
  from statuses j
  where j.id = :job_id and j.commit_id = n.commit_id and j.ref = n.ref)
order by r.failed + r.errors = 0, r.name, r.kind
limit 21

-- piece: newest_of(name)
-- The newest report before r, of another commit, on a branch or tag. It looks at 50.
(select h.id
  from (
    select x.id, x.commit_id
    from reports x
    where x.project_id = r.project_id and x.name = r.name and x.ref = {name} and x.kind = r.kind and x.id < r.id
    order by x.id desc
    limit 50) h
  where h.commit_id <> r.commit_id
  order by h.id desc
  limit 1)

-- piece: parent_of_r
(select p.parent_id from parents p where p.child_id = r.commit_id and p.position = 0)

-- piece: base_of_r
coalesce(
  (select h.id
    from (
      select x.id, x.ref = r.ref as is_same
      from reports x
      where x.commit_id = {parent_of_r} and x.name = r.name and x.kind = r.kind
      order by x.id desc
      limit 50) h
    order by h.is_same desc, h.id desc
    limit 1), {newest_of(r.ref)}, {newest_of(r.default_branch)})

-- name: compared
-- scope: project
-- returns: problems::Compared*
-- head: JSON without the items and the final brace. fixed: the names of what was broken in the base, and passed. added:
-- the keys of what is broken and was not in the base, null if nobody knows.
with based as materialized (
  select r.*, {base_of_r} as base_id, {parent_of_r} as parent_id
  from ({shown}) r
)
select r.id, r.kind, r.failed + r.errors > 0 or r.kind = 2 as is_broken, r.size, {object_key} as object_key,
  rtrim(json_object('name', r.name, 'report', iif(r.kind = 1, 'tests', 'quality'), 'problem', r.problem, 'base',
    json((select json_object('sha', (select c.sha from commits c where c.id = b.commit_id), 'ref', b.ref, 'job_id',
        b.job_id, 'why', case when b.commit_id = r.parent_id then 'parent' when b.ref = r.ref then 'ref'
          else 'default_branch' end)
      from reports b
      where b.id = r.base_id)), 'fixed',
    json((select json_group_array(name)
      from (
        select max(name) as name
        from (
          select value ->> 0 as key, value ->> 1 as name, 0 as was_broken
          from json_each(r.passed)
          union all
          select k.value, null, 1
          from reports b
          cross join json_each(b.broken) k
          where b.id = r.base_id)
        group by key
        having max(was_broken) and count(name) > 0))), 'slower',
    json((select json_group_array(json_object('name', k.value ->> 1, 'seconds', k.value ->> 2, 'seconds_before',
          o.value ->> 2))
      from reports b
      cross join json_each(r.slowest) k
      cross join json_each(b.slowest) o on o.value ->> 0 = k.value ->> 0
      where b.id = r.base_id and k.value ->> 2 >= 2 * (o.value ->> 2) and k.value ->> 2 >= o.value ->> 2 + 1)),
    'job_id', r.job_id, 'errors', r.errors, 'failed', r.failed, 'flaky', r.flaky, 'skipped', r.skipped, 'total',
    r.total), '}') as head,
  (select (select json_group_array(value)
        from (select value from json_each(r.broken) except select value from json_each(b.broken)))
    from reports b
    where b.id = r.base_id and b.whole) as added
from based r
cross join object_sweeps w on w.id = 1;

-- piece: last_of(name, most)
(select y.id
  from reports y
  where y.project_id = r.project_id and y.name = r.name and y.ref = {name} and y.kind = 1 and y.id <= r.id
  order by y.id desc
  limit {most})

-- name: history
-- returns: problems::History*
-- What is broken in the reports :ids. often: in how many of the last 50 reports of the default branch in 14 days it was
-- broken. unsteady: it was broken and passed in reports of one commit, or changed three times in the last 20 reports.
with shown as (
  select r.*
  from json_each(:ids) i
  cross join reports r on r.id = i.value
), keys as materialized (
  select r.id as report_id, k.value as key
  from shown r
  cross join json_each(r.broken) k
), lately as (
  select r.id as report_id, k.value as key, count(*) as often
  from shown r
  cross join reports x on x.id in {last_of(:default_branch, 50)}
  cross join json_each(x.broken) k
  cross join keys q on q.report_id = r.id and q.key = k.value
  where x.whole and x.created_at > :now - 1209600000
  group by 1, 2
), turns as (
  select r.id as report_id, x.id, k.value as key, 1 as state
  from shown r
  cross join reports x on x.id in {last_of(r.ref, 20)}
  cross join json_each(x.broken) k
  union all
  select r.id, x.id, k.value ->> 0, 0
  from shown r
  cross join reports x on x.id in {last_of(r.ref, 20)}
  cross join json_each(x.passed) k
), unsteady as (
  select report_id, key
  from (select t.report_id, t.key, t.state, lag(t.state) over (partition by t.report_id, t.key order by t.id) as before
    from turns t
    cross join keys q on q.report_id = t.report_id and q.key = t.key)
  where state <> before
  group by 1, 2
  having count(*) >= 3
  union
  select r.id, k.value ->> 0
  from shown r
  cross join reports x on x.id in (
    select y.id
    from reports y
    where y.commit_id = r.commit_id and y.name = r.name and y.kind = 1
    order by y.id desc
    limit 20)
  cross join json_each(x.passed) k
)
select q.report_id, q.key, coalesce(l.often, 0) as often, u.key is not null as unsteady
from keys q
left join lately l on l.report_id = q.report_id and l.key = q.key
left join unsteady u on u.report_id = q.report_id and u.key = q.key
where l.often > 0 or u.key is not null;
