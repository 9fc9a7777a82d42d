-- statuses: posts post
-- Binds: ?1.. binds
-- Rows in the small world: 1 given, 3 written

insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, created_at,
  stage, tag, started_at, finished_at, skipped)
select o.id, t.project_id, t.commit_id, t.ref, t.name, t.user_id, coalesce(?11, 'pending'), ?13, ?14, ?15, ?4, coalesce(?16,
  'external'), coalesce(?17, 0), case when ?11 = 'running' then ?4 end, case when ?11 in ('success', 'failed', 'canceled') then ?4 end,
  ?18
from (select ?1 as project_id, ?2 as commit_id, ?9 as ref, ?10 as name, ?3 as user_id) t
left join statuses o
on o.commit_id = t.commit_id and o.ref = t.ref and o.name = t.name
  and o.user_id = t.user_id and o.state in ('pending', 'running')
where (o.id is null or not (o.state = 'running' and ?11 is 'pending') and not (?12 and o.state is (select ?11)))
on conflict (id) do update set state = coalesce(?11, state), target_url = coalesce(?13, target_url), description = coalesce(?14,
  description), coverage = coalesce(?15, coverage), stage = coalesce(?16, stage), tag = coalesce(?17, tag), started_at = case when ?11 = 'running' then coalesce(started_at,
  ?4) else started_at end, finished_at = case when ?11 in ('success', 'failed', 'canceled') then ?4 end, skipped = ?18
returning json_quote(id) as v

-- Plan:
-- CO-ROUTINE t
-- SCAN t
-- SEARCH o USING INDEX statuses_open (commit_id=? AND ref=? AND name=? AND user_id=?) LEFT-JOIN
-- SEARCH deployments USING COVERING INDEX deployments_of_status (status_id=?)
