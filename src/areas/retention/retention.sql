-- Deletes expired data. Each statement deletes a few rows that an index finds.

-- piece: oldest(table, most)
-- The end of a subselect: the oldest rows.
from {table} where created_at < :before order by created_at limit {most}

-- name: kept_answers
delete from idempotency_keys where (user_id, key) in (select user_id, key {oldest(idempotency_keys, 500)});

-- name: expired_tokens
delete from tokens where hash in (select hash from tokens where expires_at < :before order by expires_at limit 200);

-- name: revoked_tokens
delete from tokens where hash in (select hash from tokens where revoked_at < :before order by revoked_at limit 200);

-- name: ended_sessions
-- The same of the tokens of programs.
delete from tokens
where hash in (select hash
  from tokens
  where kind in ('session', 'oauth') and expires_at < :now
  order by expires_at
  limit 200);

-- name: ended_members_leave
insert into events (project_id, author_id, kind, action, created_at)
select project_id, user_id, 'member', 'left', :now
from {ended_in_projects};

-- name: ended_project_members
delete from project_members where (user_id, project_id) in {ended_in_projects};

-- name: ended_group_members
delete from group_members where (user_id, group_id) in {ended_in_groups};

-- name: old_deliveries
delete from deliveries where id in (select id {oldest(deliveries, 200)});

-- name: old_hook_log
delete from hook_log where id in (select id {oldest(hook_log, 200)});

-- name: old_hook_events
-- The log of a later try may still refer to one.
delete from hook_events where id in (select id {oldest(hook_events, 100)});

-- name: old_events
-- The newest event stays, so that no other event gets its id. Times ascend with the ids.
delete from events
where id in (select id
  from (select id, created_at from events where id > 0 order by id limit 200)
  where created_at < :before) and id < (select max(id) from events);

-- name: old_audit_events
delete from audit_events where id in (select id {oldest(audit_events, 200)});

-- name: old_reports
-- Times ascend with the ids. The sweep of objects removes their bytes.
delete from reports
where id in (select id
  from (select id, created_at from reports where id > 0 order by id limit 20)
  where created_at < :before);

-- name: old_hook_chains
delete from hook_chains where (chain, hook_id) in (select chain, hook_id {oldest(hook_chains, 200)});

-- name: old_hook_trials
delete from hook_trials where id in (select id {oldest(hook_trials, 200)});

-- name: next_statuses
-- Sets the last id of this step. Ids of statuses ascend with their time, so the sweep goes by id.
update sweeps
set upto = coalesce((
  select max(id)
  from (select s.id, s.created_at from statuses s where s.id > sweeps.after order by s.id limit 250)
  where created_at < :before), after)
where what = 'statuses';

-- name: status_sweep
select after = upto as ended from sweeps where what = 'statuses';

-- name: old_statuses
-- Deletes statuses that have a newer status of the same name.
delete from statuses
where id in (select s.id
  from sweeps w
  cross join statuses s on s.id > w.after and s.id <= w.upto
  where w.what = 'statuses' and s.created_at < :before
    and not exists (select 1
      from status_heads h
      where h.commit_id = s.commit_id and h.ref = s.ref and h.name = s.name and h.status_id = s.id));

-- name: statuses_swept
-- At the end the sweep starts again, because some newest statuses have become older ones since.
update sweeps set after = iif(after = upto, 0, upto) where what = 'statuses';
