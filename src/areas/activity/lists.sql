-- Lists of events. A range has one action of one kind in one project, so a list reads no kind that the caller may not
-- see. walk merges the ranges: its queue starts with one entry for each, at the start of the page, and when the first
-- entry leaves the queue, the next event of its range enters. Each event is checked for whether the caller sees its
-- issue. Ids ascend with the times, so edges finds the ids of :first and :last by binary search. :bounds: JSON list of
-- :first and :last, times in milliseconds, null without one. :kinds: JSON list of [kind, action, the access and the
-- visibility that a caller needs, whether they are seen if issues are disabled].
-- binds: bare

-- piece: edges
-- The steps of the search for the ids at the bounds.
select value, 0, 1099511627776
from json_each(:bounds)
union all
select bound, id
  + step / 2 * ifnull((select e.created_at from events e where e.id >= edges.id + step / 2 order by e.id limit 1) <
    bound, 0), step / 2
from edges
where step > 1

-- piece: ends
-- The first and the last id between the times :first and :last.
select ifnull((select id + 1 from edges where bound = :first and step = 1), 0) as low,
  ifnull((select id from edges where bound = :last and step = 1), 9007199254740991) as high

-- piece: kind_and_action
k.value ->> 'kind' as kind, k.value ->> 'action' as action

-- piece: shows_kind
-- Whether the project s shows events of the kind k to the caller.
(s.access >= k.value ->> 'access' or s.visibility >= k.value ->> 'visibility')
  and s.issues_enabled >= k.value ->> 'needs_issues'

-- piece: ranges_of_seen
-- The ranges of the projects in `seen`.
select s.author_id, s.user_id, s.access >= c.confidential_level, s.project_id, {kind_and_action}
from caller c
cross join seen s
cross join json_each(:kinds) k
where {shows_kind}

-- piece: walk_columns
-- author_id: the author of a range, null for any.
author_id, user_id, reads, project_id, kind, action, low, high, id, found

-- piece: walk(is_of_author)
-- Only events x for which the condition holds.
select r.*, t.low, t.high, iif(:ascends, max(:after_1, t.low - 1), min(:after_1, t.high + 1)), 0
from ranges r
cross join ends t
union all
select w.author_id, w.user_id, w.reads, w.project_id, w.kind, w.action, w.low, w.high, e.id, 1
from walk w
cross join events e on e.id = (select x.id
  from events x
  where {is_of_author} and x.project_id = w.project_id and x.kind = w.kind and x.action = w.action
    and x.id {beyond} w.id
  order by x.id {way}
  limit 1)
where e.id between w.low and w.high
order by 9 {way}

-- piece: walked_events
-- The list ends after 8,000 events, each of which costs up to five rows: its index, its comment and its issue.
(select w.id, iif(e.kind in ('issue', 'note'),
    exists (select 1
      from issues i indexed by issues_narrow
      where i.id = iif(e.kind = 'issue', e.target_id, n.issue_id) and i.section < 4
        and (i.section < 2 or w.reads or w.user_id in (i.author_id, i.assignee_id))),
    e.action <> 'commented' or k.id is not null) as fits
  from walk w
  cross join events e on e.id = w.id
  left join notes n on n.id = e.target_id and e.kind = 'note'
  left join commit_comments k on k.id = e.target_id and e.kind = 'push' and e.action = 'commented'
  where w.found
  limit 8000)

-- piece: event_lengths
-- An event has its comment.
(select e.id, 3000 as bytes, 3000
    + ifnull((select l.answered from note_lengths l where e.kind = 'note' and l.id = e.target_id), 0)
    + ifnull((select l.answered
      from comment_lengths l
      where e.kind = 'push' and e.action = 'commented' and l.id = e.target_id), 0) as answered
  from events e)

-- list: of_project
-- scope: project
-- shows: EventRow of event_rows
-- weighs: {event_lengths}
-- order: id either way inside
-- total: none
with edges (bound, id, step) as ({edges}),
  ends as materialized ({ends}),
  ranges as (
    select null, s.user_id, s.reads_confidential, s.project_id, {kind_and_action}
    from scope s
    cross join json_each(:kinds) k
    where {shows_kind}
  ), walk ({walk_columns}) as ({walk(true)})
select id
from {walked_events}
where fits;

-- list: of_author
-- scope: caller
-- shows: EventRow of event_rows
-- weighs: {event_lengths}
-- order: id either way inside
-- total: none
-- The events of the user :author (an id, or a path in lower case), null for the caller, in 1,000 projects that the
-- caller sees, of the newest 10,000.
with edges (bound, id, step) as ({edges}),
  ends as materialized ({ends}),
  acted (author_id, project_id) as (
    select a.id, (select max(e.project_id) from events e where e.author_id = a.id)
    from (select coalesce(iif(typeof(:author) = 'text',
      (select n.id from namespaces n where n.path_key = :author and n.kind = 'user'), :author), id) as id
      from caller) a
    union all
    select a.author_id,
      (select max(e.project_id) from events e where e.author_id = a.author_id and e.project_id < a.project_id)
    from acted a
    where a.project_id is not null
    limit 10000
  ), seen as materialized (
    select p.author_id, a.*
    from acted p
    cross join project_access a on a.key = (select ?1) and a.project_id = p.project_id
    where a.access > 0 or a.visibility > 0
    limit 1000
  ), ranges as ({ranges_of_seen}), walk ({walk_columns}) as ({walk(x.author_id = w.author_id)})
select id
from {walked_events}
where fits;

-- list: of_memberships
-- scope: caller
-- shows: EventRow of event_rows
-- weighs: {event_lengths}
-- order: id either way inside
-- total: none
-- The events in 1,000 projects that the caller is a member of, of 1,000 own ones and 1,000 in their namespace and
-- groups.
with edges (bound, id, step) as ({edges}),
  ends as materialized ({ends}),
  places (id) as (
    select *
    from (select m.project_id from caller c cross join project_members m on m.user_id = c.id limit 1000)
    union
    select *
    from (select p.id
      from ({places_of_caller}) n
      cross join projects p on p.namespace_id = n.id
      limit 1000)
  ), seen as materialized (
    select null as author_id, a.*
    from places p
    cross join project_access a on a.key = (select ?1) and a.project_id = p.id
    limit 1000
  ), ranges as ({ranges_of_seen}), walk ({walk_columns}) as ({walk(true)})
select id
from {walked_events}
where fits;
