//! How the first postings of many ranges are read in order: a queue of shelves (see [`crate::issues::pages`]).

/// The way that a list is walked: 1 oldest first, -1 newest first.
macro_rules! way {
    () => {
        "(select ?7 ->> '$.way')"
    };
}

/// Where a posting stands in its list, and of which issue and project it is: time, id, and project and state, as one text, of
/// which a subquery can give back all at once. The texts are in the list's order, whichever way that goes. Times before 1970
/// are negative.
macro_rules! position {
    ($at:literal, $id:literal, $project:literal, $closed:literal) => {
        concat!(
            "format('%017d%017d%d', (1 << 53) + ",
            crate::issues::sql::shelves::way!(),
            " * ",
            $at,
            ", (1 << 53) + ",
            crate::issues::sql::shelves::way!(),
            " * ",
            $id,
            ", 2 * ",
            $project,
            " + ",
            $closed,
            ")"
        )
    };
}

/// What a position tells.
macro_rules! walked_at {
    ($position:literal, "at") => {
        concat!(
            crate::issues::sql::shelves::way!(),
            " * (cast(substr(",
            $position,
            ", 1, 17) as integer) - (1 << 53))"
        )
    };
    ($position:literal, "issue") => {
        concat!(
            crate::issues::sql::shelves::way!(),
            " * (cast(substr(",
            $position,
            ", 18, 17) as integer) - (1 << 53))"
        )
    };
    ($position:literal, "project") => {
        concat!("(cast(substr(", $position, ", 35) as integer) >> 1)")
    };
    ($position:literal, "closed") => {
        concat!("(cast(substr(", $position, ", 35) as integer) & 1)")
    };
}

/// The next posting of a range past where the list stands, before its end. It is looked for from the next id on, not behind
/// this one: SQLite begins a comparison of rows with what is equal, and would read that first.
macro_rules! successor {
    ($range:expr, $at:expr, $id:expr) => {
        concat!(
            "iif(",
            crate::issues::sql::shelves::way!(),
            " > 0, ",
            crate::issues::sql::shelves::successor!(
                $range,
                ">=",
                "<= (select ?7 ->> '$.to')",
                $at,
                $id,
                "asc"
            ),
            ", ",
            crate::issues::sql::shelves::successor!(
                $range,
                "<=",
                ">= (select ?7 ->> '$.from')",
                $at,
                $id,
                "desc"
            ),
            ")"
        )
    };
    ($range:expr, $past:literal, $end:literal, $at:expr, $id:expr, $sort:literal) => {
        concat!(
            "(select ",
            crate::issues::sql::shelves::position!("x.at", "x.issue_id", "x.project_id", "x.closed"),
            " from issue_postings x
    where ",
            $range,
            " and x.updated = (select ?7 ->> '$.updated') and (x.at, x.issue_id) ",
            $past,
            " (",
            $at,
            ", ",
            $id,
            " + ",
            crate::issues::sql::shelves::way!(),
            ")
      and x.at ",
            $end,
            "
    order by x.at ",
            $sort,
            ", x.issue_id ",
            $sort,
            " limit 1)"
        )
    };
}

/// The posting `x` is in the class `$class` of the shelf whose columns are the rest.
macro_rules! in_class {
    ($class:literal, $kind:literal, $owner:literal, $label:literal, $milestone:literal, $viewer:literal) => {
        concat!(
            "x.kind = ",
            $kind,
            " and x.owner_id = ",
            $owner,
            "
      and x.label_id = coalesce(",
            $label,
            ", ",
            $class,
            " ->> 0) and x.milestone_id = coalesce(",
            $milestone,
            ", ",
            $class,
            " ->> 1)
      and x.viewer_id = iif(",
            $class,
            " ->> 2, ",
            $viewer,
            ", 0) and x.closed = ",
            $class,
            " ->> 3"
        )
    };
}
macro_rules! in_class_of_shelf {
    () => {
        crate::issues::sql::shelves::in_class_of_shelf!("k.value")
    };
    ($class:literal) => {
        crate::issues::sql::shelves::in_class!(
            $class,
            "r.value ->> 0",
            "r.value ->> 1",
            "r.value ->> 2",
            "r.value ->> 3",
            "r.value ->> 4"
        )
    };
}
macro_rules! in_class_of_walk {
    ($class:literal) => {
        crate::issues::sql::shelves::in_class!(
            $class,
            "w.kind",
            "w.owner_id",
            "w.label_id",
            "w.milestone_id",
            "w.viewer_id"
        )
    };
}

/// The positions of the first candidates, as JSON. The queue begins with one entry for each shelf, its first posting. Only
/// when that leaves the queue, each class of the shelf (`class`) goes on by itself, behind it; those of the only shelf do so from
/// the beginning. Whichever comes first leaves the queue and puts its successor in, so that a page costs its own postings and
/// one for each range. `$kept`: which of the postings count.
macro_rules! walk {
    ($kept:expr) => {
        concat!(
            "(with recursive walk(position, kind, owner_id, label_id, milestone_id, viewer_id, classes, class) as (
  select iif(o.value is null, (select min(", crate::issues::sql::shelves::successor!(crate::issues::sql::shelves::in_class_of_shelf!(), "(select ?8)", "(select ?9)"), ")
      from json_each(?7, r.value ->> 5) k), ", crate::issues::sql::shelves::successor!(crate::issues::sql::shelves::in_class_of_shelf!("o.value"), "(select ?8)", "(select ?9)"), "),
    r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, o.value
  from json_each(chosen.ranges) r left join json_each(?7, iif(json_array_length(chosen.ranges) = 1, r.value ->> 5, '$.none')) o
  union all
  select ", crate::issues::sql::shelves::successor!(crate::issues::sql::shelves::in_class_of_walk!("coalesce(k.value, w.class)"), crate::issues::sql::shelves::walked_at!("w.position", "at"), crate::issues::sql::shelves::walked_at!("w.position", "issue")), ",
    w.kind, w.owner_id, w.label_id, w.milestone_id, w.viewer_id, null, coalesce(k.value, w.class)
  from walk w left join json_each(?7, iif(w.class is null, w.classes, '$.none')) k where w.position is not null
  order by 1
) select json_group_array(position) from (select distinct position from walk where position is not null", $kept, "
  limit (select coalesce(?7 ->> '$.steps', 1 + ?11)) offset (select iif(?7 ->> '$.steps' is null, ?10, 0))))"
        )
    };
}

pub(crate) use {in_class, in_class_of_shelf, in_class_of_walk, position, successor, walk, walked_at, way};
