-- Counts the bytes of what users write, for the quotas of a project, of a person and of the server.
--
-- A row counts what it takes with its indexes, where a name of more than 1,000 bytes takes a page of 4 kB in each. The
-- figures in the columns quota_bytes are those of the file after a thousand of the longest rows.
--
-- Bytes in the object store have limits of their own, and each person a share of them. A request takes room for them
-- before it puts them there.

-- The bytes of each project, and of events of no project, for hooks of the system.
create table storage (
  -- 0: no project
  project_id integer primary key,
  -- what the quota of the project limits. The bytes below are part of it
  bytes integer not null,
  -- in the object store: uploads
  uploads integer not null default 0,
  -- in the object store: files of packages
  packages integer not null default 0,
  -- in the object store: trees and files of the repository
  contents integer not null default 0,
  -- how many deliveries wait, for hooks of the project and for those of the system
  deliveries integer not null default 0,
  system_deliveries integer not null default 0,
  -- in the object store: diffs
  diffs integer not null default 0,
  -- in the object store soon: what requests are sending
  reserved integer not null default 0,
  -- all that is in the object store
  objects integer as (contents + uploads + packages + diffs + reserved) virtual,
  -- uploads of people who are no members, with what they are sending
  outside integer not null default 0,
  -- of 256 KiB in the database, begun: what stays of a deleted project takes none
  steps integer as ((bytes - objects + 258048) >> 18) virtual
) strict;
insert into storage (project_id, bytes)
values (0, 0);

-- A batch that makes a counter grow beyond its limit ends, and nothing of it is written.
create trigger storage_counts after update of bytes on storage
when new.bytes <> old.bytes or new.objects <> old.objects BEGIN
  select raise(abort, 'E_PROJECT_FULL')
  from stored s
  where s.id = 1
    and new.project_id > 0
    and s.project_most > 0
    and new.bytes > s.project_most
    and new.bytes > old.bytes;
  select raise(abort, 'E_FULL_FOR_OTHERS')
  from request_marks
  where id = 3 and new.project_id > 0 and new.bytes > old.bytes;
  update stored
  set bytes = bytes + new.bytes - new.objects - old.bytes + old.objects, objects = objects + new.objects - old.objects
  where id = 1;
END;

-- The person who made a project has its bytes in the database in their share, in steps, so that most writes write no
-- share.
create trigger storage_shared after update of bytes on storage when new.steps <> old.steps BEGIN
  insert into shares (user_id, bytes, steps)
  select p.creator_id, 0, new.steps - old.steps
  from projects p
  where p.id = new.project_id
  on conflict (user_id) do update set steps = steps + excluded.steps;
  select raise(abort, 'E_PERSON_FULL')
  from stored s
  cross join projects p on p.id = new.project_id
  cross join shares h on h.user_id = p.creator_id
  cross join users u on u.id = p.creator_id
  where s.id = 1
    and s.person_most > 0
    and new.steps > old.steps
    and h.steps << 18 > s.person_most
    and not u.admin;
END;

-- The bytes of all projects, of groups, tokens and answers kept for repeats.
create table stored (
  -- there is one row
  id integer primary key check (id = 1),
  -- without those in the object store
  bytes integer not null,
  -- the greatest id of a token that was deleted: the id of a token never names another
  last_token_id integer not null default 0,
  -- the limits of a project and of the server, as the last write had them, 0: no limit
  project_most integer not null default 0,
  most integer not null default 0,
  -- the limit of the projects that one person made, 0: none
  person_most integer not null default 0,
  -- bytes in the object store
  objects integer not null default 0
) strict;
insert into stored (id, bytes)
values (1, 0);

create trigger stored_ends after update of bytes on stored
when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL');
END;

-- The projects that grow by their members alone. Callers who are no members leave three quarters of a project, half of
-- the share of its maker and half of the server to members. Files count in a share of their own (reservations.outside).
create view full_for_others as
select p.id as project_id
from projects p
cross join storage t on t.project_id = p.id
cross join stored s on s.id = 1
left join users u on u.id = p.creator_id
left join shares h on h.user_id = u.id
where
  s.project_most > 0 and t.bytes - t.objects >= s.project_most / 4
  or s.most > 0 and s.bytes >= s.most / 2
  or s.person_most > 0 and h.steps << 18 >= s.person_most / 2 and not u.admin;

-- What each person takes.
create table shares (
  user_id integer primary key,
  -- in the object store, of what the person stored
  bytes integer not null,
  -- in the database, of the projects that the person made, in steps of 256 KiB
  steps integer not null default 0,
  -- in the database, of answers kept for repeats
  answers integer not null default 0
) strict;

-- Room for bytes on their way to the object store. The batch that writes their rows gives it back. The sweep gives back
-- what a killed request took.
create table reservations (
  id integer primary key,
  -- random, the same in all rows of a request
  request text not null check (octet_length(request) = 32),
  project_id integer not null,
  person_id integer not null,
  -- 1: for an upload of a person who is no member of the project
  outside integer not null check (outside in (0, 1)),
  bytes integer not null check (bytes >= 0),
  -- limits that hold for this row, 0: no limit. Bytes in the object store of all projects
  most_objects integer not null,
  -- bytes in the object store of the person
  most_of_person integer not null,
  -- bytes of the project, or of uploads of people who are no members if outside
  most_of_project integer not null,
  created_at integer not null
) strict;
create index reservations_of_request on reservations (request);
create index reservations_by_creation on reservations (created_at);

create trigger reservations_begin after insert on reservations BEGIN
  update storage
  set bytes = bytes + new.bytes, reserved = reserved + new.bytes, outside = outside + new.outside * new.bytes
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  values (new.person_id, new.bytes)
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
  select raise(abort, 'E_PART_FULL')
  from storage t
  where t.project_id = new.project_id
    and new.most_of_project > 0
    and iif(new.outside, t.outside, t.bytes) > new.most_of_project;
  select raise(abort, 'E_SHARE_FULL')
  from shares h
  where h.user_id = new.person_id and new.most_of_person > 0 and h.bytes > new.most_of_person;
  select raise(abort, 'E_OBJECTS_FULL')
  from stored s
  where s.id = 1 and new.most_objects > 0 and s.objects > new.most_objects;
END;
create trigger reservations_end after delete on reservations BEGIN
  update storage
  set bytes = bytes - old.bytes, reserved = reserved - old.bytes, outside = outside - old.outside * old.bytes
  where project_id = old.project_id;
  update shares set bytes = bytes - old.bytes where user_id = old.person_id;
END;
