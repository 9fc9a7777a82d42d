-- The state of a pipeline as a column, and the events of its changes from triggers. So a status runs one statement for
-- web hooks and not three, which is 0.12 of 1.30 ms.

alter table status_counts add column state text as (
  case
    when pending + running + success + failed + canceled = skipped then 'skipped'
    when pending + running + failed = 0 and canceled = skipped then 'success'
    when pending + running + failed = 0 then 'canceled'
    when running + success + failed = 0 and canceled = skipped then 'pending'
    when pending + running > 0 then 'running'
    else 'failed'
  end
) virtual;

drop view pipeline_rows;
create view pipeline_rows as
select
  n.pipeline_id as id, n.iid, n.project_id, n.commit_id, n.ref as git_ref, n.user_id, n.created_at,
  n.changed_at as updated_at,
  (select c.sha from commits c where c.id = n.commit_id) as sha,
  n.state
from status_counts n
where n.pipeline_id is not null;

-- An open event with the state before, if a hook wants events of pipelines. The batch that posts the status completes
-- it. The version before writes an open event itself.
create trigger status_counts_begun after insert on status_counts
when new.pipeline_id is not null
  and exists (select 1 from hooks h where h.project_id = new.project_id and h.events & 256)
  and not exists (select 1 from hook_events e indexed by hook_events_open where e.bit = 0 and e.snapshot is null) BEGIN
  insert into hook_events (kind, action, bit, project_id, origin, before, created_at)
  values (
    'pipeline', 'status', 0, new.project_id, '{}',
    json_object('commit_id', new.commit_id, 'ref', new.ref, 'state', null), new.changed_at
  );
END;

create trigger status_counts_moved after update of
  pending, running, success, failed, canceled, skipped
on status_counts
when new.pipeline_id is not null
  and new.state <> old.state
  and exists (select 1 from hooks h where h.project_id = new.project_id and h.events & 256)
  and not exists (select 1 from hook_events e indexed by hook_events_open where e.bit = 0 and e.snapshot is null) BEGIN
  insert into hook_events (kind, action, bit, project_id, origin, before, created_at)
  values (
    'pipeline', 'status', 0, new.project_id, '{}',
    json_object('commit_id', new.commit_id, 'ref', new.ref, 'state', old.state), new.changed_at
  );
END;
