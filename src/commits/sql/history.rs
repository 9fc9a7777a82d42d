//! Statements of `commits/history.rs`.

use crate::call::in_project;
use crate::commits::sql::{commit_id, commit_json};
use crate::page::bounded;

/// `{walk}`: git's walk, one row for each commit in git's order. It begins at the queue `?13`, or where that is null at the
/// commits `$tip`, passes over what is in `?14`, and ends at dates before `?9`. `?17`: the last parent of each that is looked at.
macro_rules! walk {
    ($walk:literal, $tip:literal) => {
        concat!(
            $walk,
            "(id, at, turn) as (
    select id, at, at + (at < 0) * (1 << 62) from (
      select value ->> 0 as id, value ->> 1 as at from json_each(?13)
      union all
      select c.id, c.committed_at from ",
            $tip,
            ")
    union
    select p.parent_id, p.parent_committed_at, p.parent_committed_at + (p.parent_committed_at < 0) * (1 << 62)
    from ",
            $walk,
            " w cross join parents p on p.child_id = w.id and p.position <= (select ?17)
    where w.at >= (select ?9) and not coalesce(instr(?14, ',' || p.parent_id || ','), 0)
    order by 3 desc
  )"
        )
    };
}

/// The answer of a list: of each commit that `$found` names, what is shown of it and where it stands. `$found` is JSON: for
/// each its id and 1 on the page, 0 where it is only passed, 2 after it unless `$further` tells that; and `[0, what waits]` where the parents do not tell that. `asked`: the
/// project, the commit `?7` (null: the tip of the default branch) where there is no cursor, and how many commits there are, if
/// all that a ref has are listed (`?15`; `?16`: of all refs): the hook counts them where it moves a branch. Where it did not, those of the default
/// branch are counted here, once every commit knows its branch.
///
/// Every reference to a common table expression counts the table cursors of all that it stands on again, of which a
/// statement may have 100. Hence each is referred to once, and what is found goes on as JSON.
// `$further`: which of `d` are after the page; `$kept`: which commits are shown, others being passed.
macro_rules! history {
    ($found:expr, $further:literal, $parents:expr, $kept:expr) => {
        in_project!(
            "union all select v from (
  with named as materialized (
    select s.project_id, s.default_branch, r.commit_id as main, case when ?7 is not null then ",
            commit_id!("s.project_id"),
            "
      else r.commit_id end as commit_id
    from scope s left join refs r on r.project_id = s.project_id and r.name = 'refs/heads/' || s.default_branch
  ), asked as materialized (
    select n.project_id, iif(?13 is not null, null, iif(?16, (select json_group_array(distinct f.commit_id) from (
      select e.commit_id from refs e where e.project_id = n.project_id limit 1000) f), json_array(n.commit_id))) as tips, iif(?15, coalesce(
      (select t.commits from refs t where t.commit_id = n.commit_id and t.project_id = n.project_id and t.commits is not null limit 1),
      iif(n.commit_id = n.main and not exists (select 1 from branch_queue q where q.project_id = n.project_id)
          and not exists (select 1 from mirrors m where m.project_id = n.project_id and m.scan_after is not null),
        (select b.commits from branch_counts b where b.project_id = n.project_id and b.branch = n.default_branch), null)), null) as total
    from named n
  ), found as materialized (
    select asked.project_id, json_insert(",
            $found,
            ", '$[#]', json_array(-1, asked.total)) as found from asked
  )
  select case d.value ->> 0 when 0 then json_object('waiting', d.value -> 1) when -1 then json_object('total', d.value ->> 1) else
    json_object('passed', json_array(json_array(c.id, c.committed_at, c.lift),
    c.project_id = f.project_id, ",
            $further,
            ", case when d.value ->> 1 = 1 and not ",
            $further,
            " and c.project_id = f.project_id",
            $kept,
            " then ",
            commit_json!(),
            " end",
            $parents,
            ")) end as v
  from found f cross join json_each(f.found) d left join commits c on c.id = d.value ->> 0)"
        )
    };
}

/// Which commits does `git log` list, newest first, with committer dates from `?9`: `?12`, and one further? With their
/// parents, from which follows what waits in git's queue then. Nothing is passed over.
macro_rules! at_once {
    ($kept:expr) => {
        bounded!(history!(
            concat!(
                "(with recursive ",
                walk!("walk", "json_each(asked.tips) t cross join commits c on c.id = t.value"),
                " select json_group_array(json_array(id, 1)) from (
      select id from walk where at >= (select ?9) limit (select ?12 + 1)))"
            ),
            "(d.key >= ?12)",
            ", json((select json_group_array(json_array(p.parent_id, p.parent_committed_at, p.parent_lift)) from (
      select * from parents p where p.child_id = c.id and p.position <= (select ?17) order by p.position) p))",
            $kept
        ))
    };
}

pub const AT_ONCE: &str = at_once!("");

/// The same, and of these only those that are kept by `?18`, `[part of the author, path, latest date]`, each or null: their
/// diffs have the path or something below it.
pub const KEPT: &str = at_once!(
    " and c.committed_at <= coalesce((select ?18 ->> 2), c.committed_at)
    and coalesce(instr(lower(c.author_name || ' <' || c.author_email || '>'), (select ?18 ->> 0)), 1)
    and ((select ?18 ->> 1) is null or exists (select 1
      from (select group_concat(x.text, '') as text from (select b.text from diffs b where b.commit_id = c.id order by b.part) x) y
      cross join json_each(y.text) e cross join json_each(json_array(e.value ->> 'new_path', e.value ->> 'old_path')) q
      where q.value = (select ?18 ->> 1) or substr(q.value, 1, length(?18 ->> 1) + 1) = (select ?18 ->> 1) || '/'))"
);

/// The same of committer dates up to `?10`, after `?11` others, which may be very many: of those that are passed over only
/// those come that may be met again, or waited before the page. Then what waits in the queue, but for the commit beyond the page. `$last`: how many
/// commits the walk takes off the queue for it. What the walk found goes through one grouping, where a commit is `taken` if
/// it was taken off (2: beyond the page), and waits if it is only the parent of some.
macro_rules! passing {
    ($walks:expr, $last:literal) => {
        history!(
            concat!(
                "(with recursive ",
                $walks,
                "
    select json_insert(json_group_array(json_array(id, iif(taken = 2, 2, number > (select ?11) and at <= (select ?10))))
        filter (where taken and (number > (select ?11) or at < greatest or id in (select value ->> 0 from json_each(?13)))),
      '$[#]', json_array(0, json(json_group_array(json_array(id, at, lift)) filter (where not taken))))
    from (select *, max(iif(taken, null, at + lift)) over () as greatest from (
      select id, max(taken) as taken, max(iif(taken, number, null)) as number,
        coalesce(max(iif(taken, turn, null)), min(turn)) as turn, max(at) as at, max(lift) as lift from (
        select coalesce(p.parent_id, g.id) as id, iif(p.child_id is null, 1 + (g.number > (select ?11 + ?12)), 0) as taken,
          g.number, g.turn + coalesce(p.position, -1) * 0.001 as turn, coalesce(p.parent_committed_at, g.at) as at,
          coalesce(p.parent_lift, 0) as lift
        from (select id, at, sum(at <= (select ?10)) over (rows unbounded preceding) as number,
            row_number() over (rows unbounded preceding) as turn
          from (select id, at from walk where at >= (select ?9) limit ",
                $last,
                ")) g
        cross join (select 0 as edge union all select 1) k
        left join parents p on k.edge and p.child_id = g.id and p.position <= (select ?17)
        where not k.edge or (p.child_id is not null and g.number <= (select ?11 + ?12))
      ) group by id, taken = 2
    ) order by turn))"
            ),
            "(d.value ->> 1 = 2)",
            "",
            ""
        )
    };
}

pub const TO_NOW: &str = passing!(
    walk!("walk", "json_each(asked.tips) t cross join commits c on c.id = t.value"),
    "(select ?11 + ?12 + 1)"
);

/// The same where `?10` is given: newer commits are passed over, so it is first counted how many, up to 10,000 of them. Where
/// there are more, the walk ends there, before the page is full.
pub const UNTIL: &str = passing!(
    concat!(
        walk!("walk", "json_each(asked.tips) t cross join commits c on c.id = t.value"),
        ", ",
        walk!("newer", "asked cross join json_each(asked.tips) t cross join commits c on c.id = t.value")
    ),
    "(select coalesce((select number from (select at, row_number() over () as number from (
              select at from newer where at >= (select ?9) limit (select 10000 + ?11 + ?12)))
            where at <= (select ?10) limit 1 offset (select ?11 + ?12)), 10000 + ?11 + ?12))"
);
