-- What guards writes, limits them, and removes what is not needed any more.

-- What a batch expects. A row with holds = 0 ends the whole batch and nothing of it is written. A row with holds = 1 is
-- dropped, so the table stays empty.
create table expectations (
  -- whether the expected condition is true
  holds integer not null
) strict;

create trigger expectations_hold before insert on expectations when new.holds BEGIN
  select raise(ignore);
END;
create trigger expectations_fail before insert on expectations when not new.holds BEGIN
  select raise(abort, 'E_EXPECTATION');
END;

-- Requests with an Idempotency-Key, and their answers. For a day a repeat gets the same answer. Only its own batch sees
-- a row without an answer.
create table idempotency_keys (
  user_id integer not null references users (id),
  -- who answers for the request: the user, or the maker of a token of a project
  person_id integer not null,
  -- SHA-256 of the key, lower-case hexadecimal
  key text not null,
  -- SHA-256 of the request: verb, path and parameters
  digest text not null,
  -- JSON: the row that the answer was made of, and what else it depended on
  answer text,
  -- the record that the batch found, if it changed one instead of making it
  record_id integer,
  created_at integer not null,
  quota_bytes integer as (300 + coalesce(octet_length(answer), 0)) virtual,
  primary key (user_id, key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_of_person on idempotency_keys (person_id, created_at);

-- Every new key removes ten of the oldest that are older than a day, so that no request removes many.
create trigger idempotency_keys_expire after insert on idempotency_keys BEGIN
  delete from idempotency_keys
  where (user_id, key) in (
    select o.user_id, o.key
    from idempotency_keys o
    where o.created_at <= new.created_at - 86400000
    order by o.created_at
    limit 10
  );
END;
create trigger idempotency_keys_stored after insert on idempotency_keys BEGIN
  update stored set bytes = bytes + new.quota_bytes where id = 1;
  insert into shares (user_id, bytes, answers)
  values (new.person_id, 0, new.quota_bytes)
  on conflict (user_id) do update set answers = answers + excluded.answers;
END;
create trigger idempotency_keys_restored after update of answer on idempotency_keys
when new.quota_bytes <> old.quota_bytes or new.person_id <> old.person_id BEGIN
  update stored set bytes = bytes + new.quota_bytes - old.quota_bytes where id = 1;
  update shares set answers = answers - old.quota_bytes where user_id = old.person_id;
  insert into shares (user_id, bytes, answers)
  values (new.person_id, 0, new.quota_bytes)
  on conflict (user_id) do update set answers = answers + excluded.answers;
END;
create trigger idempotency_keys_unstored after delete on idempotency_keys BEGIN
  update stored set bytes = bytes - old.quota_bytes where id = 1;
  update shares set answers = answers - old.quota_bytes where user_id = old.person_id;
END;

-- A person keeps 10 MB. Beyond that the oldest answers go, 50 at a time, so that no request removes many. Then 100 kB
-- more go than need be, so that most keys remove none.
create trigger shares_keep_answers after update of answers on shares
when new.answers > 10000000 and new.answers > old.answers BEGIN
  delete from idempotency_keys
  where (user_id, key) in (
    select user_id, key
    from (
      select
        o.user_id, o.key,
        sum(o.quota_bytes) over (order by o.created_at, o.user_id, o.key) - o.quota_bytes as before
      from (
        select user_id, key, created_at, quota_bytes
        from idempotency_keys
        where person_id = new.user_id
        order by created_at, user_id, key
        limit 50
      ) o
    )
    where before < new.answers - 9900000
  );
END;

-- Issues and comments that a user wrote in one hour. Each write adds one, and one too many ends its batch.
create table hourly_writes (
  user_id integer primary key references users (id),
  -- hours since 1970
  hour integer not null,
  writes integer not null,
  -- the limit at the time of the last write
  most integer not null
) strict;

create trigger hourly_writes_end before update on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;
-- The first write of an hour may be many copies at once.
create trigger hourly_writes_begin before insert on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;

-- Deleted issues whose comments and to-do items are still being removed, a chunk at each deletion.
create table issue_remains (
  issue_id integer primary key references issues (id)
) strict;

-- Deleted projects that are being purged: their records are removed, a chunk at a time.
create table project_remains (
  project_id integer primary key references projects (id)
) strict;

-- How far a sweep of a table came. Rows with ids above after and up to upto are still to be checked.
create table sweeps (
  what text primary key check (what in ('statuses')),
  after integer not null default 0,
  upto integer not null default 0
) strict, without rowid;
insert into sweeps (what)
values ('statuses');

-- How far the sweep of the object store came.
create table object_sweeps (
  -- there is one row
  id integer primary key check (id = 1),
  -- the begin of all keys of this database. Other databases may use the same bucket
  store text not null,
  -- the key up to which objects were checked
  after text not null default '',
  -- the id of the commit up to which diffs were moved into the store
  moved integer not null default 0,
  -- A restored database reads the objects of its original, whose keys begin with store, and puts and sweeps those that
  -- begin with own, null: the database has only store
  own text
) strict;
insert into object_sweeps (id, store)
values (1, lower(hex(randomblob(8))));

-- The next deleted project to purge, and the next of its issues and commits.
create view ending_project as
select min(project_id) as project_id
from project_remains;

create view ending_issues as
select id
from issues
where project_id = (select project_id from ending_project)
order by iid
limit 5;

create view ending_commits as
select id
from commits
where project_id = (select project_id from ending_project)
order by sha
limit 20;
