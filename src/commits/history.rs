//! The list of commits: git's own walk, and the cursor by which it goes on.
//!
//! git keeps a queue of commits in order of their dates, takes the newest off, shows it, and queues those of its parents
//! that were never queued before. A cursor holds that queue as it is when a page ends, so that the next page costs a page
//! at any depth and is the one that git would show, however wrong the clocks were.
//!
//! Of the commits that were shown only those need to be remembered that may be met again, as a parent of a commit that is
//! shown later. A commit's *label* is its date plus its lift, which is always greater than its parents' labels (git calls
//! it the corrected commit date), so what has a label as great as every one in the queue is an ancestor of none of them.

use super::sql::{CommitRow, abbreviation};
use crate::commits::sql::history::{AT_ONCE, KEPT, TO_NOW, UNTIL};
use crate::error::{Error, Result};
use crate::page::{Key, Page};
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

/// Of which of the commits that are walked a list is. A page looks at a thousand at most,
/// and at two hundred where their diffs have to be read.
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

impl Kept {
    /// How many commits are walked for a page.
    fn walked(&self) -> i64 {
        match self.path {
            None => MOST_WALKED,
            Some(_) => MOST_DIFFS,
        }
    }
}

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
    let size = kept.map_or(page.size, |kept| kept.walked());
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
        let walk = Walk::after(queue, shown, bounds.since.unwrap_or(-EVER));
        // the walk ended among newer commits
        listed.has_more |= bounds.until.is_some() && kept.is_none() && !walk.waiting.is_empty();
        if listed.has_more {
            listed.cursor = walk.next(page);
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
        let mut waiting: Vec<Stop> =
            queue.into_iter().filter(|stop| seen.insert(stop.0) && stop.1 >= since).collect();
        // the sort is stable: of equal dates the one that came first goes first
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
