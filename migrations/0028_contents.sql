-- Trees and files of repositories. Their bytes lie in the object store, each object under the key STORE/PROJECT/objects/SHA.

-- The hash of the root tree of the commit, null: not known, because the commit came before this column.
alter table commits add column tree text;
-- How many objects of the commit are stored or left out: 0 not all, 1 all of its tree, 2 those of its history, too.
alter table commits add column contents integer not null default 0;
create index commits_with_contents on commits (project_id) where contents > 0;

-- Which objects the hook sends: none, tips, or history. Null: it has never sent any.
alter table mirrors add column contents text;

create table objects (
  project_id integer not null references projects (id),
  sha text not null,
  kind text not null check (kind in ('tree', 'blob')),
  -- bytes, unpacked
  size integer not null,
  -- bytes in the object store
  packed integer not null,
  -- what the object store does not tell about an object that came in parts, because it was not known when the first part was stored
  about text,
  -- why the bytes are not stored, null: they are
  left_out text check (left_out in ('size', 'unfit')),
  -- since when no branch or tag needs it, null: one does
  unneeded_at integer,
  quota_bytes integer as (100 + packed) virtual,
  primary key (project_id, sha)
) strict, without rowid;
create index objects_unneeded on objects (unneeded_at) where unneeded_at is not null;
create trigger objects_stored after insert on objects BEGIN
  update storage set bytes = bytes + new.quota_bytes where project_id = new.project_id;
END;
create trigger objects_restored after update of packed on objects when new.quota_bytes <> old.quota_bytes BEGIN
  update storage set bytes = bytes + new.quota_bytes - old.quota_bytes where project_id = new.project_id;
END;
create trigger objects_unstored after delete on objects BEGIN
  update storage set bytes = bytes - old.quota_bytes where project_id = old.project_id;
END;

-- How the keys of a project begin in the object store. original: where the objects of the original lie, of which this database is a copy.
create view object_places as
select p.id as project_id, coalesce(w.own, w.store) || '/' || p.id || '/objects/' as own,
  iif(w.own is null, null, w.store || '/' || p.id || '/objects/') as original
from projects p cross join object_sweeps w where w.id = 1;
