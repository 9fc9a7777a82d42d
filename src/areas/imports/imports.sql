-- Imports (behaviour 21). For each kind that a request has, a statement stages its records: it reads what they name,
-- and decides what becomes of each. The statements behind it write those that are new, and change those that have
-- changed. All of it is one batch, so nothing that was read changes before it is written.

-- piece: sent
-- The records r of the request with the row k of those that are known.
json_each(:records) r
left join imported k on k.project_id = :project_id and k.key = r.value ->> 'key'

-- piece: facts(kind)
-- What each statement that stages knows of a record.
r.value as record, r.key as place, k.key is not null as is_known, coalesce(k.kind <> {kind}, 0) as is_other,
  k.digest is not null and k.digest = r.value ->> 'digest' as is_same

-- piece: decided
-- The record s with what becomes of it: 0 it is new, 1 it has changed, 2 it is the same, 3 what is here stays, 4 it is
-- refused.
json_set(s.record, '$.id', s.id, '$.refusal',
  iif(s.is_other, 'key: is that of a record of another kind', s.refusal), '$.verdict',
  case
    when s.is_other then 4
    when s.is_same then 2
    when s.refusal is not null then 4
    when s.is_gone then 3
    when not s.is_known then 0
    when s.follows then 1
    else 3
  end)

-- piece: only_people
-- Whether the people of a known record are all that differs from what came.
substr(k.digest, 1, 8) = substr(r.value ->> 'digest', 1, 8)

-- piece: new(kind)
-- The new records of a kind.
(select place, record, id from staged where kind = {kind} and verdict = 0) r

-- piece: known(kind)
-- The records of a kind that are here in another form: those that change, and those of which people alone follow. With
-- the limit SQLite reads them before the table that changes, and not for each of its rows.
(select record, id, verdict = 1 as follows from staged where kind = {kind} and verdict in (1, 3) limit -1) r

-- piece: next(table)
-- An id that no row of the table had, to which the place of a record is added.
(1 + coalesce((select seq from sqlite_sequence where name = {table}), 0))

-- piece: no_user(field)
-- The refusal of a record that names nobody.
iif(r.value ->> {field} is null
    or exists (select 1 from users u where u.id = r.value ->> {field} and u.id > 0 and u.deleted_at is null), null,
  {field} || ': there is no user ' || (r.value ->> {field}))

-- piece: no_issue(i, field)
-- The refusal of a record whose issue is not there, or is not imported.
iif({i}.id is null, {field} || ': there is no issue ' || (r.value ->> {field}),
  iif(exists (select 1 from imported w where w.record_id = {i}.id and w.kind = 3), null,
    {i}.iid || ' is an issue that was made here'))

-- piece: no_commit
iif(c.id is null, 'sha: the commit is not indexed', null)

-- name: remember
-- Notes what has been written so far, but for milestones (remember_milestones).
insert into imported (project_id, key, kind, record_id, digest, stamp)
select :project_id, record ->> 'key', kind, id, record ->> 'digest',
  iif(kind in (3, 4), record ->> 'updated_at', null)
from staged
where kind <> 2 and verdict = 0
on conflict do nothing;

-- name: renew
-- Notes the new form of what has changed, and the people of what stays.
update imported
set digest = iif(r.follows, r.record ->> 'digest', substr(digest, 1, 8) || substr(r.record ->> 'digest', 9)),
  stamp = iif(stamp is null or not r.follows, stamp, r.record ->> 'updated_at')
from (select record, verdict = 1 as follows from staged where verdict in (1, 3) limit -1) r
where imported.project_id = :project_id and imported.key = r.record ->> 'key'
  and (r.follows or substr(imported.digest, 9) <> substr(r.record ->> 'digest', 9));

-- name: outcome
-- returns: Outcome*
-- What becomes of each record, by its place in the request.
select place, verdict, record ->> 'refusal' as refusal from staged;

-- name: unstage
delete from staged_records;
