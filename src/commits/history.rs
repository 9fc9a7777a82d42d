//! The list of commits: git's own walk, and the cursor by which it goes on.
//!
//! git keeps a queue of commits in order of their dates, takes the newest off, shows it, and queues those of its parents
//! that were never queued before. A cursor holds that queue as it is when a page ends, so that the next page costs a page
//! at any depth and is the one that git would show, however wrong the clocks were.
//!
//! Of the commits that were shown only those need to be remembered that may be met again, as a parent of a commit that is
//! shown later. A commit's *label* is its date plus its lift, which is always greater than its parents' labels (git calls
//! it the corrected commit date), so what has a label as great as every one in the queue is an ancestor of none of them.

use super::{CommitRow, sql};
use crate::error::{Error, Result, ValidationErrors};
use crate::page::{Key, Page};
use crate::store::{Row, Rows, Statement, Value};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Beyond every date.
const EVER: i64 = 1 << 53;

/// Committer dates that are listed, both inclusive, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bounds {
    pub since: Option<i64>,
    pub until: Option<i64>,
}

impl Bounds {
    /// The parameters `since` and `until`.
    pub fn read(since: Option<&str>, until: Option<&str>) -> Result<Bounds> {
        let mut errors = ValidationErrors::default();
        let since = errors.read_time("since", since);
        let until = errors.read_time("until", until);
        errors.result()?;
        let up = |millis: i64| millis.div_euclid(1000) + i64::from(millis % 1000 != 0);
        Ok(Bounds { since: since.map(up), until: until.map(|millis| millis.div_euclid(1000)) })
    }
}

/// A commit in git's queue, or one that was shown: its id, date and lift.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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

#[derive(Debug, Clone, Default, PartialEq)]
struct Walk {
    /// git's queue in its order.
    waiting: Vec<Stop>,
    /// What was shown and may be met again.
    shown: Vec<Stop>,
}

#[derive(Debug, Default)]
pub struct Listing<'a> {
    /// None: the default branch.
    pub name: Option<&'a str>,
    pub bounds: Bounds,
    /// Those of the first thousand branches and tags, whatever the name.
    pub all: bool,
    /// Of a merge only what it was merged into.
    pub first_parent: bool,
    /// A part of the author's name and address.
    pub author: Option<&'a str>,
    /// What they change: a file or folder.
    pub path: Option<&'a str>,
    /// Not those that a range begins with, by ids.
    pub without: &'a [i64],
}

/// How many commits a page looks at where some of them are left out, and where their diffs are read for that.
const MOST_WALKED: i64 = 1000;
const MOST_DIFFS: i64 = 200;

/// The most commits that are passed over for a page without a cursor: the walk takes 15 microseconds for each.
const FARTHEST: i64 = 20_000;

impl Listing<'_> {
    pub fn query(&self, page: &Page) -> Result<Statement> {
        page.check_within(FARTHEST)?;
        let (walk, skip) = Walk::begin(page)?;
        let shown = walk.iter().flat_map(|walk| &walk.shown).map(|stop| stop.0);
        let met: String = shown.chain(self.without.iter().copied()).map(|id| format!("{id},")).collect();
        let until = self.bounds.until.unwrap_or(EVER);
        let passes_newer = self.bounds.until.is_some()
            && walk.as_ref().is_none_or(|walk| walk.waiting.iter().any(|stop| stop.label() > until));
        let looks = match self {
            Listing { path: Some(_), .. } => Some(MOST_DIFFS),
            Listing { author: Some(_), .. } => Some(MOST_WALKED),
            Listing { without: [_, ..], .. } => Some(MOST_WALKED),
            _ if passes_newer => None,
            _ => Some(skip + page.size),
        };
        let page = sql::page {
            name: self.name,
            every: self.all,
            waiting: walk.map(|walk| json!(walk.waiting).to_string()),
            met: format!(",{met}"),
            last_parent: last_parent(self.first_parent),
            since: self.bounds.since.unwrap_or(-EVER),
            until,
            author: self.author.map(str::to_lowercase),
            path: self.path,
            looks,
            skip,
            size: page.size,
        };
        Ok(page.into())
    }
}

pub fn last_parent(first_parent: bool) -> i64 {
    if first_parent { 0 } else { 1_000_000 }
}

#[derive(Row)]
struct Met {
    id: i64,
    committed_at: i64,
    lift: i64,
    /// Whether it waits in the queue behind the page.
    waits: bool,
    /// Whether it is not this project's.
    is_foreign: bool,
    /// If it is listed.
    commit: Option<CommitRow>,
}

pub struct Listed {
    pub commits: Vec<CommitRow>,
    pub has_more: bool,
    pub cursor: Option<String>,
}

impl Listed {
    pub fn read(rows: &Rows, bounds: Bounds, page: &Page) -> Result<Listed> {
        let (mut commits, mut waiting) = (Vec::new(), Vec::new());
        let mut shown = Walk::begin(page)?.0.unwrap_or_default().shown;
        for Met { id, committed_at, lift, waits, is_foreign, commit } in rows.all()? {
            if is_foreign {
                // a cursor that was not made here
                return Err(Error::invalid("cursor"));
            }
            let stops = if waits { &mut waiting } else { &mut shown };
            stops.push(Stop(id, committed_at, lift));
            commits.extend(commit);
        }
        let walk = Walk::after(waiting, shown, bounds.since.unwrap_or(-EVER));
        let has_more = !walk.waiting.is_empty();
        let cursor = if has_more { walk.next(page) } else { None };
        Ok(Listed { commits, has_more, cursor })
    }
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
#[path = "../../tests/unit/commits/history.rs"]
mod tests;
