-- The sweep moves diffs to the object store. Its batch alone may pass the quotas of bytes.

-- 1: the batch moves diffs
alter table request_marks add column moves integer not null default 0 check (moves in (0, 1));

drop trigger storage_counts;
drop trigger storage_shared;
drop trigger stored_ends;

-- A batch that makes a counter grow beyond its limit ends, and nothing of it is written.
create trigger storage_counts after update of bytes on storage
when new.bytes <> old.bytes or new.objects <> old.objects BEGIN
  select raise(abort, 'E_PROJECT_FULL')
  from stored s
  where s.id = 1
    and new.project_id > 0
    and s.project_most > 0
    and new.bytes > s.project_most
    and new.bytes > old.bytes
    and not exists (select 1 from request_marks where moves);
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
    and not u.admin
    and not exists (select 1 from request_marks where moves);
END;

create trigger stored_ends after update of bytes on stored
when new.most > 0 and new.bytes > new.most and new.bytes > old.bytes BEGIN
  select raise(abort, 'E_SERVER_FULL') where not exists (select 1 from request_marks where moves);
END;
