//! Statements of `retention/objects.rs`.

/// How keys begin, and the one up to which the sweep looked through the object store.
pub const LOOKED: &str = "select json_array(store || '/', after) as v from object_sweeps";
pub const LOOKED_UPTO: &str = "update object_sweeps set after = ?1 where after <> (select ?1)";

/// Which of the keys `?1` does no row name? What does not look like a key of this service is left alone.
pub const FORGOTTEN: &str =
    "select json_quote(k.store || '/' || k.name) as v from (
  select w.store, n.name, instr(n.name, '/') as slash, instr(n.name, '-') as hyphen from object_sweeps w cross join (
    select substr(value, 18) as name from json_each(?1)) n where n.name glob '[1-9]*/[0-9a-f]*-[0-9a-z]*') k
where not exists (select 1 from commits c cross join diffs d on d.commit_id = c.id
  where c.project_id = cast(substr(k.name, 1, slash - 1) as integer) and c.sha = substr(k.name, slash + 1, hyphen - slash - 1)
  and d.object = substr(k.name, hyphen + 1))";

/// The diffs of the next commits, those of a hundred at most, up to the one that passes two million bytes: long ones that lie
/// here with their texts, of all others rows without.
pub const NEXT: &str =
    "select json_object('commit_id', cast(n.commit_id as text), 'part', d.part,
  'key', (select store from object_sweeps) || '/' || c.project_id || '/' || c.sha || '-',
  'text', iif(n.size > 1024 and n.objects = 0, d.text, null)) as v
from (select *, sum(size) over (order by commit_id rows between unbounded preceding and 1 preceding) as before from (
    select commit_id, sum(octet_length(text)) as size, count(object) as objects from diffs
    where commit_id > (select moved from object_sweeps) group by commit_id order by commit_id limit 100)) n
  cross join diffs d on d.commit_id = n.commit_id cross join commits c on c.id = n.commit_id
where n.before is null or n.before < 2000000 order by n.commit_id, d.part";

/// Writes to the first part of each diff where it lies now: commit, part, paths, object, bytes, digest. Not if it was forgotten
/// or moved meanwhile.
pub const NAME: &str = "update diffs set text = m.value ->> 2, object = m.value ->> 3, bytes = m.value ->> 4, digest = m.value ->> 5
from json_each(?1) m where diffs.commit_id = m.value ->> 0 and diffs.part = m.value ->> 1 and diffs.object is null";

/// Takes the other parts of them away.
pub const MOVED: &str = "delete from diffs where object is null and commit_id in (
  select d.commit_id from json_each(?1) m cross join diffs d on d.commit_id = m.value ->> 0 and d.object = m.value ->> 3)";

pub const MOVED_UPTO: &str =
    "update object_sweeps set moved = cast(?1 as integer) where moved < cast((select ?1) as integer)";
