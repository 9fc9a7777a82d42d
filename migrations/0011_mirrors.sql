-- How the index of a mirrored repository is written, and its trees and files.

-- The state of the index. The requests that change it agree by this row.
create table mirrors (
  project_id integer primary key references projects (id),
  -- grows with every change of refs and every chunk of branches of commits, so that a request stores nothing that it
  -- read before another change
  version integer not null,
  -- commits whose hash is greater are still to be checked for another branch, null: none
  scan_after text,
  -- commits with greater ids came with the batch that is being stored
  before_batch integer not null default 0,
  -- not used: the table storage has the bytes
  bytes integer not null default 0,
  -- not used
  bytes_before integer not null default 0,
  -- parents of commits beyond the second. A walk reads them all, so a project has a limited number
  extra_parents integer not null default 0,
  -- commits with ids up to this one came with a history, so that their messages mention no issue
  history_until integer not null default 0,
  -- commits with greater ids have come since refs were moved last
  seen_until integer not null default 0,
  -- which objects the hook sends: none, tips, or history, null: it has never sent any
  contents text
) strict;

-- How many commits belong to each branch: the total of the commits of the default branch. The batches that store the
-- branches of commits keep it.
create table branch_counts (
  project_id integer not null references projects (id),
  branch text not null,
  commits integer not null,
  primary key (project_id, branch)
) strict, without rowid;

-- Commits whose branch is to be found again. While there are any, they and the commits that they reach keep the branch
-- that they had.
create table branch_queue (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id),
  -- that of the commit
  committed_at integer not null
) strict;
create index branch_queue_in_order on branch_queue (project_id, committed_at);

-- Changes of refs that are too many for one request, until the last chunk of them arrives.
create table staged_swaps (
  project_id integer not null references projects (id),
  -- the number of the chunk: 0, 1, .. or -1 for the changes of a single request, which its batch deletes again
  portion integer not null,
  -- the name that the hook gave to these changes
  sync text not null,
  -- JSON array
  changes text not null,
  quota_bytes integer as (100 + octet_length(sync) + octet_length(changes)) virtual,
  primary key (project_id, portion)
) strict, without rowid;

create trigger staged_swaps_stored after insert on staged_swaps when new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger staged_swaps_restored after update of sync, changes on staged_swaps
when new.quota_bytes <> old.quota_bytes and new.portion >= 0 BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger staged_swaps_unstored after delete on staged_swaps when old.portion >= 0 BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- Commits that the next sync sends again, such as those whose diff an owner removed.
create table forgotten_commits (
  commit_id integer primary key references commits (id),
  project_id integer not null references projects (id)
) strict;
create index forgotten_commits_of_project on forgotten_commits (project_id);

-- Trees and files of a repository. Their bytes lie in the object store, each object under the key
-- STORE/PROJECT/objects/SHA.
create table objects (
  project_id integer not null references projects (id),
  sha text not null,
  kind text not null check (kind in ('tree', 'blob')),
  -- bytes, unpacked
  size integer not null,
  -- bytes in the object store
  packed integer not null,
  -- facts about an object that came in parts. The object store lacks them, because they were not known when the first
  -- part was stored
  about text,
  -- why the bytes are not stored, null: they are
  left_out text check (left_out in ('size', 'unfit')),
  -- since when no branch or tag needs it, null: one does
  unneeded_at integer,
  quota_bytes integer as (100 + packed) virtual,
  -- of a tree: the names of its README and its license, null: it has none
  readme text,
  license text,
  -- the person who stored the bytes: the user, or the maker of a token of a project, null: they count in no share
  person_id integer,
  primary key (project_id, sha)
) strict, without rowid;
create index objects_unneeded on objects (unneeded_at) where unneeded_at is not null;

create trigger objects_stored after insert on objects BEGIN
  update storage
  set bytes = bytes + new.quota_bytes, contents = contents + new.packed
  where project_id = new.project_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.packed
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger objects_restored after update of packed, person_id on objects
when new.packed <> old.packed or new.person_id is not old.person_id BEGIN
  update storage
  set bytes = bytes + new.packed - old.packed, contents = contents + new.packed - old.packed
  where project_id = new.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
  insert into shares (user_id, bytes)
  select new.person_id, new.packed
  where new.person_id is not null
  on conflict (user_id) do update set bytes = bytes + excluded.bytes;
END;
create trigger objects_unstored after delete on objects BEGIN
  update storage
  set bytes = bytes - old.quota_bytes, contents = contents - old.packed
  where project_id = old.project_id;
  update shares set bytes = bytes - old.packed where user_id = old.person_id;
END;

-- The changes of staged_swaps, one a row.
create view staged_changes as
select
  s.project_id, s.portion, x.value ->> 'name' as name, x.value ->> 'old' as old, x.value ->> 'new' as new,
  x.value ->> 'tag_sha' as tag_sha, x.value ->> 'message' as message, x.value ->> 'commits' as commits
from staged_swaps s
cross join json_each(s.changes) x;

-- How the keys of a project begin in the object store. original: where the objects of the original lie, of which this
-- database is a copy.
create view object_places as
select
  p.id as project_id, coalesce(w.own, w.store) || '/' || p.id || '/objects/' as own,
  iif(w.own is null, null, w.store || '/' || p.id || '/objects/') as original
from projects p
cross join object_sweeps w
where w.id = 1;

-- The README and the license at the root of the default branch, if its tree is stored.
create view root_files as
select p.id as project_id, json_object('readme', o.readme, 'license', o.license) as files
from projects p
cross join refs r on r.project_id = p.id and r.name = 'refs/heads/' || p.default_branch
cross join commits c on c.id = r.commit_id
cross join objects o on o.project_id = p.id and o.sha = c.tree;
