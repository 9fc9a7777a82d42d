-- A hook is leased while one of its deliveries is sent, so that its events go in order. next_at of a hook is the time of its next delivery.

-- name: take
-- Leases the hooks whose deliveries are due, for a minute.
update hooks set lease = :lease, lease_until = :now + 60000 where id in (select h.id from hooks h
  where h.next_at <= :now and (h.lease_until is null or h.lease_until <= :now) order by h.next_at limit :most)
returning id

-- name: join_chains
-- Notes that each of these hooks is called in the chain of its event, unless it was called in it within half an hour.
insert into hook_chains (chain, hook_id, webhook_id, created_at)
select coalesce(e.origin ->> 'chain', d.webhook_id), d.hook_id, d.webhook_id, :now from hooks h
cross join deliveries d on d.id = coalesce(
  (select a.id from deliveries a where a.hook_id = h.id and a.attempt > 0 and a.next_at <= :now order by a.next_at limit 1),
  (select f.id from deliveries f where f.hook_id = h.id and f.attempt = 0 order by f.id limit 1))
cross join hook_events e on e.id = d.event_id where h.lease = :lease
on conflict (chain, hook_id) do update set webhook_id = excluded.webhook_id, created_at = excluded.created_at
where hook_chains.created_at <= :now - 1800000

-- name: taken
-- The next delivery of each hook: a later try that is due, else the first try of its oldest event. recent: tries of the project in a
-- minute, at most 600. The maker of the hook must still see the issue: it may have become confidential.
select h.*, d.id as delivery_id, d.webhook_id, d.attempt, coalesce(e.id, 0) as event_id, coalesce(e.kind, 'gone') as kind,
  coalesce(e.action, '') as action, coalesce(e.bit, 0) as bit, coalesce(e.origin, '{}') as origin, e.before, e.snapshot,
  coalesce(e.created_at, 0) as happened_at, (select avatar_enabled from settings) as avatars,
  coalesce((select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = e.id), 0) and (e.snapshot ->> '$.issue.id' is null
    or exists (select 1 from issue_audience a where a.issue_id = e.snapshot ->> '$.issue.id' and a.user_id = h.maker_id)) as may_see,
  exists (select 1 from hook_chains c where c.chain = coalesce(e.origin ->> 'chain', d.webhook_id) and c.hook_id = h.id
    and c.webhook_id <> d.webhook_id) or 100 < (select count(*) from (select 1 from hook_chains c
    where c.chain = coalesce(e.origin ->> 'chain', d.webhook_id) limit 101)) as is_loop,
  (select count(*) from (select 1 from hook_log l where l.project_id = h.project_id and l.created_at > :now - 60000 limit 600)) as recent
from hooks k cross join hook_rows h on h.id = k.id cross join deliveries d on d.id = coalesce(
  (select a.id from deliveries a where a.hook_id = k.id and a.attempt > 0 and a.next_at <= :now order by a.next_at limit 1),
  (select f.id from deliveries f where f.hook_id = k.id and f.attempt = 0 order by f.id limit 1))
left join hook_events e on e.id = d.event_id where k.lease = :lease

-- name: lift_limits
-- The log of a full project is still written. The next write sets the limits again.
update stored set project_most = 0, most = 0 where id = 1 and (project_most > 0 or most > 0)

-- name: done
delete from deliveries where id = :id and attempt = :attempt

-- name: again
update deliveries set attempt = attempt + 1, next_at = :next_at where id = :id and attempt = :attempt

-- name: succeeded
update hooks set failures = 0, disabled_until = null where id = :hook_id and (failures > 0 or disabled_until is not null)

-- name: failed
-- From the fourth failure in a row on nothing is sent for a time that doubles.
update hooks set disabled_until = iif(failures < 3, null, :now + min(86400000, 60000 << min(failures - 3, 20))), failures = min(failures + 1, 40)
where id = :hook_id

-- name: release
-- Ends the leases. :waiting: hooks of projects with many tries.
update hooks set lease = null, lease_until = null, next_at = iif(failures >= 40, null, nullif(max(coalesce(disabled_until, 0),
  iif(id in (select value from json_each(:waiting)), :now + 10000, 0),
  min(coalesce((select min(d.next_at) from deliveries d where d.hook_id = hooks.id and d.attempt > 0), 9007199254740991),
    coalesce((select d.next_at from deliveries d where d.hook_id = hooks.id and d.attempt = 0 order by d.id limit 1), 9007199254740991))), 9007199254740991))
where lease = :lease

-- name: log_expired
-- The oldest first tries of the hook that were not sent in time.
insert into hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_headers, response_body, millis, created_at)
select h.id, h.project_id, d.event_id, d.webhook_id, 0, e.bit, h.url, '{}', '{}', 'expired', 0, :now from hooks h
cross join (select * from deliveries where hook_id = :hook_id and attempt = 0 order by id limit 200) d
cross join hook_events e on e.id = d.event_id where h.id = :hook_id and d.created_at < :before

-- name: drop_expired
delete from deliveries where id in (select id from (select * from deliveries where hook_id = :hook_id and attempt = 0 order by id limit 200)
  where created_at < :before)
