-- Lists of issues (behaviour 6.1, 13.2). text.rs puts a statement together from the pieces that the request needs:
--
-- * `{visible}`: the projects with issues that the caller sees, at most :wide, and whether the caller sees confidential
--   issues (ranges.sql)
-- * `ranges`: the index ranges of the list. A range has one section of a project, label, milestone, author or assignee
-- * a statement merges the ranges in the order of the list and checks each issue against the filter (conditions.sql). A
--   page reads a limited number
-- * `{rows}`: the issues of the page, as many as fit into an answer
--
-- Names: `{way}`, `{beyond}`, `{within}` and `{at}` are the direction and the column of the list's order, `{toward}` is
-- the direction of a list by a field, `{mine}` the column that must have the caller's id, `{conditions}` the conditions
-- of the filter for the issue i of the range w. `{key}`, `{step}` and `{ids}` depend on the kind of range.
--
-- In a LIMIT a parameter is in a subselect, because SQLite would compile the statement again for each value of a bare
-- one.

-- piece: looked_up
-- Only if there are conditions.
cross join issues i indexed by issues_narrow on i.id = w.id

-- piece: filtered
-- The first issues that match. The last issue read ends the page. Without the LIMIT in the inner select SQLite would
-- evaluate the conditions twice.
found as (
  select id, user_id, ends, fits and nth > :skip as fits, nth > :skip or ends as own
  from (select *, sum(fits) over (rows unbounded preceding) as nth
    from (
      select w.id, w.user_id, w.number = :look as ends, {conditions} as fits
      from looked w {lookup}
      limit (select :look)))
  where fits and nth > :passed or ends
  limit (select :most + :skip - :passed)
)

-- piece: rows
-- The issues of the page in the order of `found`, up to 3 MB, and the one that passes this limit. until: the bytes up
-- to and including the issue. own: 0 for an issue of the page before, which is read if the page was found by its number
-- (:passed issues are before that). If that page ended early, the issue where it did is the only row, and ends this
-- one.
sized as (
  select *, ifnull(max(iif(own, null, reach)) over (), 0) as before
  from (select f.*, row_number() over () as turn, sum(l.answered) over (rows unbounded preceding) as reach, l.answered
    from found f
    cross join issue_lengths l using (id))
)
select r.*, {full_path} as full_path, {issue_as_seen_by(f.user_id)}, fits, ends or not own as ends,
  reach - own * before as until
from sized f
cross join issue_rows r on r.id = f.id
where reach - own * before - answered <= {page_bytes}
  and iif(before > {page_bytes}, not own and reach > {page_bytes}, own)
order by f.turn

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
  cross join issues i indexed by issues_narrow on i.id = case w.kind when 'author' then {author_step}
    when 'assigned' then {assignee_step} else {step} end
  where i.created_at {within} :until
  order by 7 {way}, 6 {way}
), looked as (
  select *, row_number() over () as number
  from walk w
  where found and (kind <> 'assigned' or (select author_id from issues where id = w.id) <> key)
)

-- Statements.

-- piece: by_creation
-- A page in the order of creation.
with {visible}, {ranges}, {creation}, {filtered}, {rows}

-- piece: by_update
-- A page in the order of update. Merges the ranges of the projects. Sorts the few issues that the caller sees only as
-- author or assignee.
with {visible}, {ranges},
  walk (project_id, user_id, section, id, at, found) as (
    select r.project_id, r.user_id, iif(d.value is null, r.section, null), coalesce(i.id, :after_id),
      coalesce(i.updated_at, :after_at), d.value is not null
    from ranges r
    cross join json_each(iif(r.kind = 'own', {own_ids}, '[null]')) d
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
  ), looked as (select *, row_number() over () as number from walk where found), {filtered}, {rows}

-- piece: sorted
-- Sorts whole ranges. If they have more than :bound issues, returns one row with ends, and the page needs another
-- statement.
with {visible}, {ranges},
  members as (
    select r.user_id, d.value as id
    from ranges r
    cross join json_each(iif(r.kind = 'own', {own_ids}, {ids})) d
    limit (select :bound)
  ), ranked as (
    select w.id, w.user_id, w.ends, :sign * w.id as turn, :sign * i.{at} as rank
    from (select *, count(*) over () >= :bound as ends, row_number() over () as n from members) w
    cross join issues i indexed by issues_narrow on i.id = w.id
    where iif(w.ends, w.n = 1, {conditions})
  ), found as (
    select id, user_id, ends, number > :skip as fits, number > :skip or ends as own
    from (select *, row_number() over (order by rank, turn) as number
      from ranked
      where ends or (rank, turn) > (:after_rank, :after_id))
    where ends or number > :passed
    order by number
    limit (select :most + :skip - :passed)
  ), {rows}

-- piece: nowhere
null

-- piece: counter
-- The number of issues of a range. `{counters}` is a view of the kind of range.
(select counts from {counters} where id = r.key) ->> r.section

-- piece: counted_by_ids
-- Checks each issue of the list.
d.value

-- piece: counted_by_range
-- The range has all issues of the list and no others.
iif(w.kind = 'own', d.value, null)

-- piece: count
-- The numbers of all issues and of closed issues. total is null if :bound issues were read and more may follow. known:
-- the counter of a range, null if its issues are read.
with {visible}, {ranges},
  members as (
    select r.*, iif(r.kind = 'own', null, {known}) as known, iif(r.kind = 'own', {own_ids}, {ids}) as ids
    from ranges r
  ), counted as (
    select w.section % 2 as closed, ifnull(w.known, d.value is not null and (i.id is null or ({conditions}))) as fits
    from members w
    left join json_each(w.ids) d
    left join issues i indexed by issues_narrow on i.id = {checked}
    where ifnull(d.value, w.known) is not null
    limit (select :bound)
  )
select count(*) as looked, iif(count(*) < :bound, ifnull(sum(fits), 0), null) as total, sum(fits * closed) as closed
from counted

-- piece: after
(i.{at}, i.id) {beyond} ((select :after_at), (select :after_id)) and i.{at} {within} (select :until)

-- piece: arm(number, condition)
select i.id, i.{at} as at
from issues i
where i.project_id = (select project_id from scope where {condition}) and i.section = {number} and {after}

-- piece: public(number)
{arm({number}, issues_enabled)}

-- piece: hidden(number)
{arm({number}, issues_enabled and reads_confidential)}

-- piece: opened
{public(0)}

-- piece: closed
{public(1)}

-- piece: opened_hidden
{hidden(2)}

-- piece: closed_hidden
{hidden(3)}

-- piece: all_hidden
select id, at from ({hidden(2)} union all {hidden(3)} order by 2 {way}, 1 {way} limit (select :most + :skip))

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
-- A page of a whole project. SQLite merges the `{arms}` lazily.
with page as ({arms} order by 2 {way}, 1 {way} limit (select :most + :skip - :passed) offset :passed
), found as (
  select p.id, s.user_id, s.full_path, 0 as ends, own as fits, own
  from scope s
  cross join (select *, row_number() over () > :skip - :passed as own from page) p
), {rows}

-- piece: milestone_day
(select due_date from milestone_turns where id = i.milestone_id)

-- piece: title
(select lower(title) from issues where id = i.id)

-- piece: by_field
-- The newest issues in the order of `{field}`. Issues without it come last. The conditions are in an `iif`:
-- SQLite would compile the statement for each value of a bare bind if its condition were a separate term.
with {visible}, {ranges}, {creation},
  found as (
    select id, user_id, number > :skip as fits, number > :skip as own, 0 as ends
    from (select id, user_id, row_number() over (order by field is null, field {toward}, turn) as number
      from (
        select w.id, w.user_id, :sign * w.id as turn, {field} as field
        from (select * from looked limit (select :look)) w
        cross join issues i indexed by issues_narrow on i.id = w.id
        where iif({conditions}, 1, 0)))
    where number > :passed
    order by number
    limit (select :most + :skip - :passed)
  ), {rows}

-- piece: too_wide
-- Whether the list spans more projects than it reads.
with {visible} select count(*) = :wide as is_wide from visible
