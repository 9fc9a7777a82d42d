-- What web hooks are to be sent. The batch that makes a change writes to hook_events what happened, with one row of
-- deliveries for each hook that gets it. Deliveries are sent afterwards.

-- What happened.
create table hook_events (
  id integer primary key autoincrement,
  kind text not null check (octet_length(kind) <= 64),
  -- of a push the name of the branch or tag
  action text not null check (octet_length(action) <= 4096),
  -- which hooks of the project and which of the system get it: a bit of hooks.events
  bit integer not null,
  system_bit integer not null default 0,
  project_id integer references projects (id),
  -- set: for this hook alone, for a try that somebody asked for
  hook_id integer,
  -- JSON object: base address, chain of the request, and the access and visibility that it takes to see the record
  origin text not null check (octet_length(origin) <= 4096),
  created_at integer not null,
  quota_bytes integer as (200 + coalesce(octet_length(before), 0) + coalesce(octet_length(snapshot), 0)) virtual,
  -- JSON of the record before and after the change. Snapshot is null until the end of the batch
  before text check (octet_length(before) <= 1900000),
  snapshot text check (octet_length(snapshot) <= 1900000)
) strict;
-- those without a snapshot have no bit yet
create index hook_events_open on hook_events (bit) where snapshot is null;
create index hook_events_by_time on hook_events (created_at);
create index hook_events_of_project on hook_events (project_id, id);

create trigger hook_events_stored after insert on hook_events BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = coalesce(new.project_id, 0);
END;
create trigger hook_events_restored after update of snapshot on hook_events
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes
  where project_id = coalesce(new.project_id, 0);
END;
create trigger hook_events_unstored after delete on hook_events BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = coalesce(old.project_id, 0);
END;
-- Those of no project wait for hooks of the system: beyond 100 MB they are dropped, and the write goes on.
create trigger hook_events_end before insert on hook_events
when new.project_id is null and 100000000 <= (select t.bytes from storage t where t.project_id = 0) BEGIN
  select raise(ignore);
END;
-- A request that informs nobody makes no event.
create trigger hook_events_silent before insert on hook_events
when new.hook_id is null and exists (select 1 from request_marks where silent) BEGIN
  select raise(ignore);
END;
create trigger hook_events_made after insert on hook_events
when new.snapshot is not null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select
    new.id, h.id, new.project_id, 0,
    lower(
      hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    new.created_at, new.created_at
  from hooks h
  where h.project_id = new.project_id
    and h.events & new.bit
    and h.failures < 40
    and (select x.may_see from hook_access x where x.hook_id = h.id and x.event_id = new.id);
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select
    new.id, h.id, new.project_id, 1,
    lower(
      hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    new.created_at, new.created_at
  from hooks h
  where new.system_bit > 0
    and h.project_id is null
    and h.events & new.system_bit
    and h.failures < 40
    and (select x.may_see from hook_access x where x.hook_id = h.id and x.event_id = new.id);
END;
create trigger hook_events_filled after update of snapshot on hook_events
when old.snapshot is null and new.hook_id is null BEGIN
  insert into deliveries (event_id, hook_id, project_id, system, webhook_id, next_at, created_at)
  select
    new.id, h.id, new.project_id, 0,
    lower(
      hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    new.created_at, new.created_at
  from hooks h
  where h.project_id = new.project_id
    and h.events & new.bit
    and h.failures < 40
    and (select x.may_see from hook_access x where x.hook_id = h.id and x.event_id = new.id);
END;

-- What is still to be sent. Its hook and its event may be gone.
create table deliveries (
  id integer primary key autoincrement,
  event_id integer not null,
  hook_id integer not null,
  -- the same for all tries
  webhook_id text not null check (octet_length(webhook_id) <= 64),
  -- tries so far
  attempt integer not null default 0,
  next_at integer not null,
  created_at integer not null,
  -- that of the event
  project_id integer,
  -- 1: for a hook of the system
  system integer not null default 0,
  -- how often it was begun since its last outcome
  taken integer not null default 0,
  -- the row with its indexes, and the row of 300 bytes that it leaves in the log
  quota_bytes integer as (500) virtual
) strict;
create index deliveries_first on deliveries (hook_id, id) where attempt = 0;
create index deliveries_again on deliveries (hook_id, next_at) where attempt > 0;
create index deliveries_of_event on deliveries (event_id);
create index deliveries_by_time on deliveries (created_at);

-- Beyond 1000 deliveries that wait, events of a project are dropped, and so are those of none.
create trigger deliveries_end before insert on deliveries
when 1000
  <= (
    select iif(new.system, t.system_deliveries, t.deliveries)
    from storage t
    where t.project_id = coalesce(new.project_id, 0)
  ) BEGIN
  update hooks set dropped = dropped + 1 where id = new.hook_id;
  select raise(ignore);
END;
create trigger deliveries_made after insert on deliveries BEGIN
  update storage
  set
    bytes = bytes + new.quota_bytes, deliveries = deliveries + 1 - new.system,
    system_deliveries = system_deliveries + new.system
  where project_id = coalesce(new.project_id, 0);
  update hooks
  set next_at = max(new.next_at, coalesce(disabled_until, 0))
  where id = new.hook_id and (next_at is null or next_at > max(new.next_at, coalesce(disabled_until, 0)));
END;
create trigger deliveries_unstored after delete on deliveries BEGIN
  update storage
  set
    bytes = bytes - old.quota_bytes, deliveries = deliveries - 1 + old.system,
    system_deliveries = system_deliveries - old.system
  where project_id = coalesce(old.project_id, 0);
END;

-- Whose turn it is: of the projects that wait, the one that was served longest ago.
create table hook_queues (
  -- 0: the hooks of the system
  project_id integer primary key,
  -- the place in the order in which projects were served: eight times the time, and the place in its round. A new
  -- project is behind those that wait
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

-- Whether the maker of a hook may see the record of an event.
create view hook_access as
select
  h.id as hook_id, e.id as event_id,
  iif(
    e.project_id is null or h.project_id is null,
    exists (select 1 from users u where u.id = h.maker_id and u.admin and u.state = 'active'),
    exists (
      select 1
      from project_viewers v
      cross join users u on u.id = v.user_id
      cross join projects p on p.id = v.project_id
      where v.user_id = h.maker_id
        and v.project_id = e.project_id
        and u.state = 'active'
        and v.sees
        and (v.access >= e.origin ->> 'access' or v.visibility >= e.origin ->> 'visibility')
        and iif(
          e.origin ->> 'part' = 'issues', p.issues_enabled, iif(e.origin ->> 'part' = 'builds', p.builds_enabled, 1)
        )
    )
  ) as may_see
from hooks h
cross join hook_events e;

-- The chain of a delivery, if it is the id of another delivery of this server: a header of a request may name any.
create view delivery_chains as
select d.id as delivery_id, c.chain, c.created_at
from deliveries d
cross join hook_events e on e.id = d.event_id
cross join hook_chains c on c.chain = e.origin ->> 'chain' and c.webhook_id = c.chain;

-- When the first hook of a queue is due.
create view queue_times as
select
  q.project_id,
  (
    select min(max(h.next_at, coalesce(h.lease_until, 0)))
    from hooks h
    where h.project_id is nullif(q.project_id, 0)
  ) as next_at
from hook_queues q;
