-- Finds objects without a row, and diffs to move to the object store.

-- piece: listed_keys(shape)
-- Those of the keys :keys that have the shape. first: the store of rows that name none.
(select coalesce(w.own, w.store) as store, w.store as first, n.name, instr(n.name, '/') as slash,
    instr(n.name, '-') as hyphen
  from object_sweeps w
  cross join (select substr(value, 18) as name from json_each(:keys)) n
  where w.id = 1 and {shape})

-- name: sweep_state
-- The start of the keys that this database puts, and the last key that the sweep read.
select coalesce(own, store) || '/' as prefix, after from object_sweeps where id = 1;

-- name: looked_upto
update object_sweeps set after = :after where id = 1 and after <> :after;

-- name: old_reservations
-- Room that killed requests took.
delete from reservations
where id in (select id from reservations where created_at < :before order by created_at limit 200);

-- name: forgotten
-- The keys in :keys without a row. Omits keys of a different shape, because they may belong to another service.
select k.store || '/' || k.name as object_key
from {listed_keys(n.name glob '[1-9]*/[0-9a-f]*-[0-9a-z]*')} k
where not exists (select 1
  from commits c
  cross join diffs d on d.commit_id = c.id
  where c.project_id = cast(substr(k.name, 1, slash - 1) as integer)
    and c.sha = substr(k.name, slash + 1, hyphen - slash - 1) and d.object = substr(k.name, hyphen + 1));

-- name: next_diffs
-- The diffs of the next commits, at most a hundred, up to and including the one that passes two million bytes. Only
-- long diffs in the database have text. object_key: the start of the keys of the commit's objects.
select n.commit_id, d.part, (select coalesce(own, store) from object_sweeps where id = 1) || '/' || c.project_id || '/'
  || c.sha || '-' as object_key, iif(n.size > 1024 and n.objects = 0, d.text, null) as text
from (select *, sum(size) over (order by commit_id rows between unbounded preceding and 1 preceding) as before
  from (
    select commit_id, sum(octet_length(text)) as size, count(object) as objects
    from diffs
    where commit_id > (select moved from object_sweeps where id = 1)
    group by commit_id
    order by commit_id
    limit 100)) n
cross join diffs d on d.commit_id = n.commit_id
cross join commits c on c.id = n.commit_id
where n.before is null or n.before < 2000000
order by n.commit_id, d.part;

-- name: begin_move
-- Moving a diff adds its paths to the bytes of the project, which may be full. Until end_move no quota of bytes ends
-- this batch (migrations/0026_moves.sql).
insert into request_marks (id, moves) values (1, 1);

-- name: end_move
delete from request_marks where id = 1;

-- name: name_objects
-- Writes the object to the first part of each diff, unless the diff has been forgotten or moved meanwhile.
update diffs
set text = m.value ->> 'text', object = m.value ->> 'object', bytes = m.value ->> 'bytes',
  digest = m.value ->> 'digest', store = (select own from object_sweeps where id = 1)
from json_each(:diffs) m
where diffs.commit_id = m.value ->> 'commit' and diffs.part = m.value ->> 'part' and diffs.object is null;

-- name: remove_texts
-- Deletes the other parts of the moved diffs.
delete from diffs
where object is null
  and commit_id in (select d.commit_id
    from json_each(:diffs) m
    cross join diffs d on d.commit_id = m.value ->> 'commit' and d.object = m.value ->> 'object');

-- name: moved_upto
update object_sweeps set moved = cast(:commit_id as integer) where id = 1 and moved < :commit_id;

-- name: unnamed_files
-- The keys in :keys of uploads, of files of packages and of reports without a row. Omits keys of a different shape.
select k.store || '/' || k.name as object_key
from {listed_keys((n.name glob '[1-9]*/uploads/[0-9a-f]*' or n.name glob '[1-9]*/packages/[0-9a-f]*'
    or n.name glob '[1-9]*/reports/[1-9]*.[12].[0-9a-f]*'))} k
where case substr(k.name, slash, 9)
  when '/uploads/' then not exists (select 1
    from uploads u
    where u.project_id = cast(substr(k.name, 1, slash - 1) as integer) and u.secret = substr(k.name, slash + 9)
      and coalesce(u.store, k.first) = k.store)
  when '/reports/' then not exists (select 1
    from reports r
    where r.job_id = cast(substr(k.name, slash + 9) as integer)
      and k.name = r.project_id || '/reports/' || r.job_id || '.' || r.kind || '.' || r.object
      and coalesce(r.store, k.first) = k.store)
  else substr(k.name, slash, 10) = '/packages/'
    and not exists (select 1
      from package_files f
      where f.project_id = cast(substr(k.name, 1, slash - 1) as integer) and f.object = substr(k.name, slash + 10)
        and coalesce(f.store, k.first) = k.store)
  end;
