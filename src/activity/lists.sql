-- Lists of events. Ids ascend with the times, so a time is the first id that is not older: edges looks for the id before it
-- by halves. A list reads :looks events, and each issue once, because a long description lies before what decides who sees it. A page
-- ends early if its texts have more than 3 MB. :bounds: JSON list of :from and :to, times in milliseconds, null without one. :levels: JSON
-- object of the access and visibility that it takes to see events of a kind. Comments, milestones and members need a token, as their lists do.

-- name: of_project?
, edges (bound, id, step) as (
  select value, 0, 1 << 40 from json_each(:bounds)
  union all
  select bound, id + step / 2 * coalesce((select e.created_at from events e where e.id >= edges.id + step / 2 order by e.id limit 1) < bound, 0), step / 2
  from edges where step > 1
), looked as materialized (
  select id, row_number() over () as number from (
    select e.id from events e where e.project_id = (select project_id from scope) and :sort_key :beyond :at
      and :sort_key >= coalesce((select id + 1 from edges where bound = :from and step = 1), 0)
      and :sort_key < coalesce((select id + 1 from edges where bound = :to and step = 1), 9007199254740992)
    order by :sort_key :way limit (select :looks))
), seen as (
  select l.number, e.*, s.user_id, s.access, s.visibility as seen_as, s.reads_confidential, row_number() over (partition by e.issue_id order by l.number) as nth
  from looked l cross join event_subjects e on e.id = l.id cross join scope s
), asked as (
  select e.*, iif(nth = 1, exists (select 1 from issues i where i.id = e.issue_id and i.deleted_at is null
    and (i.confidential = 0 or e.reads_confidential or e.user_id in (i.author_id, i.assignee_id))), 0) as sees from seen e
), judged as (
  select id, number, note_id, not is_gone and (kind not in ('issue', 'note') or max(sees) over (partition by issue_id))
    and (user_id is not null or kind in ('issue', 'push', 'project')) and action = coalesce(:action, action) and kind = coalesce(:kind, kind)
    and (access >= (:levels -> kind) ->> 0 or seen_as >= (:levels -> kind) ->> 1) as fits
  from asked
), page as materialized (
  select x.*, sum(x.length) over (order by x.number) as bytes,
    sum(x.length) over (order by x.number rows between unbounded preceding and 1 following) > 3000000 as is_full
  from (select j.*, 3000 + coalesce((select l.answered from note_lengths l where l.id = j.note_id and j.fits), 0) as length
    from (select * from judged where fits or number = :looks order by number limit (select :most) offset (select :skip)) j) x
)
select r.*, coalesce(p.fits, 0) as fits, p.is_full or p.number = :looks as ends
from page p cross join event_rows r on r.id = p.id where p.bytes <= 3000000 order by p.number

-- name: of_people@
-- The events of the user :author (an id, or a path in lower case), null for the caller. With :memberships those of all users in the
-- projects that the caller is a member of.
, edges (bound, id, step) as (
  select value, 0, 1 << 40 from json_each(:bounds)
  union all
  select bound, id + step / 2 * coalesce((select e.created_at from events e where e.id >= edges.id + step / 2 order by e.id limit 1) < bound, 0), step / 2
  from edges where step > 1
), looked as materialized (
  select id, row_number() over () as number from (
    select * from (select e.id from events e where not :memberships and e.author_id = (select coalesce(
        iif(typeof(:author) = 'text', (select n.id from namespaces n where n.path_key = :author and n.kind = 'user'), :author), id) from caller)
        and :sort_key :beyond :at and :sort_key >= coalesce((select id + 1 from edges where bound = :from and step = 1), 0)
        and :sort_key < coalesce((select id + 1 from edges where bound = :to and step = 1), 9007199254740992)
      order by :sort_key :way limit (select :looks))
    union all
    select * from (select e.id from events e where :memberships and exists (select 1 from caller)
        and :sort_key :beyond :at and :sort_key >= coalesce((select id + 1 from edges where bound = :from and step = 1), 0)
        and :sort_key < coalesce((select id + 1 from edges where bound = :to and step = 1), 9007199254740992)
      order by :sort_key :way limit (select :looks)))
), seen as (
  select l.number, e.*, c.id as user_id, c.confidential_level, iif(e.visibility < c.sees_from, 0, e.visibility) as seen_as,
    iif(c.admin and not :memberships, 60, iif(e.namespace_id = c.id, 50, max(
      coalesce((select m.access from project_members m where m.user_id = c.id and m.project_id = e.project_id), 0),
      coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = e.namespace_id), 0)))) as access,
    row_number() over (partition by e.issue_id order by l.number) as nth
  from looked l cross join event_subjects e on e.id = l.id cross join caller c
), asked as (
  select e.*, iif(nth = 1, exists (select 1 from issues i where i.id = e.issue_id and i.deleted_at is null
    and (i.confidential = 0 or e.access >= e.confidential_level or e.user_id in (i.author_id, i.assignee_id))), 0) as sees from seen e
), judged as (
  select id, number, note_id, not is_gone and (access > 0 or not :memberships) and (kind not in ('issue', 'note') or max(sees) over (partition by issue_id))
    and (user_id is not null or kind in ('issue', 'push', 'project')) and action = coalesce(:action, action) and kind = coalesce(:kind, kind)
    and (access >= (:levels -> kind) ->> 0 or seen_as >= (:levels -> kind) ->> 1) as fits
  from asked
), page as materialized (
  select x.*, sum(x.length) over (order by x.number) as bytes,
    sum(x.length) over (order by x.number rows between unbounded preceding and 1 following) > 3000000 as is_full
  from (select j.*, 3000 + coalesce((select l.answered from note_lengths l where l.id = j.note_id and j.fits), 0) as length
    from (select * from judged where fits or number = :looks order by number limit (select :most) offset (select :skip)) j) x
)
select r.*, coalesce(p.fits, 0) as fits, p.is_full or p.number = :looks as ends
from page p cross join event_rows r on r.id = p.id where p.bytes <= 3000000 order by p.number
