-- What administrators did.

-- name: note
-- Adds one row for the request, whichever of its batches runs, and however often. A new user or hook has no id in the
-- path: it is the newest, because a batch is one transaction.
insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, created_at)
select :author_id, :entity_type, coalesce(:entity_id, case :entity_type when 'User' then :made(namespaces)
    when 'SystemHook' then :made(hooks) end), :event_name, :path, :request, :now
where not exists (select 1 from audit_events where created_at = :now and request = :request)
