-- How much there is of what has a quota.

-- Issues and comments that a user wrote in one hour. What writes them adds one, and one too many ends its batch.
create table hourly_writes (
  user_id integer primary key references users (id),
  -- hours since 1970
  hour integer not null,
  writes integer not null,
  -- how many there might be when the last one came
  most integer not null
) strict;
create trigger hourly_writes_end before update on hourly_writes when new.writes > new.most BEGIN
  select raise(abort, 'E_TOO_MANY_WRITES');
END;

-- Bytes of the commits and diffs of a project, and of all together.
alter table mirrors add column bytes integer not null default 0;
update mirrors set bytes = (select coalesce(sum(octet_length(c.message) + octet_length(c.author_name) + octet_length(c.author_email)
    + octet_length(c.committer_name) + octet_length(c.committer_email) + octet_length(c.parent_shas)
    + coalesce((select sum(octet_length(d.text)) from diffs d where d.commit_id = c.id), 0)), 0)
  from commits c where c.project_id = mirrors.project_id);
create table stored (
  -- there is one row
  id integer primary key check (id = 1),
  bytes integer not null
) strict;
insert into stored (id, bytes) select 1, coalesce(sum(bytes), 0) from mirrors;
create trigger mirrors_add_up after update of bytes on mirrors when new.bytes <> old.bytes BEGIN
  update stored set bytes = bytes + new.bytes - old.bytes where id = 1;
END;
