-- Labels and milestones.

-- piece: greatest_number
-- The greatest number of a milestone, deleted ones too.
max(coalesce((select max(iid) from milestones where project_id = :project_id), 0),
  -coalesce((select min(iid) from milestones where project_id = :project_id), 0))

-- name: stage_labels
insert into staged_records (kind, records)
select 1, json_group_array({decided})
from (select {facts(1)}, coalesce(k.record_id, l.id, {next('labels')} + r.key) as id, null as refusal, 0 as is_gone,
    0 as follows
  from {sent}
  left join labels l on l.project_id = :project_id and l.title = r.value ->> 'title') s;

-- name: add_labels
-- A label of this title that is here stays.
insert into labels (id, project_id, title, color, description, created_at)
select r.id, :project_id, r.record ->> 'title', r.record ->> 'color', r.record ->> 'description',
  coalesce(r.record ->> 'at', :now)
from {new(1)}
where true
order by r.place
on conflict do nothing;

-- name: stage_milestones
-- Gives each new milestone its number. Their numbers ascend with their ids, so none is below one that there is.
insert into staged_records (kind, records)
select 2, json_group_array(json_set({decided}, '$.iid', s.iid))
from (select n.*,
    coalesce(n.sent,
      max(n.first, coalesce(max(iif(n.is_known or n.refusal is not null, null, n.sent)) over (), 0))
        + row_number() over (
          partition by n.is_known or n.sent is not null or n.refusal is not null
          order by n.place)) as iid
  from (select f.*,
      iif(f.is_taken, 'title: has already been taken',
        iif(f.is_known or f.sent is null, null,
          iif(f.sent <= f.first, 'iid: ' || f.sent || ' is not above ' || f.first || ', the last number',
            iif(f.sent - f.first - row_number() over (order by f.is_known, f.sent is null, f.sent) > 300,
              'iid: ' || f.sent || ' leaves out more than 300 numbers', null)))) as refusal
    from (select {facts(2)}, k.record_id as id, r.value ->> 'iid' as sent, m.updated_at = k.stamp as follows,
        k.key is not null and m.id is null as is_gone, t.id is not null as is_taken, {greatest_number} as first
      from {sent}
      left join milestones m on m.id = k.record_id and m.project_id = :project_id and m.iid > 0
      left join milestones t on t.project_id = :project_id and t.title = r.value ->> 'title'
        and t.id is not k.record_id) f) n) s;

-- name: add_milestones
-- Numbers that are left out below the greatest one are those of deleted milestones.
insert into milestones (id, project_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
with new as materialized (select r.record, r.record ->> 'iid' as iid from {new(2)}), numbers (iid) as (
    select {greatest_number} + 1
    where exists (select 1 from new)
    union all
    select iid + 1
    from numbers
    where iid < (select max(iid) from new)
  )
select n.id, :project_id, iif(n.record is null, -n.iid, n.iid),
  coalesce(n.record ->> 'title', printf('%0300d', n.id)), n.record ->> 'description',
  coalesce(n.record ->> 'state', 'active'), n.record ->> 'start', n.record ->> 'due',
  coalesce(n.record ->> 'at', :now), coalesce(n.record ->> 'updated_at', :now)
from (select x.iid, w.record,
    (select coalesce(max(id), 0) from milestones) + row_number() over (order by x.iid) as id
  from numbers x
  left join new w on w.iid = x.iid) n;

-- name: remember_milestones
-- Their ids are known only now.
insert into imported (project_id, key, kind, record_id, digest, stamp)
select :project_id, r.record ->> 'key', 2, m.id, r.record ->> 'digest', m.updated_at
from {new(2)}
cross join milestones m on m.project_id = :project_id and m.iid = r.record ->> 'iid';

-- name: change_milestones
update milestones
set title = r.record ->> 'title', description = r.record ->> 'description',
  state = coalesce(r.record ->> 'state', 'active'), start_date = r.record ->> 'start', due_date = r.record ->> 'due',
  updated_at = r.record ->> 'updated_at'
from {known(2)}
where milestones.id = r.id and milestones.iid > 0 and r.follows;
