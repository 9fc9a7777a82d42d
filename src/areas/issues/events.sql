-- Events of an issue: what happened to its labels, its milestone and its state.

-- name: events
-- scope: project
-- returns: WalkRow<EventRow>*
-- The events of the kind :kind after the id :after. The page ends early if its texts have more than 3 MB.
with {page((select e.id, e.id as place
    from {numbered_issue}
    cross join resource_events e on e.issue_id = i.id and e.kind = :kind and e.id > :after
    where {shows_issue}
    order by e.id
    {reached}), place, resource_event_lengths)}
select r.*, p.own as fits, p.is_full as ends
from page p
cross join resource_event_rows r on r.id = p.id
order by p.id;

-- name: event
-- scope: project
-- returns: EventRow?
select r.*
from {numbered_issue}
cross join resource_events e on e.id = :event_id and e.issue_id = i.id and e.kind = :kind
cross join resource_event_rows r on r.id = e.id
where {shows_issue};

-- name: total_events
-- scope: project
-- returns: WalkTotal?
-- null if more than 10,000.
select {capped_total(10000)}
from (
  select 1
  from {numbered_issue}
  cross join resource_events e on e.issue_id = i.id and e.kind = :kind
  where {shows_issue}
  limit 10001);
