-- Each person who causes deliveries has a share of those that wait, and a comment on a long issue stores no copy of it.

-- the person behind the request, null: nobody, such as the Cron trigger
alter table deliveries add column person_id integer;
-- 0: a push, a pipeline, and what happens to people and projects. 1: any other event. 2: one that somebody caused who
-- is no member of the project
alter table deliveries add column share integer not null default 1 check (share in (0, 1, 2));
create index deliveries_of_queue on deliveries (project_id, system, share, person_id);
create index tokens_of_bot on tokens (bot_id, id) where bot_id is not null;

-- Who caused an event, and the share that its deliveries count in.
create view event_causes as
select
  c.id as event_id, c.project_id, c.person_id,
  iif(
    c.bit & 259 or c.system_bit > 0 and c.action not glob '*_rename' and c.action <> 'project_update', 0,
    1
      + (
        c.project_id is not null
          and c.person_id is not null
          and not exists (
            select 1
            from project_viewers v
            where v.user_id = c.person_id and v.project_id = c.project_id and v.access > 0
          )
      )
  ) as share
from (
  select
    e.id, e.project_id, e.action, e.bit, e.system_bit,
    coalesce(
      e.origin ->> 'person',
      (select t.user_id from tokens t where t.bot_id = e.snapshot ->> '$.user.id' order by t.id desc limit 1),
      e.snapshot ->> '$.user.id'
    ) as person_id
  from hook_events e
) c;

-- An event with long texts cut to 1250 letters, which are 5 kB at most. same: the description did not change.
create view short_events as
select
  e.id as event_id,
  iif(
    octet_length(e.before ->> 'description') > 5000,
    json_set(
      e.before, '$.description', substr(e.before ->> 'description', 1, 1250), '$.same',
      e.before ->> 'description' is e.snapshot ->> '$.issue.description'
    ),
    e.before
  ) as before,
  json_set(
    json_replace(
      e.snapshot, '$.issue.description',
      substr(
        e.snapshot ->> '$.issue.description', 1,
        iif(octet_length(e.snapshot ->> '$.issue.description') > 5000, 1250, 5000)
      ),
      '$.note.body',
      substr(e.snapshot ->> '$.note.body', 1, iif(octet_length(e.snapshot ->> '$.note.body') > 5000, 1250, 5000)),
      '$.milestone.description',
      substr(
        e.snapshot ->> '$.milestone.description', 1,
        iif(octet_length(e.snapshot ->> '$.milestone.description') > 5000, 1250, 5000)
      ),
      '$.release.description',
      substr(
        e.snapshot ->> '$.release.description', 1,
        iif(octet_length(e.snapshot ->> '$.release.description') > 5000, 1250, 5000)
      )
    ),
    '$.is_cut', 1
  ) as snapshot
from hook_events e;

-- An event with the whole texts, as their records have them now. A text of an issue that has become confidential, or of
-- a record that is gone, stays cut. bytes: of the event with these texts.
create view whole_events as
select
  e.id,
  e.quota_bytes
    + iif(
      e.snapshot ->> 'is_cut',
      coalesce((select octet_length(i.description) from issues i where i.id = e.snapshot ->> '$.issue.id'), 0)
        + coalesce((select octet_length(n.body) from notes n where n.id = e.snapshot ->> '$.note.id'), 0)
        + coalesce(
          (select octet_length(m.description) from milestones m where m.id = e.snapshot ->> '$.milestone.id'), 0
        )
        + coalesce((select octet_length(r.description) from releases r where r.id = e.snapshot ->> '$.release.id'), 0),
      0
    ) as bytes,
  iif(
    e.snapshot ->> 'is_cut',
    json_replace(
      e.snapshot, '$.issue.description',
      coalesce(
        (
          select substr(i.description, 1, iif(octet_length(json_quote(i.description)) > 250000, 8192, 900000))
          from issues i
          where i.id = e.snapshot ->> '$.issue.id'
            and length(e.snapshot ->> '$.issue.description') = 1250
            and i.confidential <= e.snapshot ->> '$.issue.confidential'
        ),
        e.snapshot ->> '$.issue.description'
      ),
      '$.note.body',
      coalesce(
        (
          select substr(n.body, 1, iif(octet_length(json_quote(n.body)) > 400000, 8192, 900000))
          from notes n
          where n.id = e.snapshot ->> '$.note.id'
            and length(e.snapshot ->> '$.note.body') = 1250
            and not n.system
            and not exists (
              select 1
              from issues k
              where k.id = n.issue_id and k.confidential > e.snapshot ->> '$.issue.confidential'
            )
        ),
        e.snapshot ->> '$.note.body'
      ),
      '$.milestone.description',
      coalesce(
        (
          select substr(m.description, 1, iif(octet_length(json_quote(m.description)) > 400000, 8192, 900000))
          from milestones m
          where m.id = e.snapshot ->> '$.milestone.id'
            and length(e.snapshot ->> '$.milestone.description') = 1250
        ),
        e.snapshot ->> '$.milestone.description'
      ),
      '$.release.description',
      coalesce(
        (
          select substr(r.description, 1, iif(octet_length(json_quote(r.description)) > 400000, 8192, 900000))
          from releases r
          where r.id = e.snapshot ->> '$.release.id'
            and length(e.snapshot ->> '$.release.description') = 1250
        ),
        e.snapshot ->> '$.release.description'
      )
    ),
    e.snapshot
  ) as snapshot
from hook_events e;

-- Makes the deliveries of the event that is inserted here, and drops what is too much. The view has no rows.
create view event_deliveries as
select event_id, project_id, person_id, share
from event_causes
where false;

drop trigger deliveries_end;
drop trigger hook_events_made;
drop trigger hook_events_filled;
drop trigger hook_events_stored;
drop trigger hook_events_end;

create trigger event_deliveries_made instead of insert on event_deliveries BEGIN
  insert into deliveries (
    event_id, hook_id, project_id, system, webhook_id, next_at, created_at, person_id, share
  )
  select
    e.id, h.id, e.project_id, h.project_id is null,
    lower(
      hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    e.created_at, e.created_at, new.person_id, new.share
  from hook_events e
  cross join (
    select id, project_id, events, failures
    from hooks
    where project_id = new.project_id
    union all
    select id, project_id, events, failures
    from hooks
    where project_id is null
  ) h
  where e.id = new.event_id
    and h.events & iif(h.project_id is null, e.system_bit, e.bit)
    and h.failures < 40
    and (select x.may_see from hook_access x where x.hook_id = h.id and x.event_id = e.id);
  -- What is beyond a share is dropped (taken = -1). What is being sent does not wait. One person has 500, and loses the
  -- share 0 last.
  update deliveries
  set taken = -1
  where taken = 0
    and id in (
      select id
      from (
        select d.id, row_number() over (partition by d.system order by d.share > 0, d.id desc) as nth
        from storage t
        cross join deliveries d on d.project_id is new.project_id
          and d.system in (0, 1)
          and d.share in (0, 1, 2)
          and d.person_id = new.person_id
        where t.project_id = coalesce(new.project_id, 0) and max(t.deliveries, t.system_deliveries) > 500
      )
      where nth > 500
    );
  -- Outsiders together have 250. The one with most loses the oldest: nth counts those of a person from the newest.
  update deliveries
  set taken = -1
  where taken = 0
    and id in (
      select id
      from (
        select id, row_number() over (order by nth, id desc) as place
        from (
          select d.id, row_number() over (partition by d.person_id order by d.id desc) as nth
          from storage t
          cross join deliveries d on d.project_id = t.project_id and d.system = 0 and d.share = 2
          where t.project_id = new.project_id and new.share = 2 and t.deliveries > 250
        )
      )
      where place > 250
    );
  -- All have 1000 in the project, and as many of its pushes for hooks of the system. Of the share 0 250 come first.
  update deliveries
  set taken = -1
  where taken = 0
    and id in (
      select id
      from (
        select id, row_number() over (partition by system order by share > 0 or place > 250, nth, id desc) as number
        from (
          select
            id, system, share, nth, row_number() over (partition by system, share > 0 order by nth, id desc) as place
          from (
            select
              d.id, d.system, d.share,
              row_number() over (partition by d.system, d.person_id order by d.share > 0, d.id desc) as nth
            from storage t
            cross join deliveries d on d.project_id is new.project_id
            where t.project_id = coalesce(new.project_id, 0) and max(t.deliveries, t.system_deliveries) > 1000
          )
        )
      )
      where number > 1000
    );
END;
create trigger deliveries_dropped after update of taken on deliveries when new.taken = -1 BEGIN
  update hooks set dropped = dropped + 1 where id = new.hook_id;
  delete from deliveries where id = new.id;
END;

-- Events of no project have 100 MB. Beyond that those go that have been sent, the oldest first, and if none has been
-- the new one.
create trigger hook_events_end before insert on hook_events
when new.project_id is null and 100000000 <= (select t.bytes from storage t where t.project_id = 0) BEGIN
  delete from hook_events
  where id in (
    select e.id
    from (select id from hook_events where project_id is null order by id limit 1100) e
    where not exists (select 1 from deliveries d where d.event_id = e.id)
    limit 10
  );
  select raise(ignore)
  where 100000000 <= (select t.bytes from storage t where t.project_id = 0);
END;
create trigger hook_events_made after insert on hook_events BEGIN
  update hook_events
  set (before, snapshot) = (select s.before, s.snapshot from short_events s where s.event_id = new.id)
  where id = new.id
    and octet_length(new.snapshot) > 5000
    and new.kind in ('issue', 'note', 'emoji', 'milestone', 'release');
  update storage set bytes = bytes + new.quota_bytes where project_id = coalesce(new.project_id, 0);
  insert into event_deliveries (event_id, project_id, person_id, share)
  select c.event_id, c.project_id, c.person_id, c.share
  from event_causes c
  where c.event_id = new.id and new.snapshot is not null and new.hook_id is null;
END;
create trigger hook_events_filled after update of snapshot on hook_events
when old.snapshot is null and new.hook_id is null BEGIN
  update hook_events
  set (before, snapshot) = (select s.before, s.snapshot from short_events s where s.event_id = new.id)
  where id = new.id
    and octet_length(new.snapshot) > 5000
    and new.kind in ('issue', 'note', 'emoji', 'milestone', 'release');
  insert into event_deliveries (event_id, project_id, person_id, share)
  select c.event_id, c.project_id, c.person_id, c.share
  from event_causes c
  where c.event_id = new.id;
END;
