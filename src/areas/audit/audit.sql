-- The list of what administrators did. src/kernel/call/audit.sql adds its rows.

-- name: list
-- scope: caller
-- returns: WalkRow<AuditRow>*
-- Reads the :looks newest rows between :from and :to, and after the row :id of the time :at. Returns those of
-- :entity_type and :entity_id, and the last one read.
with looked as materialized (
  select y.id, y.number, (:entity_type is null or y.entity_type = :entity_type)
    and (:entity_id is null or y.entity_id = :entity_id) as fits
  from caller
  cross join (select *, row_number() over () as number
    from (select e.id, e.entity_type, e.entity_id
      from audit_events e
      where e.created_at between :from and min(:to, :at) and (e.created_at < :at or e.id < :id)
      order by e.created_at desc, e.id desc
      limit :looks)) y
), {listed}
select e.*, {user_object(e.author_id)} as author, {columns_of_listed(l.number = :looks)}
from listed l
cross join audit_events e on e.id = l.id
{page_of_listed(l.number = :looks)};

-- name: one
-- scope: caller
-- returns: AuditRow?
select e.*, {user_object(e.author_id)} as author
from caller
cross join audit_events e on e.id = :id;
