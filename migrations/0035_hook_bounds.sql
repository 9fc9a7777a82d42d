-- Bounds of web hooks: what waits, what is logged, and whose turn it is.

-- A hook keeps at most 1000 rows and 10 MB of its log. dropped: events that it did not get since its last try, because too many waited.
-- sending: the delivery that is sent under the lease.
alter table hooks add column sending integer;
alter table hooks add column log_rows integer not null default 0;
alter table hooks add column log_bytes integer not null default 0;
alter table hooks add column dropped integer not null default 0;
update hooks set (log_rows, log_bytes) = (select count(*), coalesce(sum(l.quota_bytes), 0) from hook_log l where l.hook_id = hooks.id);
create trigger hook_log_counted after insert on hook_log BEGIN
  update hooks set log_rows = log_rows + 1, log_bytes = log_bytes + new.quota_bytes where id = new.hook_id;
END;
create trigger hook_log_uncounted after delete on hook_log BEGIN
  update hooks set log_rows = log_rows - 1, log_bytes = log_bytes - old.quota_bytes where id = old.hook_id;
END;

-- Projects that have more keep them.
drop trigger hooks_of_project_end;
create trigger hooks_of_project_end before insert on hooks when new.project_id is not null
and 20 <= (select count(*) from hooks where project_id = new.project_id) BEGIN
  select raise(abort, 'E_HOOKS_OF_PROJECT');
END;

-- A delivery counts its row with the indexes, and the row of 300 bytes that it leaves in the log. project_id: that of the event. system: it is
-- for a hook of the system. taken: how often it was begun since its last outcome.
alter table deliveries add column project_id integer;
alter table deliveries add column system integer not null default 0;
alter table deliveries add column taken integer not null default 0;
alter table deliveries add column quota_bytes integer as (500) virtual;
update deliveries set project_id = (select e.project_id from hook_events e where e.id = deliveries.event_id),
  system = coalesce((select h.project_id is null from hooks h where h.id = deliveries.hook_id), 0);
-- Those that wait, for hooks of the project and for those of the system.
alter table storage add column deliveries integer not null default 0;
alter table storage add column system_deliveries integer not null default 0;
-- they may be over a limit, which the next write sets again
update stored set project_most = 0, most = 0;
update storage set bytes = storage.bytes + x.bytes, deliveries = x.own, system_deliveries = x.number - x.own
from (select project_id, sum(quota_bytes) as bytes, sum(1 - system) as own, count(*) as number from deliveries group by 1) x
where storage.project_id = x.project_id;

-- Beyond 1000 that wait, events of a project are dropped.
create trigger deliveries_end before insert on deliveries
when 1000 <= (select iif(new.system, t.system_deliveries, t.deliveries) from storage t where t.project_id = new.project_id) BEGIN
  update hooks set dropped = dropped + 1 where id = new.hook_id;
  select raise(ignore);
END;
drop trigger deliveries_made;
create trigger deliveries_made after insert on deliveries BEGIN
  update storage set bytes = bytes + new.quota_bytes, deliveries = deliveries + 1 - new.system, system_deliveries = system_deliveries + new.system
  where project_id = new.project_id;
  update hooks set next_at = max(new.next_at, coalesce(disabled_until, 0))
  where id = new.hook_id and (next_at is null or next_at > max(new.next_at, coalesce(disabled_until, 0)));
END;
create trigger deliveries_unstored after delete on deliveries BEGIN
  update storage set bytes = bytes - old.quota_bytes, deliveries = deliveries - 1 + old.system, system_deliveries = system_deliveries - old.system
  where project_id = old.project_id;
END;

drop trigger hook_events_made;
create trigger hook_events_made after insert on hook_events when new.snapshot is not null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select new.id, h.id, new.project_id, 0, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where h.project_id = new.project_id and h.events & new.bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select new.id, h.id, new.project_id, 1, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where new.system_bit > 0 and h.project_id is null and h.events & new.system_bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
END;
drop trigger hook_events_filled;
create trigger hook_events_filled after update of snapshot on hook_events when old.snapshot is null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select new.id, h.id, new.project_id, 0, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), new.created_at, new.created_at
  from hooks h where h.project_id = new.project_id and h.events & new.bit and h.failures < 40
    and (select x.hears from hook_ears x where x.hook_id = h.id and x.event_id = new.id);
END;

-- room: the bytes that still fit into the project of a hook. line: those of a row of its log without headers and body.
create view hook_rooms as
select h.id as hook_id, h.log_rows, h.log_bytes, 304 + octet_length(h.url) as line, coalesce((
  select min(iif(s.project_most > 0, s.project_most - t.bytes, 9007199254740991), iif(s.most > 0, s.most - s.bytes, 9007199254740991))
  from stored s cross join storage t where s.id = 1 and t.project_id = h.project_id), 9007199254740991) as room
from hooks h;

-- The chain of a delivery, if it is the id of another delivery of this server: a header of a request may name any.
create view delivery_chains as
select d.id as delivery_id, c.chain, c.created_at from deliveries d cross join hook_events e on e.id = d.event_id
cross join hook_chains c on c.chain = e.origin ->> 'chain' and c.webhook_id = c.chain;

-- Whose turn it is: of the projects that wait, the one that was served longest ago.
create table hook_queues (
  -- 0: the hooks of the system
  project_id integer primary key,
  -- the place in the order in which projects were served: eight times the time, and the place in its round. A new one is behind those that wait.
  turn integer not null default 0,
  -- when the first of its hooks is due, or its lease ends, null: nothing is to be sent
  next_at integer,
  -- whether that time has come
  waits integer not null default 0,
  -- tries in a minute since 1970
  minute integer not null default 0,
  tries integer not null default 0
) strict;
create index hook_queues_due on hook_queues (next_at) where waits = 0;
create index hook_queues_waiting on hook_queues (turn, next_at) where waits = 1;
insert into hook_queues (project_id, next_at) select coalesce(project_id, 0), min(next_at) from hooks where next_at is not null group by 1;
create view queue_times as
select q.project_id, (select min(max(h.next_at, coalesce(h.lease_until, 0))) from hooks h where h.project_id is nullif(q.project_id, 0)) as next_at
from hook_queues q;
create trigger hooks_queued after update of next_at on hooks when new.next_at is not null BEGIN
  insert into hook_queues (project_id, turn, next_at) values (coalesce(new.project_id, 0), 8 * new.next_at, new.next_at)
  on conflict (project_id) do update set next_at = excluded.next_at where hook_queues.next_at is null or hook_queues.next_at > excluded.next_at;
END;
create trigger hooks_unqueued after delete on hooks when not exists (select 1 from hooks where project_id is old.project_id) BEGIN
  delete from hook_queues where project_id = coalesce(old.project_id, 0);
END;
