-- Labels and milestones.

create table labels (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  title text not null,
  -- #RRGGBB
  color text not null,
  -- 0 is the highest, null: none
  priority integer check (priority >= 0),
  created_at integer not null,
  -- how many issues bear the label, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  -- The title of a label that is being deleted begins with a comma and does not count, so that a deletion never exceeds
  -- a quota
  quota_bytes integer as (
    200 + iif(title >= ',' and title < '-', 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text,
  unique (project_id, title)
) strict;

create trigger labels_stored after insert on labels BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger labels_restored after update of title, description on labels
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger labels_unstored after delete on labels BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Who follows a label.
create table label_subscriptions (
  label_id integer not null references labels (id),
  user_id integer not null,
  quota_bytes integer as (40) virtual,
  primary key (label_id, user_id)
) without rowid, strict;

create trigger label_subscriptions_stored after insert on label_subscriptions BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select l.project_id from labels l where l.id = new.label_id);
END;
create trigger label_subscriptions_unstored after delete on label_subscriptions BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select l.project_id from labels l where l.id = old.label_id);
END;

create table milestones (
  id integer primary key,
  project_id integer not null references projects (id),
  -- number within the project, less than 0: the milestone is deleted. Its row stays without texts, so that the number
  -- is not given out again
  iid integer not null,
  title text not null,
  state text not null default 'active' check (state in ('active', 'closed')),
  -- YYYY-MM-DD
  start_date text,
  -- YYYY-MM-DD
  due_date text,
  created_at integer not null,
  updated_at integer not null,
  -- how many issues the milestone holds, by state
  opened integer not null default 0,
  closed integer not null default 0,
  opened_hidden integer not null default 0,
  closed_hidden integer not null default 0,
  -- The title of a deleted milestone does not count, so that a deletion never exceeds a quota
  quota_bytes integer as (
    200 + iif(iid < 0, 0, 6 * octet_length(title)) + coalesce(octet_length(description), 0)
  ) virtual,
  description text,
  unique (project_id, iid),
  unique (project_id, title)
) strict;
create index milestones_by_state on milestones (project_id, state, iid);
-- finds the next milestone that is due
create index milestones_by_due_date on milestones (project_id, due_date, id)
  where state = 'active' and due_date is not null;
-- What lists compare, and how long the description is in an answer, which takes all of it to compute.
create index milestones_narrow on milestones (
  id, iid, project_id, state, start_date, due_date, octet_length(json_quote(description))
);

create trigger milestones_stored after insert on milestones BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger milestones_restored after update of title, description on milestones
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger milestones_unstored after delete on milestones BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Labels without those that are being deleted, whose titles begin with a comma.
create view label_rows as
select id, project_id, title, color, description, priority, opened, closed, opened_hidden, closed_hidden
from labels
where not (title >= ',' and title < '-');

-- counts: as in project_totals.
create view label_totals as
select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from labels;

-- Milestones without the deleted ones, whose numbers are negative. The title of a deleted milestone is not valid for
-- other milestones.
create view milestone_rows as
select
  id, iid, project_id, title, description, state, due_date, start_date, created_at, updated_at, opened, closed,
  opened_hidden, closed_hidden
from milestones
where iid > 0;

-- counts: as in project_totals.
create view milestone_totals as
select id, json_array(opened, closed, opened_hidden, closed_hidden) as counts
from milestones;

-- Milestones with the due date of the open milestone before. Statements find the next milestone of any day with it.
create view milestone_turns as
select
  m.id,
  (select t.title from milestones t where t.id = m.id) as title,
  m.state = 'active' as is_active, m.start_date, m.due_date,
  (
    select max(b.due_date)
    from milestones b
    where b.project_id = m.project_id and b.iid > 0 and b.state = 'active' and (b.due_date, b.id) < (m.due_date, m.id)
  ) as due_before
from milestones m indexed by milestones_narrow
where m.iid > 0;

create view milestone_lengths as
select
  id, coalesce(octet_length(description), 0) as bytes,
  500 + octet_length(json_quote(title)) + octet_length(json_quote(description)) as answered
from milestones;
