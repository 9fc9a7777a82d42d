//! The list of commits: git's own walk, and the cursor by which it goes on.
//!
//! git keeps a queue of commits in order of their dates, takes the newest off, shows it, and queues those of its parents
//! that were never queued before. A cursor holds that queue as it is when a page ends, so that the next page costs a page
//! at any depth and is the one that git would show, however wrong the clocks were.
//!
//! Of the commits that were shown only those need to be remembered that may be met again, as a parent of a commit that is
//! shown later. A commit's *label* is its date plus its lift, which is always greater than its parents' labels (git calls
//! it the corrected commit date), so what has a label as great as every one in the queue is an ancestor of none of them.

use super::sql::{CommitRow, abbreviation, commit_id, commit_json};
use crate::call::in_project;
use crate::error::{Error, Result};
use crate::page::{Key, Page, bounded};
use crate::store::{Row, Rows, Statement, Value, sql};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Beyond every date.
const EVER: i64 = 1 << 53;

/// Committer dates that are listed, both inclusive, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub since: Option<i64>,
    pub until: Option<i64>,
}

/// A commit in git's queue, or one that was shown: its id, date and lift.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Row)]
struct Stop(i64, i64, i64);

impl Stop {
    fn label(self) -> i64 {
        self.1.saturating_add(self.2)
    }

    /// The newest first; to git a date before 1970 is a large number, newer than all others.
    fn turn(self) -> Reverse<i64> {
        Reverse(self.1.saturating_add(if self.1 < 0 { 1 << 62 } else { 0 }))
    }
}

/// Where a walk stands.
#[derive(Debug, Clone, Default, PartialEq)]
struct Walk {
    /// git's queue in its order.
    waiting: Vec<Stop>,
    /// What was shown and may be met again.
    shown: Vec<Stop>,
}

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
/// each its id and 1 on the page, 2 after it, 0 else; and `[0, what waits]` where the parents do not tell that. `asked`: the
/// project, the commit `?7` (null: the tip of the default branch) where there is no cursor, and how many commits there are, if
/// all that a ref has are listed (`?15`; `?16`: of all refs): the hook counts them where it moves a branch. Where it did not, those of the default
/// branch are counted here, once every commit knows its branch.
///
/// Every reference to a common table expression counts the table cursors of all that it stands on again, of which a
/// statement may have 100. Hence each is referred to once, and what is found goes on as JSON.
macro_rules! history {
    ($found:expr, $parents:expr) => {
        history!($found, $parents, "")
    };
    // `$kept`: which commits are shown, others being passed
    ($found:expr, $parents:expr, $kept:expr) => {
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
    json_object('passed', json_object('stop', json_array(c.id, c.committed_at, c.lift),
    'own', c.project_id = f.project_id, 'further', d.value ->> 1 = 2",
            $parents,
            ", 'commit', case when d.value ->> 1 = 1 and c.project_id = f.project_id",
            $kept,
            " then ",
            commit_json!(),
            " end)) end as v
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
                " select json_group_array(json_array(id, iif(number > (select ?12), 2, 1))) from (
      select id, row_number() over () as number from (
        select id from walk where at >= (select ?9) limit (select ?12 + 1))))"
            ),
            ", 'parents', json((select json_group_array(json_array(p.parent_id, p.parent_committed_at, p.parent_lift)) from (
      select * from parents p where p.child_id = c.id and p.position <= (select ?17) order by p.position) p))",
            $kept
        ))
    };
}

const AT_ONCE: &str = at_once!("");

/// The same, and of these only those that are kept by `?18`, `[part of the author, path, latest date]`, each or null: their
/// diffs have the path or something below it.
const KEPT: &str = at_once!(
    " and c.committed_at <= coalesce((select ?18 ->> 2), c.committed_at)
    and coalesce(instr(lower(c.author_name || ' <' || c.author_email || '>'), (select ?18 ->> 0)), 1)
    and ((select ?18 ->> 1) is null or exists (select 1
      from (select group_concat(x.text, '') as text from (select b.text from diffs b where b.commit_id = c.id order by b.part) x) y
      cross join json_each(y.text) e cross join json_each(json_array(e.value ->> 'new_path', e.value ->> 'old_path')) q
      where q.value = (select ?18 ->> 1) or substr(q.value, 1, length(?18 ->> 1) + 1) = (select ?18 ->> 1) || '/'))"
);

/// The same of committer dates up to `?10`, after `?11` others, which may be very many: of those that are passed over only
/// those come that may be met again. Then what waits in the queue, but for the commit beyond the page. `$last`: how many
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
        filter (where taken and (number > (select ?11) or at < greatest)),
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
            ""
        )
    };
}

const TO_NOW: &str = passing!(
    walk!("walk", "json_each(asked.tips) t cross join commits c on c.id = t.value"),
    "(select ?11 + ?12 + 1)"
);

/// The same where `?10` is given: newer commits are passed over, so it is first counted how many.
const UNTIL: &str = passing!(
    concat!(
        walk!("walk", "json_each(asked.tips) t cross join commits c on c.id = t.value"),
        ", ",
        walk!("newer", "asked cross join json_each(asked.tips) t cross join commits c on c.id = t.value")
    ),
    "(select coalesce((select number from (select at, row_number() over () as number from newer where at >= (select ?9))
            where at <= (select ?10) limit 1 offset (select ?11 + ?12)), -1))"
);

/// Of which of the commits that are walked a list is: at most a thousand are looked at for a page, and two hundred where
/// their diffs have to be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept {
    /// A part of the author's name and address.
    pub author: Option<String>,
    /// What they change: a file or folder.
    pub path: Option<String>,
    /// Not those that a range begins with, by ids.
    pub without: Vec<i64>,
}

const MOST_WALKED: i64 = 1000;
const MOST_DIFFS: i64 = 200;

/// Which commits are listed.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// None: the default branch.
    pub name: Option<&'a str>,
    pub bounds: Bounds,
    /// Those of the first thousand branches and tags, whatever the name.
    pub all: bool,
    /// Of a merge only what it was merged into.
    pub first_parent: bool,
    /// Whether to tell how many there are, where that is known.
    pub counts: bool,
    /// None: all of these.
    pub kept: Option<&'a Kept>,
}

pub fn query(asked: Asked<'_>, page: &Page) -> Result<Statement> {
    let Asked { name, bounds, all, first_parent, counts, kept } = asked;
    let (walk, offset) = Walk::begin(page)?;
    let waiting = walk.as_ref().map(|walk| json!(walk.waiting).to_string());
    // `,1,2,`
    let ids = |walk: &Walk| walk.shown.iter().map(|stop| format!("{},", stop.0)).collect::<String>();
    let mut shown = walk.as_ref().map(|walk| format!(",{}", ids(walk)));
    if let Some(kept) = kept {
        let without: String = kept.without.iter().map(|id| format!("{id},")).collect();
        shown = Some(format!("{}{without}", shown.as_deref().unwrap_or(",")));
    }
    let since = bounds.since.unwrap_or(-EVER);
    // what has no newer ancestor passes nothing over
    let newer =
        |until: &i64| walk.as_ref().is_none_or(|walk| walk.waiting.iter().any(|stop| stop.label() > *until));
    let until = bounds.until.filter(newer);
    let passes = walk.is_none() && offset > 0;
    let text = match (passes, until) {
        _ if kept.is_some() => KEPT,
        (_, Some(_)) => UNTIL,
        (true, None) => TO_NOW,
        (false, None) => AT_ONCE,
    };
    let size = match kept {
        None => page.size,
        Some(Kept { path: None, .. }) => MOST_WALKED,
        Some(_) => MOST_DIFFS,
    };
    let mut statement = sql!(
        text,
        name,
        name.and_then(abbreviation),
        since,
        until.unwrap_or(EVER),
        offset,
        size,
        waiting,
        shown,
        counts && bounds.since.is_none() && bounds.until.is_none(),
        all,
        if first_parent { 0 } else { EVER }
    );
    if let Some(kept) = kept {
        let author = kept.author.as_deref().map(str::to_lowercase);
        statement.binds.push(json!([author, kept.path, bounds.until]).to_string().into());
    }
    Ok(statement)
}

#[derive(Row)]
enum Part {
    Passed(Box<Passed>),
    Waiting(Vec<Stop>),
    Total(Option<i64>),
}

/// A commit that the walk took off the queue.
#[derive(Row)]
struct Passed {
    stop: Stop,
    /// Whether it is this project's.
    own: bool,
    /// Whether it comes after the page.
    further: bool,
    /// If it is listed.
    commit: Option<CommitRow>,
    /// Its parents, where they tell what waits in the queue.
    #[row(default)]
    parents: Vec<Stop>,
}

/// A page of commits.
pub struct Listed {
    pub commits: Vec<CommitRow>,
    pub has_more: bool,
    /// How many there are on all pages, where that is known.
    pub total: Option<i64>,
    /// The cursor of the next page.
    pub cursor: Option<String>,
}

impl Listed {
    pub fn from(
        rows: &Rows,
        bounds: Bounds,
        kept: Option<&Kept>,
        page: &Page,
        is_cut: bool,
    ) -> Result<Listed> {
        let mut listed = Listed { commits: Vec::new(), has_more: is_cut, total: None, cursor: None };
        let (before, mut passed_over) = Walk::begin(page)?;
        let Walk { waiting: mut queue, mut shown } = before.unwrap_or_default();
        let is_without = |stop: &Stop| kept.is_some_and(|kept: &Kept| kept.without.contains(&stop.0));
        for part in rows.all()? {
            let is_full = kept.is_some() && listed.commits.len() as i64 == page.size;
            match part {
                Part::Passed(passed) if is_without(&passed.stop) => {}
                // the next page begins behind the last that is shown
                Part::Passed(passed) if is_full => {
                    listed.has_more |= passed.further || passed.commit.is_some();
                }
                // a cursor that was not made here
                Part::Passed(passed) if !passed.own => return Err(Error::invalid("cursor")),
                Part::Passed(passed) if passed.further => listed.has_more = true,
                Part::Passed(passed) => {
                    shown.push(passed.stop);
                    queue.extend(passed.parents.into_iter().filter(|stop| !is_without(stop)));
                    if kept.is_some() && passed.commit.is_some() && passed_over > 0 {
                        passed_over -= 1;
                    } else {
                        listed.commits.extend(passed.commit);
                    }
                }
                Part::Waiting(stops) => queue.extend(stops),
                Part::Total(total) => listed.total = total,
            }
        }
        if listed.has_more {
            listed.cursor = Walk::after(queue, shown, bounds.since.unwrap_or(-EVER)).next(page);
        }
        Ok(listed)
    }
}

/// The commits that a walk took off the queue, by ids.
pub fn walked(rows: &Rows) -> Result<Vec<i64>> {
    let stop = |part| if let Part::Passed(passed) = part { Some(passed.stop.0) } else { None };
    Ok(rows.all()?.into_iter().filter_map(stop).collect())
}

/// The walk of what a range leaves out: of none of its commits more is told than where it stands.
pub fn left_out(name: Option<&str>) -> Result<Statement> {
    let bounds = Bounds { since: None, until: Some(-EVER) };
    let kept = Kept::default();
    let asked = Asked { name, bounds, all: false, first_parent: false, counts: false, kept: Some(&kept) };
    query(asked, &Page::first())
}

impl Walk {
    /// The walk that a page goes on with, none for one that is found by its number, and how many commits to pass over.
    fn begin(page: &Page) -> Result<(Option<Walk>, i64)> {
        match page.begin([Key::from("")]) {
            ([Value::Text(word)], offset) if !word.is_empty() => {
                let walk = Walk::read(&word).ok_or_else(|| Error::invalid("cursor"))?;
                Ok((Some(walk), offset))
            }
            (_, offset) => Ok((None, offset)),
        }
    }

    /// The walk after a page: `queue` in the order in which its commits came in, with some of those that were `shown`.
    fn after(queue: Vec<Stop>, shown: Vec<Stop>, since: i64) -> Walk {
        let mut seen: HashSet<i64> = shown.iter().map(|stop| stop.0).collect();
        let mut waiting: Vec<Stop> = queue.into_iter().filter(|stop| seen.insert(stop.0)).collect();
        waiting.retain(|stop| stop.1 >= since);
        // of equal dates the one that came first goes first
        waiting.sort_by_key(|stop| stop.turn());
        let greatest = waiting.iter().map(|stop| stop.label()).max().unwrap_or(i64::MIN);
        let shown = shown.into_iter().filter(|stop| stop.label() < greatest).collect();
        Walk { waiting, shown }
    }

    /// None: it is too long for a cursor.
    fn next(&self, page: &Page) -> Option<String> {
        let mut bytes = Vec::new();
        write(&mut bytes, self.waiting.len() as i64);
        let mut last = Stop(0, 0, 0);
        for stop in self.waiting.iter().chain(&self.shown) {
            write(&mut bytes, stop.0 - last.0);
            write(&mut bytes, stop.1 - last.1);
            write(&mut bytes, stop.2);
            last = *stop;
        }
        page.next([BASE64_URL_SAFE_NO_PAD.encode(bytes).as_str().into()])
    }

    fn read(word: &str) -> Option<Walk> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(word).ok()?;
        let mut bytes = bytes.as_slice();
        let waiting = usize::try_from(read(&mut bytes)?).ok()?;
        let (mut stops, mut last) = (Vec::new(), Stop(0, 0, 0));
        while !bytes.is_empty() {
            let stop = Stop(
                last.0.checked_add(read(&mut bytes)?)?,
                last.1.checked_add(read(&mut bytes)?)?,
                read(&mut bytes)?,
            );
            if [stop.0, stop.1, stop.2].iter().any(|number| !(-EVER..=EVER).contains(number)) {
                return None;
            }
            stops.push(stop);
            last = stop;
        }
        let shown = (waiting <= stops.len()).then(|| stops.split_off(waiting))?;
        Some(Walk { waiting: stops, shown })
    }
}

/// A number in as few bytes as it needs: seven bits in each, the sign in the lowest, the eighth bit says that more follow.
fn write(bytes: &mut Vec<u8>, number: i64) {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    loop {
        let low = (rest & 0x7f) as u8;
        rest >>= 7;
        if rest == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}

fn read(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some((number >> 1) as i64 ^ -((number & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_written_and_read() {
        let walk = Walk {
            waiting: vec![Stop(7, 1_700_000_000, 0), Stop(1 << 52, -5, 3), Stop(1, 1 << 40, 0)],
            shown: vec![Stop(9, 1_600_000_000, 1)],
        };
        let page = Page::from(&crate::http::Request::default(), &crate::params::Params::default()).unwrap();
        assert!(walk.next(&page).is_some());
        let mut bytes = Vec::new();
        for number in [0, -1, 1, 63, 64, -64, -65, EVER, -EVER] {
            write(&mut bytes, number);
        }
        let mut rest = bytes.as_slice();
        let numbers: Vec<i64> = std::iter::from_fn(|| read(&mut rest)).collect();
        assert_eq!(numbers, [0, -1, 1, 63, 64, -64, -65, EVER, -EVER]);
        for junk in ["!", "gICA", "_____________", "BAI"] {
            assert_eq!(Walk::read(junk), None, "{junk}");
        }
    }

    #[test]
    fn of_what_was_shown_only_possible_ancestors_are_kept() {
        let queue = vec![Stop(1, 50, 0), Stop(2, 40, 0), Stop(3, 50, 0), Stop(9, 100, 0), Stop(4, 10, 60)];
        let walk = Walk::after(queue, vec![Stop(9, 100, 0), Stop(8, 70, 0), Stop(7, 69, 0)], 0);
        assert_eq!(walk.waiting, [Stop(1, 50, 0), Stop(3, 50, 0), Stop(2, 40, 0), Stop(4, 10, 60)]);
        assert_eq!(walk.shown, [Stop(7, 69, 0)]);
    }
}
