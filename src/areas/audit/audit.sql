-- The list of what administrators did. src/kernel/call/audit.sql adds its rows.

-- list: list
-- scope: caller
-- shows: AuditRow of audit_events
-- beside: {user_object(r.author_id)} as author
-- order: e.created_at desc, e.id desc
-- filters: entity_type
-- looks: 500
-- Those between :first and :last of :entity_type and :entity_id.
select e.id, e.created_at, (:entity_type is null or e.entity_type = :entity_type)
  and (:entity_id is null or e.entity_id = :entity_id) as fits
from audit_events e
where (select id from caller) is not null and e.created_at between :first and min(:last, :to)
  and (e.created_at < :after_1 or e.id < :after_2);

-- name: one
-- scope: caller
-- returns: AuditRow?
select e.*, {user_object(e.author_id)} as author
from caller
cross join audit_events e on e.id = :id;
