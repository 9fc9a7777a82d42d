-- Events of an issue: what happened to its labels, its milestone and its state.

-- list: events
-- scope: project
-- shows: EventRow of resource_event_rows
-- weighs: resource_event_lengths
-- order: e.id
-- The events of the kind :kind.
select e.id
from resource_events e
where e.issue_id = (select i.id from {numbered_issue} where {shows_issue}) and e.kind = :kind and {after};

-- name: event
-- scope: project
-- returns: EventRow?
select r.*
from {numbered_issue}
cross join resource_events e on e.id = :event_id and e.issue_id = i.id and e.kind = :kind
cross join resource_event_rows r on r.id = e.id
where {shows_issue};
