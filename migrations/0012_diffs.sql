-- Diffs of commits, and comments on them.

-- The diff of a commit: the JSON text of the answer, cut into parts of at most 1,000,000 characters. A long diff may
-- lie in an object store, if the deployment has one: the sweep moves it there. Then it has one row, whose text is a
-- JSON array of the changed files with only their paths, for lists of commits by path.
create table diffs (
  commit_id integer not null references commits (id),
  part integer not null,
  -- the random end of the key of the object, which is STORE/PROJECT/SHA-OBJECT, null: the text is the diff itself
  object text,
  -- length of the diff in the object store, unpacked, null: the diff is in the database
  bytes integer,
  -- SHA-256 of the diff in the object store, in base64url: its entity tag
  digest text,
  quota_bytes integer as (100 + octet_length(text) + coalesce(bytes, 0)) virtual,
  -- prefix of the key of the object, null means that of object_sweeps.store
  store text,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  text text not null,
  primary key (commit_id, part)
) strict, without rowid;

create trigger diffs_stored after insert on diffs BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, diffs = diffs + coalesce(new.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  insert into shares (user_id, bytes)
  select new.person_id, new.bytes
  where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger diffs_restored after update of text, bytes on diffs
when new.quota_bytes <> old.quota_bytes or new.bytes is not old.bytes BEGIN
  update storage
  set bytes = bytes + new.quota_bytes - old.quota_bytes, diffs = diffs + coalesce(new.bytes, 0) - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.bytes
  where new.person_id is not null and new.bytes is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger diffs_unstored after delete on diffs BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, diffs = diffs - coalesce(old.bytes, 0)
  where project_id = (select c.project_id from commits c where c.id = old.commit_id);
  update shares set bytes = bytes - coalesce(old.bytes, 0) where user_id = old.person_id;
END;

-- Paths of changed files that are not in the stored diff: those behind its thousandth file or its 5 MiB, and all of a
-- diff that is too long to be searched in the database. Lists of commits by path look there as well. The table has a
-- rowid: where a table is an index of its rows, SQLite reads long rows on the way to another one.
create table more_paths (
  id integer primary key,
  commit_id integer not null references commits (id),
  part integer not null,
  -- each path after two slashes, and two slashes at the end. A path of git has no empty name, so it has no two slashes
  -- itself
  text text not null,
  quota_bytes integer as (100 + octet_length(text)) virtual
) strict;
create unique index more_paths_of_commit on more_paths (commit_id, part);

create trigger more_paths_stored after insert on more_paths BEGIN
  update storage
  set bytes = bytes + new.quota_bytes
  where project_id = (select c.project_id from commits c where c.id = new.commit_id);
END;
create trigger more_paths_unstored after delete on more_paths BEGIN
  update storage
  set bytes = bytes - old.quota_bytes
  where project_id = (select c.project_id from commits c where c.id = old.commit_id);
END;

create table commit_comments (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  commit_id integer not null references commits (id),
  author_id integer not null references users (id),
  -- the place in the diff of the commit, all null: the comment is on the whole commit
  path text,
  line integer,
  line_type text check (line_type in ('new', 'old')),
  created_at integer not null,
  updated_at integer not null,
  quota_bytes integer as (100 + octet_length(note) + coalesce(octet_length(path), 0)) virtual,
  note text not null
) strict;
create index commit_comments_of_commit on commit_comments (commit_id, id);

create trigger commit_comments_stored after insert on commit_comments BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger commit_comments_restored after update of note, path on commit_comments
when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger commit_comments_unstored after delete on commit_comments BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- A comment on a commit in answers. position: of a comment on a line, as v4 has it in discussions.
create view comment_rows as
select
  k.id, k.project_id, k.commit_id, k.note, k.path, k.line, k.line_type, k.created_at, k.updated_at,
  iif(
    k.path is null, null,
    (
      select json_object(
        'base_sha', b.sha, 'start_sha', b.sha, 'head_sha', c.sha, 'old_path', k.path, 'new_path', k.path,
        'position_type', 'text', 'old_line', iif(k.line_type = 'old', k.line, null),
        'new_line', iif(k.line_type = 'new', k.line, null)
      )
      from commits c
      left join parents a on a.child_id = c.id and a.position = 0
      left join commits b on b.id = a.parent_id
      where c.id = k.commit_id
    )
  ) as position,
  json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email) as author,
  u.created_at as author_created_at
from commit_comments k
cross join users u on u.id = k.author_id;

create view comment_lengths as
select
  id, octet_length(note) + 3 * coalesce(octet_length(path), 0) as bytes,
  1000 + octet_length(json_quote(note)) + 3 * coalesce(octet_length(json_quote(path)), 0) as answered
from commit_comments;
