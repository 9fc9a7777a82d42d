-- Bytes in the object store have limits of their own, and each person a share of them. Room for them is taken before they are put.

-- The person who stored the bytes: the user, or the maker of a token of a project. Null: stored before this column, so in no share.
alter table uploads add column person_id integer;
alter table package_files add column person_id integer;
alter table objects add column person_id integer;
alter table diffs add column person_id integer;
-- Whether the person was no member of the project.
alter table uploads add column outside integer not null default 0 check (outside in (0, 1));
update uploads set person_id = author_id where author_id > 0;
update package_files set person_id = (select p.author_id from packages p where p.id = package_id and p.author_id > 0);

-- Bytes in the object store: of diffs, of what is on its way there, and of all. They count in bytes, too.
alter table storage add column diffs integer not null default 0;
alter table storage add column reserved integer not null default 0;
alter table storage add column objects integer as (contents + uploads + packages + diffs + reserved) virtual;
-- The bytes of uploads of people who are no members, with what is on its way. They count in objects, too.
alter table storage add column outside integer not null default 0;
-- The bytes in the object store of all projects. They no longer count in bytes.
alter table stored add column objects integer not null default 0;

-- The bytes in the object store by the person who stored them.
create table shares (
  user_id integer primary key,
  bytes integer not null
) strict;
insert into shares (user_id, bytes)
select person_id, sum(size) from (select person_id, size from uploads union all select person_id, size from package_files)
where person_id is not null group by 1;

-- Room for bytes on their way to the object store. The batch that writes their rows gives it back, and the sweep what a killed request took.
create table reservations (
  id integer primary key,
  -- random, the same in all rows of a request
  request text not null check (octet_length(request) = 32),
  project_id integer not null,
  person_id integer not null,
  outside integer not null check (outside in (0, 1)),
  bytes integer not null check (bytes >= 0),
  -- limits that hold for this row: bytes in the object store of all projects, of the person, and of the project (outside: of uploads of
  -- people who are no members). 0: no limit
  most_objects integer not null,
  most_of_person integer not null,
  most_of_project integer not null,
  created_at integer not null
) strict;
create index reservations_of_request on reservations (request);
create index reservations_by_creation on reservations (created_at);

drop trigger storage_counts;
update storage set diffs = x.bytes from (select c.project_id, sum(d.bytes) as bytes from diffs d cross join commits c on c.id = d.commit_id
  where d.bytes is not null group by 1) x where storage.project_id = x.project_id;
update stored set objects = (select coalesce(sum(objects), 0) from storage) where id = 1;
update stored set bytes = bytes - objects where id = 1;
create trigger storage_counts after update of bytes on storage when new.bytes <> old.bytes or new.objects <> old.objects BEGIN
  select raise(abort, 'E_PROJECT_FULL') from stored s
  where s.id = 1 and s.project_most > 0 and new.bytes > s.project_most and new.bytes > old.bytes;
  update stored set bytes = bytes + new.bytes - new.objects - old.bytes + old.objects, objects = objects + new.objects - old.objects where id = 1;
END;

create trigger reservations_begin after insert on reservations BEGIN
  update storage set bytes = bytes + new.bytes, reserved = reserved + new.bytes, outside = outside + new.outside * new.bytes
  where project_id = new.project_id;
  insert into shares (user_id, bytes) values (new.person_id, new.bytes) on conflict (user_id) do update set bytes = bytes + excluded.bytes;
  select raise(abort, 'E_PART_FULL') from storage t
  where t.project_id = new.project_id and new.most_of_project > 0 and iif(new.outside, t.outside, t.bytes) > new.most_of_project;
  select raise(abort, 'E_SHARE_FULL') from shares h
  where h.user_id = new.person_id and new.most_of_person > 0 and h.bytes > new.most_of_person;
  select raise(abort, 'E_OBJECTS_FULL') from stored s where s.id = 1 and new.most_objects > 0 and s.objects > new.most_objects;
END;
create trigger reservations_end after delete on reservations BEGIN
  update storage set bytes = bytes - old.bytes, reserved = reserved - old.bytes, outside = outside - old.outside * old.bytes
  where project_id = old.project_id;
  update shares set bytes = bytes - old.bytes where user_id = old.person_id;
END;

drop trigger uploads_stored;
drop trigger uploads_unstored;
create trigger uploads_stored after insert on uploads BEGIN
  update storage set bytes = bytes + new.quota_bytes, uploads = uploads + new.size, outside = outside + new.outside * new.size
  where project_id = new.project_id;
  insert into shares (user_id, bytes) select new.person_id, new.size where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger uploads_unstored after delete on uploads BEGIN
  update storage set bytes = bytes - old.quota_bytes, uploads = uploads - old.size, outside = outside - old.outside * old.size
  where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

drop trigger package_files_stored;
drop trigger package_files_unstored;
create trigger package_files_stored after insert on package_files BEGIN
  update storage set bytes = bytes + new.quota_bytes, packages = packages + new.size where project_id = new.project_id;
  insert into shares (user_id, bytes) select new.person_id, new.size where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger package_files_unstored after delete on package_files BEGIN
  update storage set bytes = bytes - old.quota_bytes, packages = packages - old.size where project_id = old.project_id;
  update shares set bytes = bytes - old.size where user_id = old.person_id;
END;

drop trigger objects_stored;
drop trigger objects_restored;
drop trigger objects_unstored;
create trigger objects_stored after insert on objects BEGIN
  update storage set bytes = bytes + new.quota_bytes, contents = contents + new.packed where project_id = new.project_id;
  insert into shares (user_id, bytes) select new.person_id, new.packed where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger objects_restored after update of packed, person_id on objects
when new.packed <> old.packed or new.person_id is not old.person_id BEGIN
  update storage set bytes = bytes + new.packed - old.packed, contents = contents + new.packed - old.packed where project_id = new.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
  insert into shares (user_id, bytes) select new.person_id, new.packed where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger objects_unstored after delete on objects BEGIN
  update storage set bytes = bytes - old.quota_bytes, contents = contents - old.packed where project_id = old.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
END;

-- bytes: null of a diff in the database. The sweep moves those to the object store
drop trigger diffs_stored;
drop trigger diffs_restored;
drop trigger diffs_unstored;
create trigger diffs_stored after insert on diffs BEGIN
  update storage set bytes = bytes + new.quota_bytes, diffs = diffs + coalesce(new.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  insert into shares (user_id, bytes) select new.person_id, new.bytes where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger diffs_restored after update of text, bytes on diffs
when new.quota_bytes <> old.quota_bytes or new.bytes is not old.bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes, diffs = diffs + coalesce(new.bytes, 0) - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
  insert into shares (user_id, bytes) select new.person_id, new.bytes where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger diffs_unstored after delete on diffs BEGIN
  update storage set bytes = bytes - old.quota_bytes, diffs = diffs - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = old.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
END;
