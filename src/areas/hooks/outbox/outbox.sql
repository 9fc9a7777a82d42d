-- A hook is leased while one of its deliveries is sent, so that its events go in order. next_at of a hook is when it
-- may be served next.

-- piece: next_queues
(select * from hook_queues where waits = 1 order by turn, next_at limit :most)

-- piece: chain_of(delivery)
(select c.chain from delivery_chains c where c.delivery_id = {delivery}.id and c.created_at > :now - 1800000)

-- piece: log_unsent
hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_headers,
  response_body, millis, created_at)

-- name: wake
-- Puts the projects with a hook that has become due into the queue.
update hook_queues
set waits = 1
where project_id in (select project_id from hook_queues where waits = 0 and next_at <= :now order by next_at limit 100);

-- name: take
-- Leases the hooks that are served next, for a minute. The project that was served longest ago comes first, and no
-- project has more than two. A hook whose lease ended without an outcome may have ended the Worker, so it is served
-- alone.
update hooks
set lease = :lease, lease_until = :now + 60000,
  sending = coalesce((select a.id
    from deliveries a
    where a.hook_id = hooks.id and a.attempt > 0 and a.next_at <= :now
    order by a.next_at
    limit 1), (select f.id from deliveries f where f.hook_id = hooks.id and f.attempt = 0 order by f.id limit 1))
where id in (select id
  from (
    select id, died, row_number() over w as place, first_value(died) over w as alone
    from (
      select h.id, h.lease is not null as died, q.turn, q.next_at,
        row_number() over (partition by q.project_id order by h.next_at, h.id) as number
      from {next_queues} q
      cross join hooks h on h.project_id is nullif(q.project_id, 0) and h.next_at <= :now
        and (h.lease_until is null or h.lease_until <= :now)
      where q.project_id = 0 or q.minute < :minute or q.tries < :most_tries)
    where number <= 2
    window w as (order by number, turn, next_at, id))
  where iif(alone, place = 1, not died)
  order by place
  limit :most);

-- name: served
-- Moves the same projects to the end of the queue, in their order. A project with :most_tries in this minute waits for
-- the next minute.
update hook_queues
set waits = 0, turn = iif(x.number > 0, 8 * :now + x.place, turn), minute = :minute, tries = x.tries,
  next_at = max(x.next_at, iif(project_id > 0 and x.tries >= :most_tries, (:minute + 1) * 60000, 0))
from (select id, place, number, number + iif(minute = :minute, tries, 0) as tries, next_at
  from (
    select q.project_id as id, row_number() over (order by q.turn, q.next_at) as place, q.minute, q.tries,
      (select count(*) from hooks h where h.lease = :lease and h.project_id is nullif(q.project_id, 0)) as number,
      (select t.next_at from queue_times t where t.project_id = q.project_id) as next_at
    from {next_queues} q)) x
where hook_queues.project_id = x.id
returning project_id;

-- name: begin
update deliveries set taken = taken + 1 where id in (select sending from hooks where lease = :lease);

-- name: join_chains
-- Notes that each of these hooks is called in the chain of its event, unless it was called in it within half an hour.
insert into hook_chains (chain, hook_id, webhook_id, created_at)
select coalesce({chain_of(d)}, d.webhook_id), h.id, d.webhook_id, :now
from hooks h
cross join deliveries d on d.id = h.sending
where h.lease = :lease
on conflict (chain, hook_id) do update set webhook_id = excluded.webhook_id, created_at = excluded.created_at
where hook_chains.created_at <= :now - 1800000;

-- name: taken
-- returns: DueDelivery*
-- The delivery of each of these hooks: a later try that is due, or else the first try of the oldest event. may_see: the
-- maker of the hook may still see the record, and its issue, which may have become confidential. A chain counts if it
-- is the id of a delivery of this server in the last half hour. It holds back no push, and no hook of the system.
select h.*, d.id as delivery_id, d.webhook_id, d.attempt, d.taken, coalesce(e.id, 0) as event_id,
  coalesce(e.kind, 'gone') as kind, coalesce(e.action, '') as action, coalesce(e.bit, 0) as bit,
  coalesce(iif(d.chain is null, json_remove(e.origin, '$.chain'), e.origin), '{}') as origin, e.before,
  (select w.snapshot from whole_events w where w.id = e.id) as snapshot,
  coalesce(e.created_at, 0) as happened_at, (select avatar_enabled from settings) as avatars,
  coalesce((select x.may_see from hook_access x where x.hook_id = h.id and x.event_id = e.id), 0)
  and (e.snapshot ->> '$.issue.id' is null
    or exists (select 1
      from issue_audience a
      where a.issue_id = e.snapshot ->> '$.issue.id' and a.user_id = h.maker_id))
  as may_see,
  h.project_id is not null and coalesce(e.bit, 0) not in (1, 2)
  and (exists (select 1
      from hook_chains c
      where c.chain = d.chain and c.hook_id = h.id and c.webhook_id <> d.webhook_id)
    or 100 < (select count(*) from (select 1 from hook_chains c where c.chain = d.chain limit 101))) as is_loop
from hooks k
cross join hook_rows h on h.id = k.id
cross join (select *, {chain_of(deliveries)} as chain from deliveries) d on d.id = k.sending
left join hook_events e on e.id = d.event_id
where k.lease = :lease;

-- name: done
delete from deliveries where id = :id and attempt = :attempt;

-- name: again
update deliveries set attempt = attempt + 1, taken = 0, next_at = :next_at where id = :id and attempt = :attempt;

-- name: succeeded
update hooks
set failures = 0, disabled_until = null
where id = :hook_id and (failures > 0 or disabled_until is not null);

-- name: failed
-- From the fourth failure in a row on, the hook is disabled for a time that doubles.
update hooks
set disabled_until = iif(failures < 3, null, :now + min(86400000, 60000 << min(failures - 3, 20))),
  failures = min(failures + 1, 40)
where id = :hook_id;

-- name: release
-- Ends the leases. A hook with more deliveries goes behind the others of its project.
update hooks
set lease = null, lease_until = null, sending = null, dropped = 0,
  next_at = iif(failures >= 40, null,
    nullif(max(coalesce(disabled_until, 0), :now,
      min(coalesce((select min(d.next_at) from deliveries d where d.hook_id = hooks.id and d.attempt > 0),
        9007199254740991),
        coalesce((select d.next_at
          from deliveries d
          where d.hook_id = hooks.id and d.attempt = 0
          order by d.id
          limit 1), 9007199254740991))), 9007199254740991))
where lease = :lease;

-- name: queue_again
-- Notes when the next hook of these projects is due.
update hook_queues
set next_at = (select t.next_at from queue_times t where t.project_id = hook_queues.project_id)
where project_id in (select value from json_each(:projects));

-- name: log_expired
-- Logs the oldest events that were not sent to the hook in time, as far as the project has room for the rows.
insert into {log_unsent}
select h.id, h.project_id, d.event_id, d.webhook_id, 0, e.bit, h.url, '{}', '{}', 'expired', 0, :now
from hooks h
cross join (select *
  from deliveries
  where hook_id = :hook_id and attempt = 0
  order by id
  limit (select max(0, min(200, r.room / (r.line + 7))) from hook_rooms r where r.hook_id = :hook_id)) d
cross join hook_events e on e.id = d.event_id
where h.id = :hook_id and d.created_at < :before;

-- name: drop_expired
delete from deliveries
where id in (select id
  from (select * from deliveries where hook_id = :hook_id and attempt = 0 order by id limit 200)
  where created_at < :before);

-- name: log_dropped
insert into {log_unsent}
select id, project_id, 0, '', 0, events & -events, url, '{}', '{}', dropped
  || ' events were dropped, because too many waited', 0, :now
from hooks h
where id = :hook_id and dropped > 0 and (select r.room - r.line from hook_rooms r where r.hook_id = h.id) >= 100;
