-- Reports of CI on jobs (behaviour 20.1). kind: 1 tests, 2 findings.

-- piece: object_key
coalesce(r.store, w.store) || '/' || r.project_id || '/reports/' || r.job_id || '.' || r.kind || '.' || r.object

-- piece: of_ref(name)
-- What was broken in the last 20 reports of this job on a branch or tag.
(select r.broken
  from reports r
  where r.project_id = s.project_id and r.name = j.name and r.ref = {name} and r.kind = :kind
  order by r.id desc
  limit 20)

-- name: target
-- scope: project
-- returns: receiving::Target?
-- The job :job_id, and the report of this kind that it has. sought: the keys of tests that were broken lately. place:
-- the start of the keys of the project's objects.
select j.user_id = s.user_id as is_own, j.finished_at < s.now - 86400000 as is_over,
  (select r.sha256 from reports r where r.job_id = j.id and r.kind = :kind) as sha256,
  coalesce(w.own, w.store) || '/' || s.project_id || '/' as place,
  (select json_group_array(distinct k.value)
    from (
      select r.broken
      from parents p
      cross join reports r on r.id = (
        select y.id
        from reports y
        where y.commit_id = p.parent_id and y.name = j.name and y.kind = :kind
        order by y.id desc
        limit 1)
      where p.child_id = j.commit_id and p.position < 10
      union all
      select *
      from {of_ref(j.ref)} o
      union all
      select *
      from {of_ref(s.default_branch)} o) b
    cross join json_each(b.broken) k
    where :kind = 1) as sought
from scope s
cross join statuses j on j.id = :job_id and j.project_id = s.project_id
cross join object_sweeps w on w.id = 1;

-- name: create
-- returns: i64?
-- No row if the job has gone, or has such a report already. :found is a JSON object.
insert into reports (project_id, job_id, commit_id, ref, name, kind, object, store, size, length, sha256, total, failed,
  errors, skipped, flaky, seconds, broken, passed, whole, slowest, problem, person_id, created_at)
select j.project_id, j.id, j.commit_id, j.ref, j.name, :kind, :object, w.own, :size, :length, :sha256,
  :found ->> 'total', :found ->> 'failed', :found ->> 'errors', :found ->> 'skipped', :found ->> 'flaky',
  :found ->> 'seconds', :found -> 'broken', :found -> 'passed', :found ->> 'whole', :found -> 'slowest',
  :found ->> 'problem', :person_id, :now
from statuses j
cross join object_sweeps w on w.id = 1
where j.id = :job_id and j.project_id = :project_id
on conflict (job_id, kind) do nothing
returning id;

-- name: answer
-- returns: String?
-- What a report has, as JSON. No row if it is of other bytes.
select json_object('job_id', job_id, 'report', iif(kind = 1, 'tests', 'quality'), 'total', total, 'failed', failed,
  'errors', errors, 'skipped', skipped, 'flaky', flaky, 'seconds', seconds, 'problem', problem)
from reports
where job_id = :job_id and kind = :kind and sha256 = :sha256;

-- piece: reports_of_tests
-- The reports of tests of the newest jobs of each name, of at most a thousand jobs. is_beyond: more than a hundred or
-- 32 MiB are up to it, so that it comes without its cases.
select r.*, r.total - r.failed - r.errors - r.skipped as success, {object_key} as object_key,
  row_number() over up_to_it > 100 or sum(r.length) over up_to_it > 33554432 as is_beyond
from (
  select h.status_id
  from scope s
  cross join status_counts n on n.project_id = s.project_id and n.pipeline_id = :pipeline_id
  cross join status_heads h on h.commit_id = n.commit_id and h.ref = n.ref
  where s.builds_enabled
  limit 1000) h
cross join reports r on r.job_id = h.status_id and r.kind = 1
cross join object_sweeps w on w.id = 1
window up_to_it as (order by r.name rows unbounded preceding)
order by r.name

-- name: suites
-- scope: project
-- returns: v4::Suite*
select id,
  rtrim(json_object('error_count', sum(errors) over (), 'failed_count', sum(failed) over (), 'skipped_count',
    sum(skipped) over (), 'success_count', sum(success) over (), 'total_count', sum(total) over (), 'total_time',
    sum(seconds) over ()), '}') as totals,
  rtrim(json_object('name', name, 'suite_error', iif(is_beyond, 'too long for one answer', problem),
    'error_count', errors, 'failed_count', failed, 'skipped_count', skipped, 'success_count', success, 'total_count',
    total, 'total_time', seconds), '}') as head,
  length, iif(is_beyond, null, object_key) as object_key
from ({reports_of_tests});

-- name: summary
-- scope: project
-- returns: String
select json_object('test_suites', json_group_array(json_object('build_ids', json_array(job_id), 'error_count', errors,
    'failed_count', failed, 'name', name, 'skipped_count', skipped, 'success_count', success, 'suite_error', problem,
    'total_count', total, 'total_time', seconds)), 'total', json_object('count', coalesce(sum(total), 0), 'error',
    coalesce(sum(errors), 0), 'failed', coalesce(sum(failed), 0), 'skipped', coalesce(sum(skipped), 0), 'success',
    coalesce(sum(success), 0), 'suite_error', null, 'time', coalesce(sum(seconds), 0)))
from ({reports_of_tests});

-- name: findings
-- scope: project
-- returns: v4::Findings?
select r.sha256, r.length, {object_key} as object_key
from scope s
cross join reports r on r.job_id = :job_id and r.kind = 2 and r.project_id = s.project_id
cross join object_sweeps w on w.id = 1
where s.builds_enabled;

-- name: keys_of_job
-- scope: project
-- returns: Vec<String>?
-- Of the objects of the reports of a job.
select (select json_group_array({object_key})
    from reports r
    cross join object_sweeps w on w.id = 1
    where r.job_id = j.id and r.object is not null) as keys
from scope s
cross join statuses j on j.id = :job_id and j.project_id = s.project_id;

-- name: remove
delete from reports where job_id = :job_id and project_id = :project_id;
