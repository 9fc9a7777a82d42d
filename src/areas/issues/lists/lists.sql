-- Lists of issues (behaviour 6.1, 13.2). When the crate is compiled, statements.rs puts the pieces (+) into the templates (*) at
-- the end:
--
-- * `:visible`: the projects with issues that the caller sees, at most :wide, and whether the caller sees confidential issues
-- * `ranges`: the index ranges of the list. A range has one section of a project, label, milestone, author or assignee
-- * a template merges the ranges in the order of the list and checks each issue against the filter. A page reads a limited number
-- * `:rows`: the issues of the page, as many as fit into an answer
--
-- `:way`, `:beyond`, `:within` and `:at` are the direction and the column of the list's order.
-- Conditions read the index issues_narrow, because the columns of the table lie behind descriptions of up to 900 kB.
--
-- Parameters are bare here, because sixty of them in subselects would make a statement longer than 6 kB. In a LIMIT they are in a
-- subselect, because SQLite would compile the statement again for each value of a bare one.

-- name: in_project+
-- The project of the route. reads: whether the caller sees all its confidential issues. Others see those that they wrote or are
-- assigned to.
visible as (select project_id, user_id, reads_confidential as reads from scope where issues_enabled)

-- name: in_group+
-- The projects of a group that the caller sees. The cost grows with their number, whatever other projects the group has.
visible as (
select p.id as project_id, s.user_id, s.reads_confidential or exists (select 1 from project_members m
  where m.user_id = s.user_id and m.project_id = p.id and m.access >= :confidential_level) as reads
from scope s cross join issue_projects p on p.id in (
  select q.id from projects q where q.namespace_id = s.group_id and q.visibility >= iif(s.access > 0, 0, s.sees_from) and q.deleted_at is null
  union all select project_id from project_members where user_id = s.user_id and namespace_id = s.group_id)
where +p.namespace_id = s.group_id and not (p.archived and :active) limit (select :wide))

-- name: anywhere+
-- All projects that the caller sees.
visible as (
select *, access >= level as reads from (
  select p.id as project_id, c.id as user_id, confidential_level as level, p.visibility >= sees_from as is_open,
    ifnull((select w.access from project_viewers w where w.user_id = c.id and w.project_id = p.id), 0) as access
  from caller c cross join issue_projects p on p.id in (
    select * from (select id from issue_projects where visibility >= iif(admin, 0, sees_from) and not (archived and :active) limit (select :wide))
    union all select project_id from project_members where user_id = c.id
    union all select * from (select id from issue_projects where namespace_id in (select c.id union all select group_id from group_members
      where user_id = c.id) and not (archived and :active) limit (select :wide)))
  where not (archived and :active))
where is_open or access > 0 limit (select :wide))

-- name: of_caller+
-- The projects where the caller is author or assignee of an issue, if the caller still sees them. mine: looks up one project after
-- the other in the index.
mine (user_id, level, project_id) as (
select id, confidential_level, 0 from caller
union all
select h.user_id, h.level, iif(:mine = 'author', (select min(x.project_id) from issues x where x.author_id = h.user_id and x.project_id > h.project_id),
  (select min(x.project_id) from issues x where x.assignee_id = h.user_id and x.project_id > h.project_id))
from mine h where h.project_id is not null
), visible as (
select h.project_id, h.user_id, w.access >= h.level as reads from mine h
cross join project_viewers w on w.user_id = h.user_id and w.project_id = h.project_id cross join issue_projects p on p.id = h.project_id
where w.sees and not (p.archived and :active) limit (select :wide))

-- name: ranges+
-- named: the users of the filter, from :people, JSON [[role, 1 or 0, id or name, whether it is a name], ..].
-- kinds: the kinds of ranges in a project, from :kinds, JSON [[kind, section, reads, whether it is the caller's own], ..]. A
-- range with reads 1 exists where the caller sees all confidential issues, with 0 where not.
-- ranges: the key of each range. If an issue must have several labels, this is the rarest one of :titles. A project without one of
-- these has no range.
named (role, wanted, id) as (
select value ->> 0, value ->> 1, ifnull(iif(value ->> 3, (select n.id from namespaces n where n.path_key = value ->> 2 and n.kind = 'user'), value ->> 2), -1)
from json_each(:people)
), kinds (kind, section, reads, by_user) as materialized (select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(:kinds)
), ranges as (
select v.project_id, v.user_id, d.kind, d.section, case iif(d.by_user, 'user', d.kind) when 'user' then v.user_id
when 'label' then (select id from (select l.id, l.opened + l.closed + v.reads * (l.opened_hidden + l.closed_hidden) as bearers
  from json_each(:titles) t left join labels l on l.project_id = v.project_id and l.title = t.value) order by bearers limit 1)
when 'milestone' then (select id from milestones where project_id = v.project_id and iid > 0 and id = iif(typeof(:milestone) = 'text',
  (select t.id from milestones t where t.project_id = v.project_id and t.title = :milestone), :milestone))
when 'author' then (select id from named where role = 'author' and wanted) when 'assignee' then (select id from named where role = 'assignee' and wanted)
else v.project_id end as key
from visible v cross join kinds d on v.reads = ifnull(d.reads, v.reads))

-- name: conditions+
-- Whether the list has the issue i with the milestone m from the range w.
i.created_at between :created_from and :created_to and i.updated_at between :updated_from and :updated_to
and (:mine is null or w.user_id = iif(:mine = 'author', i.author_id, i.assignee_id))
and (:people = '[]' or not exists (select 1 from named n
  where wanted <> (n.id is iif(role = 'author', i.author_id, iif(role = 'assignee', i.assignee_id, i.closed_by_id)))))
and ifnull(:assigned = (i.assignee_id is not null), 1)
and (:reacted is null or :reacted = exists (select 1 from awards where issue_id = i.id and note_id = 0 and user_id = w.user_id
  and name = ifnull(:reaction, name)))
and not exists (select 1 from json_each(:labels) t where t.value ->> 1 <> exists (select 1 from json_each(t.value, '$[0]')
  cross join bearers on project_id = i.project_id and title = value and issue_id = i.id))
and (:labeled is null or :labeled = exists (select 1 from issue_titles where issue_id = i.id))
and ifnull(:milestone in (m.title, m.id), :milestone is null) and ifnull(m.title <> :not_milestone, 1)
and ifnull(:planned = (m.id is not null), 1) and (:upcoming is null or :upcoming = ifnull(m.is_active and m.due_date > :today
  and ifnull((select due_before from milestone_turns where id = m.id) <= :today, 1), 0))
and ifnull(:started = ifnull(m.is_active and ifnull(m.start_date <= :today, m.due_date >= :today), 0), 1)
and (:iids is null or :has_iid = (i.iid in (select value from json_each(:iids))))
and ifnull(:due = (i.due_date is not null), 1) and ifnull(i.due_date between :due_from and :due_to, :due_from is null)
and (:words is null or not exists (select 1 from json_each(:words), (select ' ' || lower(iif(:in_title, title, '')
  || ' ' || iif(:in_description, description, '')) as t from issue_texts where id = i.id) where not (t glob value ->> 0 and instr(t, value ->> 1))))

-- name: own_ids+
-- The issues of the range r with the caller as author or assignee.
(select json_group_array(id) from (
  select id from issues x where x.author_id = r.key and x.project_id = r.project_id and x.section = r.section
  union select id from issues x where x.assignee_id = r.key and x.project_id = r.project_id and x.section = r.section))

-- name: narrow_ids+
-- The issues of a range that is read as a set.
when 'own' then :own_ids
when 'number' then (select json_group_array(x.id) from json_each(:iids) n cross join issues x
  on x.project_id = r.key and x.iid = n.value and x.section = r.section)
when 'label' then (select json_group_array(id) from (select x.issue_id as id from issue_labels x where x.label_id = r.key
  and x.section = r.section limit (select :bound)))
when 'milestone' then (select json_group_array(id) from (select id from issues x where x.milestone_id = r.key
  and x.section = r.section limit (select :bound)))
when 'author' then (select json_group_array(id) from (select id from issues x where x.author_id = r.key
  and x.project_id = r.project_id and x.section = r.section limit (select :bound)))
when 'assignee' then (select json_group_array(id) from (select id from issues x where x.assignee_id = r.key
  and x.project_id = r.project_id and x.section = r.section limit (select :bound)))

-- name: filtered+
-- The first issues that match. The last issue read ends the page. Without the LIMIT in the inner select SQLite would evaluate the
-- conditions twice.
found as (select * from (
select w.id, w.user_id, w.number = :look as ends, :conditions as fits
from looked w cross join issues i indexed by issues_narrow on i.id = w.id left join milestone_turns m on m.id = i.milestone_id limit (select :look))
where fits or ends limit (select :most) offset :skip)

-- name: rows+
-- The issues of the page in the order of `found`, up to 3 MB, and the one that passes this limit. until: the bytes up to and
-- including the issue.
sized as (
select x.*, sum(l.answered) over (order by x.turn) as until, l.answered
from (select f.*, row_number() over () as turn, sum(l.bytes) over (rows unbounded preceding) - l.bytes as before
from found f cross join issue_lengths l using (id)) x cross join issue_lengths l using (id) where before <= 3000000)
select r.*, coalesce((select subscribed from issue_subscribers where issue_id = r.id and user_id = f.user_id), 0) as subscribed,
coalesce(r.public_successor_id, (select moved_to_id from issue_successors where issue_id = r.id and user_id = f.user_id)) as moved_to_id,
ifnull((select blocking from issue_blocking where issue_id = r.id and user_id = f.user_id), r.public_blocking) as blocking,
fits, ends, until
from sized f cross join issue_rows r on r.id = f.id where f.until - f.answered <= 3000000 order by f.turn

-- name: creation+
-- Merges the ranges in the order of creation. The queue starts with one entry for each range, at the start of the page. When the
-- first entry leaves the queue, the next issue of its range enters. An issue with the caller as author and assignee is in two
-- ranges, so the second one (assigned) skips it.
walk (project_id, user_id, kind, key, section, id, at, found) as (
select project_id, user_id, kind, key, section, :after_id, :after_at, 0 from ranges
union all
select w.project_id, w.user_id, w.kind, w.key, w.section, i.id, i.created_at, 1 from walk w cross join issues i indexed by issues_narrow on i.id = case w.kind
when 'project' then (select id from issues where project_id = w.key and section = w.section
and (created_at, id) :beyond (w.at, w.id) order by created_at :way, id :way limit 1)
when 'label' then (select issue_id from issue_labels where label_id = w.key and section = w.section
and (created_at, issue_id) :beyond (w.at, w.id) order by created_at :way, issue_id :way limit 1)
when 'milestone' then (select id from issues where milestone_id = w.key and section = w.section
and (created_at, id) :beyond (w.at, w.id) order by created_at :way, id :way limit 1)
when 'author' then (select id from issues where author_id = w.key and project_id = w.project_id and section = w.section
and (created_at, id) :beyond (w.at, w.id) order by created_at :way, id :way limit 1)
else (select id from issues where assignee_id = w.key and project_id = w.project_id and section = w.section
and (created_at, id) :beyond (w.at, w.id) order by created_at :way, id :way limit 1) end
where i.created_at :within :until
order by 7 :way, 6 :way
), looked as (
select *, row_number() over () as number from walk w
where found and (kind <> 'assigned' or (select author_id from issues where id = w.id) <> key))

-- name: by_creation*
-- A page in the order of creation.
, :visible, :ranges, :creation, :filtered, :rows

-- name: by_update*
-- A page in the order of update. Merges the ranges of the projects. Sorts the few issues that the caller sees only as author or
-- assignee.
, :visible, :ranges, walk (project_id, user_id, section, id, at, found) as (
select r.project_id, r.user_id, iif(d.value is null, r.section, null), coalesce(i.id, :after_id), coalesce(i.updated_at, :after_at), d.value is not null
from ranges r cross join json_each(iif(r.kind = 'own', :own_ids, '[null]')) d left join issues i indexed by issues_narrow on i.id = d.value
where d.value is null or ((i.updated_at, i.id) :beyond (:after_at, :after_id) and i.updated_at :within :until)
union all
select w.project_id, w.user_id, w.section, i.id, i.updated_at, 1 from walk w
cross join issues i indexed by issues_narrow on i.id = (select x.id from issues x where x.project_id = w.project_id and x.section = w.section
and (x.updated_at, x.id) :beyond (w.at, w.id) order by x.updated_at :way, x.id :way limit 1)
where i.updated_at :within :until
order by 5 :way, 4 :way
), looked as (select *, row_number() over () as number from walk where found), :filtered, :rows

-- name: sorted*
-- Sorts whole ranges. If they have more than :bound issues, returns one row with ends, and another statement finds the page.
, :visible, :ranges, members as (
select r.user_id, d.value as id from ranges r cross join json_each(case r.kind :narrow_ids end) d limit (select :bound)
), ranked as (
select w.id, w.user_id, w.ends, :sign * w.id as turn, :sign * iif(:updated, i.updated_at, i.created_at) as rank
from (select *, count(*) over () >= :bound as ends, row_number() over () as n from members) w
cross join issues i indexed by issues_narrow on i.id = w.id left join milestone_turns m on m.id = i.milestone_id where iif(w.ends, w.n = 1, :conditions)
), found as (
select id, user_id, ends, fits from (select *, 1 as fits, row_number() over (order by rank, turn) as number from ranked
  where ends or (rank, turn) > (:after_rank, :after_id)) where ends or number > :skip order by number limit (select :most)),
:rows

-- name: count*
-- The numbers of all issues and of closed issues. total is null if :bound issues were read and more may follow. known: the counter
-- of a range, null if its issues are read.
, :visible, :ranges, members as (
select r.*, case iif(:by_counter, r.kind, 'own') when 'project' then (select counts from project_totals where id = r.key)
when 'label' then (select counts from label_totals where id = r.key)
when 'milestone' then (select counts from milestone_totals where id = r.key) end ->> r.section as known,
case iif(:by_counter and r.kind <> 'own', null, r.kind)
when 'project' then (select json_group_array(id) from (select x.id from issues x where x.project_id = r.key and x.section = r.section
  and x.created_at between :created_from and :created_to limit (select :bound)))
when 'updated' then (select json_group_array(id) from (select x.id from issues x where x.project_id = r.key and x.section = r.section
  and x.updated_at between :updated_from and :updated_to limit (select :bound)))
:narrow_ids end as ids from ranges r
), counted as (
select w.section % 2 as closed, ifnull(w.known, d.value is not null and (i.id is null or (:conditions))) as fits
from members w left join json_each(w.ids) d left join issues i indexed by issues_narrow on i.id = iif(:exact and w.kind <> 'own', null, d.value)
left join milestone_turns m on m.id = i.milestone_id where ifnull(d.value, w.known) is not null limit (select :bound))
select count(*) as looked, iif(count(*) < :bound, ifnull(sum(fits), 0), null) as total, sum(fits * closed) as closed from counted

-- name: plain*
-- A page of a whole project with the sections :kinds. SQLite merges the arms lazily.
, page as (
select i.id, i.:at as at from issues i where i.project_id = (select project_id from scope where issues_enabled and instr(:kinds, '0'))
  and i.section = 0 and (i.:at, i.id) :beyond ((select :after_at), (select :after_id)) and i.:at :within (select :until)
union all
select i.id, i.:at from issues i where i.project_id = (select project_id from scope where issues_enabled and instr(:kinds, '1'))
  and i.section = 1 and (i.:at, i.id) :beyond ((select :after_at), (select :after_id)) and i.:at :within (select :until)
union all
select id, at from (
  select i.id, i.:at as at from issues i
  where i.project_id = (select project_id from scope where issues_enabled and reads_confidential and instr(:kinds, '2'))
    and i.section = 2 and (i.:at, i.id) :beyond ((select :after_at), (select :after_id)) and i.:at :within (select :until)
  union all
  select i.id, i.:at from issues i
  where i.project_id = (select project_id from scope where issues_enabled and reads_confidential and instr(:kinds, '3'))
    and i.section = 3 and (i.:at, i.id) :beyond ((select :after_at), (select :after_id)) and i.:at :within (select :until)
  order by 2 :way, 1 :way limit (select :most + :skip))
union all
select i.id, i.:at from issues i indexed by issues_narrow where i.id in (
  select x.id from scope s cross join issues x on x.author_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
  where s.issues_enabled and not s.reads_confidential
  union all
  select x.id from scope s cross join issues x on x.assignee_id = s.user_id and x.project_id = s.project_id and x.section in (2, 3)
  where s.issues_enabled and not s.reads_confidential)
  and instr(:kinds, i.section) and (i.:at, i.id) :beyond ((select :after_at), (select :after_id)) and i.:at :within (select :until)
order by 2 :way, 1 :way limit (select :most) offset :skip
), found as (select id, (select user_id from scope) as user_id, 0 as ends, 1 as fits from page),
:rows

-- name: by_day*
-- The newest issues of a project in the order of a day. Issues without one come last.
, :visible, :ranges, :creation, found as (
select id, user_id, 1 as fits, 0 as ends from (
  select w.id, w.user_id, :sign * w.id as turn, :sign * julianday(iif(:by_due_date, i.due_date, m.due_date)) as day
  from (select * from looked limit (select :look)) w cross join issues i indexed by issues_narrow on i.id = w.id left join milestone_turns m on m.id = i.milestone_id
  where :conditions)
order by day is null, day, turn limit (select :most) offset :skip),
:rows

-- name: too_wide*
-- Whether the list spans more projects than it reads.
, :visible select count(*) = :wide as is_wide from visible where :kinds is not null
