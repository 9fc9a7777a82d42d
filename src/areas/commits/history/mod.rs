//! Lists commits in git's order. git keeps a queue of commits ordered by date, takes the newest off, shows it, and
//! queues those of its parents that were never queued before. A cursor holds the queue at the end of a page, so that a
//! page costs the same at any depth and is right even if clocks were wrong.

mod walk;

pub use self::walk::{Walk, rank};

use self::walk::Stop;
use super::{CommitRow, sql};
use crate::areas::words;
use crate::kernel::paging::EVER;
use crate::kernel::store::Rows;
use crate::kernel::text::fold::pattern;
use crate::kernel::{Error, Page, Result, Row, Statement, ValidationErrors};
use serde_json::json;

/// Committer dates in seconds, inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bounds {
    pub since: Option<i64>,
    pub until: Option<i64>,
}

impl Bounds {
    /// Limits how many commits the page may skip.
    pub fn within_reach(&self, page: Page, is_of_range: bool, all: bool) -> Page {
        page.reaching(match self.until {
            _ if is_of_range => PASSED_COMPARED,
            _ if all => FARTHEST_OF_ALL,
            Some(_) => FARTHEST_UNTIL,
            None => FARTHEST,
        })
    }

    pub fn read(since: Option<&str>, until: Option<&str>) -> Result<Bounds> {
        let mut errors = ValidationErrors::default();
        let since = errors.read_time("since", since);
        let until = errors.read_time("until", until);
        errors.result()?;
        let round_up = |millis: i64| millis.div_euclid(1000) + i64::from(millis % 1000 != 0);
        Ok(Bounds { since: since.map(round_up), until: until.map(|millis| millis.div_euclid(1000)) })
    }
}

/// The range `a..b` for a walk, which starts at `waiting` and stops at `edges`.
#[derive(Debug, Default)]
pub struct Range {
    pub waiting: Vec<i64>,
    /// Those parents of the range's commits that `a` reaches.
    pub edges: Vec<i64>,
}

#[derive(Debug, Default)]
pub struct Listing<'a> {
    /// The default branch if None.
    pub name: Option<&'a str>,
    pub bounds: Bounds,
    /// Starts at all branches and tags and ignores the name.
    pub all: bool,
    pub first_parent: bool,
    /// Part of the author's `name <address>`.
    pub author: Option<&'a str>,
    /// Part of the message.
    pub message: Option<&'a str>,
    pub path: Option<&'a str>,
    /// The range, if the name is one. It is listed instead of the name.
    pub range: Option<&'a Range>,
}

/// The most branches and tags that a list of all starts at. A cursor holds the queue: 2,500 commits take 6.5 kB.
const MOST_TIPS: i64 = 2500;

/// The most commits that a page with a filter reads.
const MOST_WALKED: i64 = 1000;

/// Commits that a page without a cursor may skip: each takes 15 microseconds.
const FARTHEST: i64 = 10_000;

/// The same of all branches and tags: each takes 42 microseconds.
const FARTHEST_OF_ALL: i64 = 3000;

/// The same with `until`, for which a page walks [`PASSED`] further.
const FARTHEST_UNTIL: i64 = 8000;

/// Commits after `until` that a page reads.
const PASSED: i64 = 1900;
/// Both limits where each parent is compared with other commits: the edges of a range, or the commits of the pages
/// before.
const PASSED_COMPARED: i64 = 900;

impl Listing<'_> {
    /// The page. The first page of a list of all also has the number of tips, for [`check_tips`], and a page that is too
    /// far the length of the ref.
    pub fn queries(&self, page: &Page) -> Result<(Statement, Option<Statement>, Option<Statement>)> {
        let tips = (self.all && !page.follows()).then(|| sql::tips { most: MOST_TIPS + 1 }.into());
        let length = (!self.all && page.is_beyond()).then(|| self.length());
        Ok((self.query(page)?, tips, length))
    }

    pub fn length(&self) -> Statement {
        sql::total { name: self.name }.into()
    }

    pub fn query(&self, page: &Page) -> Result<Statement> {
        let (walk, skip) = Walk::begin(page)?;
        let shown = walk.iter().flat_map(|walk| &walk.shown).map(|(id, _)| *id);
        let met: Vec<i64> = shown.chain(self.range.iter().flat_map(|range| &range.edges).copied()).collect();
        let until = self.bounds.until.unwrap_or(EVER);
        let passes_newer = self.bounds.until.is_some() && walk.as_ref().is_none_or(|walk| walk.greatest > until);
        let looks = match self {
            Listing { path: Some(_), .. } => None,
            Listing { author: Some(_), .. } | Listing { message: Some(_), .. } => Some(MOST_WALKED),
            // the first walk would take more than the commits that the second one takes too many
            _ if passes_newer && skip > PASSED => Some(PASSED + skip + page.size),
            _ if passes_newer => None,
            _ => Some(skip + page.size),
        };
        let waiting = self.range.map(|range| &range.waiting).or(walk.as_ref().map(|walk| &walk.waiting));
        let is_filtered = self.path.or(self.author).or(self.message).is_some() || passes_newer;
        let start = match waiting.map(Vec::as_slice) {
            None => (!self.all).then_some(None),
            Some([id]) => Some(Some(*id)),
            Some(_) => None,
        };
        if let Some(start) = start
            && !is_filtered
            && skip == 0
            && met.is_empty()
        {
            return Ok(sql::plain_page {
                name: self.name,
                start,
                last_parent: last_parent(self.first_parent),
                since: self.bounds.since.unwrap_or(-EVER),
                size: page.size,
            }
            .into());
        }
        let passed = if met.is_empty() { PASSED } else { PASSED_COMPARED - skip };
        let page = sql::page {
            name: self.name,
            tips: if self.all { MOST_TIPS } else { 0 },
            waiting: waiting.map(|ids| json!(ids).to_string()),
            met: json!(met).to_string(),
            farthest: passed + skip + page.size,
            within: if passes_newer { passed + skip } else { EVER },
            last_parent: last_parent(self.first_parent),
            since: self.bounds.since.unwrap_or(-EVER),
            until,
            author: self.author.map(pattern),
            message: self.message.map(|text| json!(words::pattern(&words::lower(text))).to_string()),
            path: self.path,
            needle: self.path.map_or("", needle),
            looks,
            skip,
            size: page.size,
        };
        Ok(page.into())
    }
}

/// 400 if there are too many to list them all.
pub fn check_tips(rows: &Rows) -> Result<()> {
    match rows.first::<i64>()? {
        Some(tips) if tips > MOST_TIPS => {
            let text =
                format!("400 Bad request - More than {MOST_TIPS} branches and tags: list those of one by ref_name");
            Err(Error::message(text))
        }
        _ => Ok(()),
    }
}

/// The path, if JSON writes it without escapes. Otherwise empty.
pub fn needle(path: &str) -> &str {
    let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    if path.bytes().all(is_plain) { path } else { "" }
}

pub fn last_parent(first_parent: bool) -> i64 {
    if first_parent { 0 } else { 1_000_000 }
}

#[derive(Row)]
pub struct VisitRow {
    pub id: i64,
    committed_at: i64,
    lift: i64,
    /// Still in the queue after the page.
    pub waits: bool,
    /// None if the page does not list it.
    pub commit: Option<CommitRow>,
    /// Id, date and lift of each parent, in a row of `plain_page`. Such a page ends before a commit without a document.
    #[row(default)]
    parents: Option<Vec<i64>>,
}

pub struct CommitPage {
    pub commits: Vec<CommitRow>,
    pub has_more: bool,
    pub cursor: Option<String>,
    /// The number of commits of the ref, if it was asked for and is known.
    pub length: Option<i64>,
}

impl CommitPage {
    /// `length`: of the ref, if it was asked for. No filter makes a list longer.
    pub fn read(rows: &Rows, length: Option<&Rows>, bounds: Bounds, page: &Page) -> Result<CommitPage> {
        let length = length.map(Rows::first::<Option<i64>>).transpose()?.flatten().flatten();
        if page.is_beyond() && length.is_some_and(|length| length <= page.offset()) {
            return Ok(CommitPage { commits: Vec::new(), has_more: false, cursor: None, length });
        }
        let (mut commits, mut waiting) = (Vec::new(), Vec::new());
        let mut shown = Walk::begin(page)?.0.unwrap_or_default().shown;
        for VisitRow { id, committed_at, lift, waits, commit, parents } in rows.all()? {
            let stop = Stop(id, committed_at, lift);
            if let Some(parents) = parents {
                if commit.is_none() {
                    break;
                }
                waiting.extend(parents.as_chunks().0.iter().map(|[id, at, lift]| Stop(*id, *at, *lift)));
            }
            if waits {
                waiting.push(stop);
            } else {
                shown.push((id, stop.label()));
            }
            commits.extend(commit);
        }
        let walk = Walk::after(waiting, shown, bounds.since.unwrap_or(-EVER));
        let has_more = !walk.waiting.is_empty();
        let cursor = has_more.then(|| walk.next(page)).flatten();
        Ok(CommitPage { commits, has_more, cursor, length })
    }
}
