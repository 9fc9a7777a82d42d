-- Lists of issues (behaviour 6.1, 13.2). plan.rs puts a statement together from the pieces that the request needs:
--
-- * `{visible}`: the projects with issues that the caller sees, at most :wide, and whether the caller sees confidential
--   issues
-- * `ranges`: the index ranges of the list. A range has one section of a project, label, milestone, author or assignee
-- * a statement merges the ranges in the order of the list and checks each issue against the filter. A page reads a
--   limited number
-- * `{shown}`: the issues of the page, as many as fit into an answer
--
-- Names: `{way}`, `{beyond}`, `{within}` and `{at}` are the direction and the column of the list's order, `{toward}` is
-- the direction of a list by a field, `{mine}` the column that must have the caller's id, `{conditions}` the conditions
-- of the filter for the issue i of the range w. `{key}`, `{range}`, `{id}` and `{table}` depend on the kind of range.
--
-- In a LIMIT a parameter is in a subselect, because SQLite would compile the statement again for each value of a bare
-- one.

-- The projects.

-- piece: in_project
-- The project of the route. reads: whether the caller sees all its confidential issues. Others see those that they
-- wrote or are assigned to.
visible as (select project_id, user_id, reads_confidential as reads from scope where issues_enabled)

-- piece: in_group
-- The projects of a group that the caller sees. The cost grows with their number up to :wide, whatever other projects
-- the group has.
visible as (
  select p.id as project_id, s.user_id, s.reads_confidential
    or exists (select 1
      from project_members m
      where m.user_id = s.user_id and m.project_id = p.id and m.access >= :confidential_level) as reads
  from scope s
  cross join issue_projects p on p.id in (
    select *
    from (select q.id
      from issue_projects q
      where q.namespace_id = s.group_id and q.visibility >= iif(s.access > 0, 0, s.sees_from)
        and not (q.archived and :active)
      limit (select :wide))
    union all
    select *
    from (select q.id
      from project_members m
      cross join issue_projects q on q.id = m.project_id
      where m.user_id = s.user_id and m.namespace_id = s.group_id and not (q.archived and :active)
      limit (select :wide)))
  where +p.namespace_id = s.group_id and not (p.archived and :active)
  limit (select :wide)
)

-- piece: anywhere
-- All projects that the caller sees.
visible as (
  select *, access >= level as reads
  from (
    select p.id as project_id, c.id as user_id, confidential_level as level, p.visibility >= sees_from as is_open,
      ifnull((select w.access from project_viewers w where w.user_id = c.id and w.project_id = p.id), 0) as access
    from caller c
    cross join issue_projects p on p.id in (
      select *
      from (select id
        from issue_projects
        where visibility >= iif(admin, 0, sees_from) and not (archived and :active)
        limit (select :wide))
      union all
      select project_id
      from project_members
      where user_id = c.id
      union all
      select *
      from (select id
        from issue_projects
        where namespace_id in (select c.id union all select group_id from group_members where user_id = c.id)
          and not (archived and :active)
        limit (select :wide)))
    where not (archived and :active))
  where is_open or access > 0
  limit (select :wide)
)

-- piece: of_caller
-- The projects where the caller is author or assignee of an issue, if the caller still sees them. mine: looks up one
-- project after the other in the index.
mine (user_id, level, project_id) as (
  select id, confidential_level, 0
  from caller
  union all
  select h.user_id, h.level,
    (select min(x.project_id) from issues x where x.{mine} = h.user_id and x.project_id > h.project_id)
  from mine h
  where h.project_id is not null
), visible as (
  select h.project_id, h.user_id, w.access >= h.level as reads
  from mine h
  cross join project_viewers w on w.user_id = h.user_id and w.project_id = h.project_id
  cross join issue_projects p on p.id = h.project_id
  where w.sees and not (p.archived and :active)
  limit (select :wide)
)

-- The index ranges.

-- piece: ranges
-- The key of each range. :kinds: what a project has ranges of. A range with reads 1 exists where the caller sees all
-- confidential issues, with 0 where not. by_user: it is the caller's own.
kinds (kind, section, reads, by_user) as materialized (
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3
  from json_each(:kinds)
), ranges as (
  select v.project_id, v.user_id, d.kind, d.section, iif(d.by_user, v.user_id, {key}) as key
  from visible v
  cross join kinds d on v.reads = ifnull(d.reads, v.reads)
)

-- piece: person(given)
-- The user with this id or name, -1 without one.
ifnull(iif(typeof({given}) = 'text', (select n.id from namespaces n where n.path_key = {given} and n.kind = 'user'),
  {given}), -1)

-- piece: project_key
v.project_id

-- piece: label_key
-- The rarest one of :titles. A project without one of these has no range.
(select id
  from (select l.id, l.opened + l.closed + v.reads * (l.opened_hidden + l.closed_hidden) as issues
    from json_each(:titles) t
    left join labels l on l.project_id = v.project_id and l.title = t.value)
  order by issues
  limit 1)

-- piece: milestone_key
(select id
  from milestones
  where project_id = v.project_id and iid > 0
    and id = iif(typeof(:milestone) = 'text',
      (select t.id from milestones t where t.project_id = v.project_id and t.title = :milestone), :milestone))

-- piece: author_key
{person(:author)}

-- piece: assignee_key
{person(:assignee)}

-- piece: of_numbers
x.project_id = w.key and x.iid in (select value from json_each(:iids))

-- piece: of_assignee
x.assignee_id = w.key and x.project_id = w.project_id

-- piece: of_author
x.author_id = w.key and x.project_id = w.project_id

-- piece: of_milestone
x.milestone_id = w.key

-- piece: of_label
x.label_id = w.key

-- piece: of_project
x.project_id = w.key

-- piece: of_project_in_time
x.project_id = w.key and x.{at} between :from and :to

-- piece: ids
-- The issues of the range w, up to :bound.
(select json_group_array(id)
  from (select {id} as id from {table} x where {range} and section = w.section limit (select :bound)))

-- piece: ids_by_words
-- The issues of the range w with the words :asked, up to :bound, without those that are not indexed yet. The key of the
-- range takes the place of each # in :asked.
(select json_group_array(id)
  from (select rowid as id
    from issue_words
    where issue_words match replace(:asked, '#', {word_key(w.key, w.section > 1)})
      and not exists (select 1
        from unindexed_issues u
        where u.project_id = w.key and u.class in (0, 1, 2) and u.issue_id = issue_words.rowid)
    limit (select :bound)))

-- piece: set_of_range
-- The ids of the range w, which is read as a set. Of issues that are not indexed yet, up to one more than the search
-- reads.
case w.kind when 'own' then {own_ids} when 'waiting' then (select json_group_array(id)
    from (select issue_id as id
      from unindexed_issues
      where project_id = w.key and class = w.section / 2
      limit (select :read + 1))) else {members} end

-- piece: own(range)
select id from issues x where {range} and section = w.section

-- piece: own_ids
-- The issues of the range w with the caller as author or assignee.
(select json_group_array(id)
  from ({own({of_author})} union {own({of_assignee})}))

-- piece: next_in(id, table, range)
-- The next issue of the range w in the order of creation.
(select {id}
  from {table} x
  where {range} and section = w.section and (created_at, {id}) {beyond} (w.at, w.id)
  order by created_at {way}, {id} {way}
  limit 1)

-- What a filter demands of the issue i from the range w (filter.rs). It reads the index issues_narrow, because the
-- columns of the table lie behind descriptions of up to 900 kB.

-- piece: created_within
i.created_at between :created_from and :created_to

-- piece: updated_within
i.updated_at between :updated_from and :updated_to

-- piece: is_mine
i.{mine} = w.user_id

-- piece: is_by
i.author_id = {person(:author)}

-- piece: is_not_by
i.author_id <> {person(:not_author)}

-- piece: is_assigned_to
i.assignee_id is {person(:assignee)}

-- piece: is_not_assigned_to
i.assignee_id is not {person(:not_assignee)}

-- piece: is_assigned
(i.assignee_id is not null) = :assigned

-- piece: was_closed_by
i.closed_by_id is :closed_by

-- piece: has_number
i.iid in (select value from json_each(:iids))

-- piece: has_other_number
i.iid not in (select value from json_each(:not_iids))

-- piece: has_due_date
(i.due_date is not null) = :due

-- piece: is_due_within
ifnull(i.due_date between :due_from and :due_to, 0)

-- piece: has_reaction
exists (select 1
  from awards
  where issue_id = i.id and note_id = 0 and user_id = w.user_id and name = ifnull(:reaction, name)) = :reacted

-- piece: bears_labels
-- A label of each list of titles.
not exists (select 1
  from json_each(:labels) t
  where not exists (select 1
    from json_each(t.value)
    cross join bearers on project_id = i.project_id and title = value and issue_id = i.id))

-- piece: bears_none_of
not exists (select 1
  from json_each(:not_labels)
  cross join bearers on project_id = i.project_id and title = value and issue_id = i.id)

-- piece: has_label
exists (select 1 from issue_titles where issue_id = i.id) = :labeled

-- piece: is_of_milestone
exists (select 1 from milestone_turns where id = i.milestone_id and :milestone in (title, id))

-- piece: is_of_other_milestone
not exists (select 1 from milestone_turns where id = i.milestone_id and title = :not_milestone)

-- piece: has_milestone
exists (select 1 from milestone_turns where id = i.milestone_id) = :planned

-- piece: is_upcoming
exists (select 1
  from milestone_turns
  where id = i.milestone_id and is_active and due_date > :today and ifnull(due_before <= :today, 1)) = :upcoming

-- piece: is_started
exists (select 1
  from milestone_turns
  where id = i.milestone_id and is_active and ifnull(start_date <= :today, due_date >= :today)) = :started

-- piece: in_section
-- A range of a search has opened and closed issues.
i.section / 2 = w.section / 2 and instr(:sections, i.section)

-- piece: is_indexed_or_found
-- The index has found the issues of a range without a kind.
iif(w.kind = '', 1, {is_found})

-- piece: is_found
(select {has_begun((iif(:in_title, title, '') || ' ' || iif(:in_description, description, '')), :words)}
  from issue_texts
  where id = i.id)

-- The pages.

-- piece: shown
-- The issues of the page in the order of `found`, up to 3 MB. own: 0 for an issue of the page before, which is read if
-- the page was found by its number (:passed issues are before that). If that page ended early, the issue where it did
-- is the only row, and ends this one. listed: as in a page of another list (src/kernel/pieces.sql).
sized as (
  select *, ifnull(max(iif(own, null, reach)) over (), 0) as before
  from (select f.*, row_number() over () as turn, l.answered, sum(l.answered) over (rows unbounded preceding) as reach,
      sum(l.answered) over (rows between unbounded preceding and 1 following) as next
    from found f
    cross join issue_lengths l using (id))
)
select r.*, {full_path} as full_path, {issue_as_seen_by(f.user_id)},
  json_array(ifnull(fits, 0), ends or not own or next - before > {page_bytes}, {keys}) as listed
from sized f
cross join issue_rows r on r.id = f.id
where iif(before > {page_bytes}, not own and next > {page_bytes}, own)
  and reach - own * before in (answered, min(reach - own * before, {page_bytes}))
order by f.turn

-- piece: time_and_id
r.{at}, r.id

-- piece: looked_up
-- Only if there are conditions.
cross join issues i indexed by issues_narrow on i.id = w.id

-- piece: filtered
-- The first issues that match. The last issue read ends the page. Without the second LIMIT SQLite flattens the issues
-- into the window, and evaluates the conditions twice.
found as (
  select id, user_id, ends, fits and nth > :skip as fits, nth > :skip or ends as own
  from (select *, sum(fits) over (rows unbounded preceding) as nth
    from (select *
      from (select w.id, w.user_id, w.number = :look as ends, {conditions} as fits
        from looked w {lookup}
        limit (select :look))
      limit -1))
  where fits and nth > :passed or ends
  limit (select :most + :skip - :passed)
)

-- piece: creation
-- Merges the ranges in the order of creation. The queue starts with one entry for each range, at the start of the page.
-- When the first entry leaves the queue, the next issue of its range enters. An issue with the caller as author and
-- assignee is in two ranges, so the second one (assigned) skips it.
walk (project_id, user_id, kind, key, section, id, at, found) as (
  select project_id, user_id, kind, key, section, :after_id, :after_at, 0
  from ranges
  union all
  select w.project_id, w.user_id, w.kind, w.key, w.section, i.id, i.created_at, 1
  from walk w
  cross join issues i indexed by issues_narrow on i.id = case w.kind
    when 'author' then {next_in(id, issues, {of_author})}
    when 'assigned' then {next_in(id, issues, {of_assignee})}
    else {next_in({id}, {table}, {range})}
  end
  where i.created_at {within} :until
  order by 7 {way}, 6 {way}
), looked as (
  select *, row_number() over () as number
  from walk w
  where found and (kind <> 'assigned' or (select author_id from issues where id = w.id) <> key)
)

-- piece: by_creation
-- A page in the order of creation.
with {visible}, {ranges}, {creation}, {filtered}, {shown}

-- piece: by_update
-- A page in the order of update. Merges the ranges of the projects. Sorts the few issues that the caller sees only as
-- author or assignee.
with {visible}, {ranges},
  walk (project_id, user_id, section, id, at, found) as (
    select w.project_id, w.user_id, iif(d.value is null, w.section, null), coalesce(i.id, :after_id),
      coalesce(i.updated_at, :after_at), d.value is not null
    from ranges w
    cross join json_each(iif(w.kind = 'own', {own_ids}, '[null]')) d
    left join issues i indexed by issues_narrow on i.id = d.value
    where d.value is null or ((i.updated_at, i.id) {beyond} (:after_at, :after_id) and i.updated_at {within} :until)
    union all
    select w.project_id, w.user_id, w.section, i.id, i.updated_at, 1
    from walk w
    cross join issues i indexed by issues_narrow on i.id = (select x.id
      from issues x
      where x.project_id = w.project_id and x.section = w.section and (x.updated_at, x.id) {beyond} (w.at, w.id)
      order by x.updated_at {way}, x.id {way}
      limit 1)
    where i.updated_at {within} :until
    order by 5 {way}, 4 {way}
  ), looked as (select *, row_number() over () as number from walk where found), {filtered}, {shown}

-- piece: sum
count(*) over ()

-- piece: sorted
-- Sorts whole ranges. `{sum}`: the total, in place of the 1 of what fits. If they have :bound issues, or more than
-- :read whose texts are read, returns one row, which ends the page and does not fit: the page needs another statement.
with {visible}, {ranges},
  members as (
    select w.user_id, w.kind, w.section, d.value as id
    from ranges w
    cross join json_each({set_of_range}) d
    limit (select :bound)
  ), ranked as (
    select w.id, w.user_id, w.ends, i.{at} as at, {sum} as total
    from (select *, count(*) over () >= :bound or sum(kind <> '') over () > :read as ends,
        row_number() over () as n
      from members) w
    cross join issues i indexed by issues_narrow on i.id = w.id
    where iif(w.ends, w.n = 1, {conditions})
  ), found as (
    select id, user_id, ends, total * (number > :skip and not ends) as fits, number > :skip or ends as own
    from (select *, row_number() over (order by at {way}, id {way}) as number
      from ranked
      where ends or (at, id) {beyond} (:after_at, :after_id))
    where ends or number > :passed
    order by number
    limit (select :most + :skip - :passed)
  ), {shown}

-- piece: milestone_day
(select due_date from milestone_turns where id = i.milestone_id)

-- piece: title
(select lower(title) from issues where id = i.id)

-- piece: by_field
-- The newest issues in the order of `{field}`. Issues without it come last. The conditions are in an `iif`:
-- SQLite would compile the statement for each value of a bare bind if its condition were a separate term.
with {visible}, {ranges}, {creation},
  found as (
    select id, user_id, number, number > :skip as fits, number > :skip as own, 0 as ends
    from (select id, user_id, row_number() over (order by field is null, field {toward}, id {toward}) as number
      from (
        select w.id, w.user_id, {field} as field
        from (select * from looked limit (select :look)) w
        cross join issues i indexed by issues_narrow on i.id = w.id
        where iif({conditions}, 1, 0)))
    where number > :passed
    order by number
    limit (select :most + :skip - :passed)
  ), {shown}

-- A page of a whole project.

-- piece: after
(i.{at}, i.id) {beyond} ((select :after_at), (select :after_id)) and i.{at} {within} (select :until)

-- piece: arm(number, condition)
select i.id, i.{at} as at
from issues i
where i.project_id = (select project_id from scope where {condition}) and i.section = {number} and {after}

-- piece: opened
{arm(0, issues_enabled)}

-- piece: closed
{arm(1, issues_enabled)}

-- piece: opened_hidden
{arm(2, issues_enabled and reads_confidential)}

-- piece: closed_hidden
{arm(3, issues_enabled and reads_confidential)}

-- piece: all_hidden
select id, at from ({opened_hidden} union all {closed_hidden} order by 2 {way}, 1 {way} limit (select :most + :skip))

-- piece: own_by_caller(column)
select x.id
from scope s
cross join issues x on x.{column} = s.user_id and x.project_id = s.project_id and x.section in ({sections})
where s.issues_enabled and not s.reads_confidential

-- piece: own_hidden
-- Confidential issues of a caller who sees only those that they wrote or are assigned to.
select i.id, i.{at} as at
from issues i indexed by issues_narrow
where i.id in ({own_by_caller(author_id)} union all {own_by_caller(assignee_id)}) and {after}

-- piece: plain
-- SQLite merges the `{arms}` lazily.
with page as ({arms} order by 2 {way}, 1 {way} limit (select :most + :skip - :passed) offset :passed
), found as (
  select p.id, s.user_id, s.full_path, 0 as ends, own as fits, own
  from scope s
  cross join (select *, row_number() over () > :skip - :passed as own from page) p
), {shown}

-- The totals.

-- piece: nothing
null

-- piece: always
1

-- piece: counter
-- The number of issues of a range. `{counters}` is a view of the kind of range.
(select counts from {counters} where id = w.key) ->> w.section

-- piece: counted_by_ids
-- Checks each issue of the list.
d.value

-- piece: counted_by_range
-- The range has all issues of the list and no others.
iif(w.kind = 'own', d.value, null)

-- piece: count
-- The numbers of all issues and of closed issues. total is null if :bound issues were read and more may follow, or if
-- the index of words lacks issues. known: the counter of a range, null if its issues are read. is_wide: the list spans
-- more projects than it reads.
with {visible}, {ranges},
  members as (
    select w.*, iif(w.kind = 'own', null, {known}) as known, {set_of_range} as ids
    from ranges w
  ), counted as (
    select coalesce(i.section, w.section) % 2 as closed,
      ifnull(w.known, d.value is not null and (i.id is null or ({conditions}))) as fits,
      w.kind <> '' as is_read
    from members w
    left join json_each(w.ids) d
    left join issues i indexed by issues_narrow on i.id = {checked}
    where ifnull(d.value, w.known) is not null
    limit (select :bound)
  )
select count(*) as counted,
  iif(count(*) < :bound and total(is_read) <= :read and {is_known}, ifnull(sum(fits), 0), null) as total,
  sum(fits * closed) as closed,
  (select count(*) = :wide from visible) as is_wide
from counted

-- piece: own_in_project(column)
select *
from (select x.id
  from issues x
  where x.{column} = s.user_id and x.project_id = s.project_id and x.section in (2, 3) and instr(:sections, x.section)
  limit (select 1001))

-- name: count_of_project
-- scope: project
-- The total of a list of a whole project. null: the caller has more than a thousand confidential issues of their own,
-- and sees no others.
select iif(instr(:sections, '0'), c.opened, 0) + iif(instr(:sections, '1'), c.closed, 0)
  + iif(s.reads_confidential, iif(instr(:sections, '2'), c.opened_hidden, 0)
      + iif(instr(:sections, '3'), c.closed_hidden, 0),
    (select iif(count(*) > 1000, null, count(*))
      from ({own_in_project(author_id)} union {own_in_project(assignee_id)}))) as total,
  0 as counted
from scope s
cross join issue_counts c on c.project_id = s.project_id
where s.issues_enabled;

-- name: milestone
-- scope: project
-- A row if the project has the milestone.
select m.id
from milestones m
where m.id = :milestone_id and m.project_id = (select project_id from scope) and m.iid > 0;

-- piece: state_of_search
-- is_wide: as of the total.
with {visible}
select {is_index_whole} as is_whole, (select count(*) = :wide from visible) as is_wide
