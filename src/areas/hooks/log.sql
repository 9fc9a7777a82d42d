-- list: list
-- scope: project
-- shows: LogRow
-- order: l.id desc
-- total: none
-- The newest tries of the hook, with their events. An event of more than :most_bytes comes
-- without its body.
select l.id, l.url, l.bit as log_bit, l.attempt, l.request_headers, l.response_status, l.response_headers,
  l.response_body, l.millis, l.next_attempt_at, l.created_at as logged_at, coalesce(e.id, 0) as event_id,
  coalesce(e.kind, 'gone') as kind, coalesce(e.action, '') as action, coalesce(e.bit, 0) as bit,
  coalesce(e.origin, '{}') as origin, e.before,
  (select w.snapshot from whole_events w where w.id = e.id and w.bytes <= :most_bytes) as snapshot,
  coalesce(e.created_at, 0) as happened_at,
  (select avatar_enabled from settings) as avatars
from (select *
  from hook_log
  where hook_id = (select h.id from scope s cross join hooks h on h.id = :hook_id and h.project_id = s.project_id)
    and id < :after_1 and created_at > :since
  order by id desc
  limit :most_tries) l
left join hook_events e on e.id = l.event_id
where :ranges is null
  or exists (select 1
    from json_each(:ranges) r
    where l.response_status between r.value ->> 'lowest' and r.value ->> 'highest');

-- name: reserve
-- scope: project
-- Counts a try that the person behind the token asks for: five in a minute. No row beyond that.
insert into hook_trials (project_id, user_id, created_at)
select s.project_id, s.member_id, s.now
from scope s
cross join hooks h on h.id = :hook_id and h.project_id = s.project_id
where 5 > (select count(*)
  from (select 1
    from hook_trials t
    where t.project_id = s.project_id and t.user_id = s.member_id and t.created_at > s.now - 60000
    limit 5))
returning id;

-- name: logged
-- scope: project
-- returns: LoggedDelivery?
-- A try of the hook and its event.
select l.webhook_id, l.url as logged_url, l.attempt, e.id as event_id, e.kind, e.action, e.bit, e.origin, e.before,
  (select w.snapshot from whole_events w where w.id = e.id) as snapshot, e.created_at as happened_at,
  (select avatar_enabled from settings) as avatars,
  (select x.may_see from hook_access x where x.hook_id = l.hook_id and x.event_id = e.id)
  and (e.snapshot ->> '$.issue.id' is null
    or exists (select 1
      from issue_audience a
      where a.issue_id = e.snapshot ->> '$.issue.id' and a.user_id = h.maker_id))
  as may_see
from scope s
cross join hooks h on h.id = :hook_id and h.project_id = s.project_id
cross join hook_log l on l.id = :log_id and l.hook_id = h.id
cross join hook_events e on e.id = l.event_id;

-- name: revived
-- A try that succeeded enables the hook again.
update hooks
set failures = 0, disabled_until = null, next_at = :now
where id = :hook_id and (failures > 0 or disabled_until is not null);
