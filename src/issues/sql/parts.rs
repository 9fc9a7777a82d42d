//! What the statements of issue lists are made of (see [`crate::issues::pages`]).

/// The least access that sees every confidential issue.
macro_rules! reads_hidden {
    () => {
        "(select ?7 ->> '$.hidden')"
    };
}

/// The id of the person whose issues are asked for. `$user`: the caller's, who is meant where nobody is named.
macro_rules! person_id {
    ($user:literal) => {
        concat!(
            "iif(typeof(?7 ->> '$.person[1]') = 'text', (select n.id from namespaces n where n.path_key = (select ?7 ->> '$.person[1]')
      and n.kind = 'user'), coalesce(?7 ->> '$.person[1]', ", $user, "))"
        )
    };
}

/// The shelves of the places `v`. A shelf is JSON `[kind, owner, label, milestone, whose hidden issues, path of its classes in
/// the filter]`, its label and milestone null where none is named. `$kind`, `$owner` and `$viewer`: where no person is asked
/// for. Of several labels that an issue has to bear, it is looked for under the rarest.
macro_rules! shelves {
    ($places:literal, $kind:literal, $owner:literal, $viewer:expr) => {
        concat!(
            "select json_array(iif(?7 ->> '$.person' is null, ", $kind, ", 2), iif(?7 ->> '$.person' is null, ", $owner, ", asked.person_id),
      iif(?7 ->> '$.person' is null, y.id, ?7 ->> '$.person[0]'), iif(?7 ->> '$.person' is null, coalesce(z.id, ?7 ->> '$.milestone'), v.value ->> 0),
      ", $viewer, ", '$.classes') as range
    from ", $places, " v cross join json_each(?7, '$.labels') l
    left join labels y on y.id = (select iif(q.count = json_array_length(l.value), q.id, null)
      from (select b.id, count(*) as count, min(b.opened + b.closed + b.opened_hidden + b.closed_hidden)
        from json_each(l.value) d cross join labels b on b.project_id = v.value ->> 0 and b.title = d.value) q)
    left join milestones z on z.project_id = v.value ->> 0 and z.title = (select ?7 ->> '$.title')
    where (l.value is null or y.id is not null) and (?7 ->> '$.title' is null or z.id is not null)
      and v.value ->> 2"
        )
    };
}

/// Of confidential issues, those who read them see all, others what is theirs.
macro_rules! viewer {
    () => {
        concat!("iif(v.value ->> 1 >= ", crate::issues::sql::parts::reads_hidden!(), ", -1, asked.user_id)")
    };
}

/// What is counted of the postings `x` on the shelves, those for which `$of` holds: how many rows are read, `$each` for a
/// posting, of how many issues it is `$kept`, and how many of these are closed; null: there are more postings than are looked
/// at. `$classes`: the path of the classes to count.
macro_rules! counted {
    ($classes:literal, $of:expr, $kept:expr, $each:expr) => {
        concat!(
            "iif(?7 ->> '$.steps' is not null, '[0, null, null]', (select json_array(count(*) * ", $each, ",
    iif(count(*) < ?7 ->> '$.rows', count(distinct iif(kept, issue_id, null)), null), count(distinct iif(kept and closed, issue_id, null)))
    from (select x.issue_id, x.closed, ", $kept, " as kept from json_each(chosen.ranges) r cross join json_each(?7, ", $classes, ") k
    cross join issue_postings x on ", crate::issues::sql::shelves::in_class_of_shelf!(), " and x.updated = (select ?7 ->> '$.updated')
      and x.at >= (select ?7 ->> '$.from') and x.at <= (select ?7 ->> '$.to')
    where ", $of, " limit (select ?7 ->> '$.rows'))))"
        )
    };
}

/// What the counters of projects, labels and milestones, and those of `$join`, know of a list's total, of how many places, and whether
/// milestone whose list it is belongs to one: JSON `[opened, closed, places, milestones]`.
macro_rules! known {
    () => {
        crate::issues::sql::parts::known!("0", "0", "")
    };
    ($opened:literal, $closed:literal, $join:literal) => {
        concat!(
            "(select json_array(coalesce(sum((?7 ->> '$.opened') * (coalesce(a.opened, b.opened, c.opened, ", $opened, ")
      + (v.value ->> 1 >= ", crate::issues::sql::parts::reads_hidden!(), ") * coalesce(a.opened_hidden, b.opened_hidden, c.opened_hidden, 0))), 0),
    coalesce(sum((?7 ->> '$.closed') * (coalesce(a.closed, b.closed, c.closed, ", $closed, ")
      + (v.value ->> 1 >= ", crate::issues::sql::parts::reads_hidden!(), ") * coalesce(a.closed_hidden, b.closed_hidden, c.closed_hidden, 0))), 0),
    count(*), count(e.id))
  from json_each(asked.places) v
  left join issue_counts a on ?7 ->> '$.counter' = 'project' and a.project_id = v.value ->> 0
  left join labels b on ?7 ->> '$.counter' = 'label' and b.project_id = v.value ->> 0 and b.title = (select ?7 ->> '$.names[0]')
  left join milestones e on e.id = (select ?7 ->> '$.milestone') and e.project_id = v.value ->> 0 and e.iid > 0
  left join milestones c on ?7 ->> '$.counter' = 'milestone' and c.project_id = v.value ->> 0
    and c.title = coalesce(e.title, (select ?7 ->> '$.title'))", $join, ")"
        )
    };
}

/// Of the candidates those that meet the rest.
macro_rules! picked {
    ($seen:expr) => {
        concat!(
            "iif(?7 ->> '$.steps' is null, json_array(json(walked.candidates)), (select json_array(json_group_array(position), coalesce(sum(closed), 0)) from (
    select d.value as position, ", crate::issues::sql::shelves::walked_at!("d.value", "closed"), " as closed from json_each(walked.candidates) d cross join issues i on i.id = ",
            crate::issues::sql::shelves::walked_at!("d.value", "issue"),
            "
    where ",
            crate::issues::sql::rest::meets!("walked.user_id", $seen),
            " limit (select 1 + ?11) offset (select ?10))))"
        )
    };
}

/// The same by a day, those without one last: the due date of the issue where the filter says so, else of its milestone.
macro_rules! picked_by_day {
    () => {
        concat!(
            "(select json_array(json_group_array(position), coalesce(sum(closed), 0)) from (
    select position, closed from (select d.value as position, ", crate::issues::sql::shelves::walked_at!("d.value", "closed"), " as closed, i.id,
        julianday(iif(?7 ->> '$.day', i.due_date, (select m.due_date from milestones m where m.id = i.milestone_id and m.iid > 0))) as day
      from json_each(walked.candidates) d cross join issues i on i.id = ",
            crate::issues::sql::shelves::walked_at!("d.value", "issue"),
            "
      where ",
            crate::issues::sql::rest::meets!("walked.user_id", "0"),
            ") order by day is null, day * (?7 ->> '$.sign'), id * (?7 ->> '$.sign') limit (select 1 + ?11) offset (select ?10)))"
        )
    };
}

/// The page and the total: what follows the head of a list. `$moved_to`: see [`crate::issues::sql::moved_to`]. `$read`: how many rows are read for each place whose counter is
/// summed, where they may be many.
macro_rules! list {
    (asked: $asked:expr, shelves: $shelves:expr, candidates: $candidates:expr, picked: $picked:expr, path: $path:literal,
      moved_to: $moved_to:expr, read: $read:literal, known: $known:expr, counted: $counted:expr) => {
        concat!(
            "union all select v from (with asked as materialized (", $asked, "
), chosen as materialized (
  select asked.*, (select json_group_array(json(range)) from (", $shelves, ")) as ranges, ", $known, " as known from asked
), walked as materialized (
  select chosen.*, ", $candidates, " as candidates, ", $counted, " as counted from chosen
), page as materialized (
  select walked.*, ?7 ->> '$.steps' <= json_array_length(candidates) and coalesce(known ->> 4 > ?7 ->> '$.few', 1) as ended, ", $picked, " as shown from walked
) select iif(i.id is null,
    json_object('total', json_array(
      iif(?7 ->> '$.steps' is null, iif(page.counted ->> 1 <= ?7 ->> '$.most', page.known ->> 0 + page.known ->> 1 + page.counted ->> 1, null),
        iif(page.ended or json_array_length(page.shown, '$[0]') > ?11 or not ?7 ->> '$.first', null, json_array_length(page.shown, '$[0]'))),
      iif(?7 ->> '$.steps' is null, page.known ->> 1 + page.counted ->> 2, page.shown ->> '$[1]'),
      iif(page.ended and json_array_length(page.shown, '$[0]') <= ?11, page.candidates ->> '$[#-1]', null),
      json_array_length(page.shown, '$[0]') > ?11, page.known ->> 2 * ", $read, " + page.counted ->> 0,
      coalesce(page.known ->> 2 > ?7 ->> '$.wide', 0), page.known ->> 3 > 0 or ?7 ->> '$.milestone' is null)),
    json_object('issue', ", crate::issues::sql::issue_json!(whole: "page.user_id", $path, $moved_to), ")) as v
  from page cross join json_each(json_insert(page.shown -> '$[0]', '$[#]', 0)) d left join issues i on i.id = ", crate::issues::sql::shelves::walked_at!("d.value", "issue"), "
  where (d.key < ?11 and not ?7 ->> '$.statistics') or d.value = 0)"
        )
    };
}

pub(crate) use {counted, known, list, person_id, picked, picked_by_day, reads_hidden, shelves, viewer};
