-- What administrators did.

-- name: note
-- Adds one row for the request, whichever of its batches runs, and however often. What it makes has no id in the path:
-- it is the newest, because a batch is one transaction. :is_sure: 0 if the row is due only where another person made
-- the project or group.
insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, changes, created_at)
select :author_id, :entity_type, coalesce(:entity_id, case :entity_type when 'User' then {made(namespaces)}
    when 'Project' then {made(projects)} when 'SystemHook' then {made(hooks)} end), :event_name, :path, :request,
  :changes, :now
where not exists (select 1 from audit_events where created_at = :now and request = :request)
  and (:is_sure or :author_id is not iif(:entity_type = 'Group',
    (select creator_id from groups where id = :entity_id),
    (select creator_id from projects where id = :entity_id)));

-- name: note_of_sudo
-- scope: project
-- The same for a request with SUDO that the batch authorizes.
insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, created_at)
select :author_id, 'User', user_id, :event_name, :path, :request, now
from scope
where not exists (select 1 from audit_events e where e.created_at = scope.now and e.request = :request);
