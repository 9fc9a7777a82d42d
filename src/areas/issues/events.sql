-- Events of an issue: what happened to its labels, its milestone and its state.

-- name: events
-- scope: project
-- The events of the kind :kind after the id :after. The page ends early if its texts have more than 3 MB.
, page as (
  select x.id, sum(l.answered) over (order by x.id) as bytes
  from (select e.id, sum(l.bytes) over (order by e.id) - l.bytes as before
    from (select e.id from scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null
      cross join resource_events e on e.issue_id = i.id and e.kind = :kind and e.id > :after
      where s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))
      order by e.id limit :most offset :skip) e
    cross join resource_event_lengths l on l.id = e.id) x
  cross join resource_event_lengths l on l.id = x.id where x.before <= 3000000
)
select r.*, coalesce(p.next > 3000000, 0) as ends from (select *, lead(bytes) over (order by id) as next from page) p
cross join resource_event_rows r on r.id = p.id where p.bytes <= 3000000 order by p.id

-- name: event
-- scope: project
select r.* from scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null
cross join resource_events e on e.id = :event_id and e.issue_id = i.id and e.kind = :kind cross join resource_event_rows r on r.id = e.id
where s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))

-- name: total_events
-- scope: project
-- null if more than 10,000.
select iif(count(*) > 10000, null, count(*)) as total, count(*) as counted from (
  select 1 from scope s cross join issues i on i.project_id = s.project_id and i.iid = :iid and i.deleted_at is null
  cross join resource_events e on e.issue_id = i.id and e.kind = :kind
  where s.issues_enabled and (i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id)) limit 10001)
