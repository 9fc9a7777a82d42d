//! The state of a walk after a page, as a cursor holds it: the queue, and those shown commits that may be ancestors of
//! queued ones. A commit's *label*, its date plus its lift, is greater than its parents' labels (git calls it the
//! corrected commit date). So a shown commit whose label is not below the greatest label of the queue is no ancestor of
//! a queued commit, and the cursor leaves it out.

use crate::kernel::paging::{EVER, Key};
use crate::kernel::{Error, Page, Result};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use std::cmp::Reverse;
use std::collections::HashSet;

/// The id, date and lift of a commit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stop(pub i64, pub i64, pub i64);

impl Stop {
    pub(super) fn label(self) -> i64 {
        self.1.saturating_add(self.2)
    }

    /// Newest first.
    fn turn(self) -> Reverse<i64> {
        Reverse(rank(self.1))
    }
}

/// Greater for a newer date. git reads a date before 1970 as a large number, newer than all others.
pub fn rank(seconds: i64) -> i64 {
    seconds.saturating_add(if seconds < 0 { 1 << 62 } else { 0 })
}

/// The state that a cursor holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walk {
    /// Ids in the order of the queue.
    pub waiting: Vec<i64>,
    /// The greatest label of the queue.
    pub(super) greatest: i64,
    /// Ids and labels of the shown commits that may be ancestors of the queue.
    pub(super) shown: Vec<(i64, i64)>,
}

impl Walk {
    /// The walk in the cursor, None without a cursor, and how many commits to skip.
    pub fn begin(page: &Page) -> Result<(Option<Walk>, i64)> {
        let (keys, offset) = page.starts(vec!["".into()]);
        let word = keys.iter().find_map(|key| if let Key::Text(word) = key { Some(word) } else { None });
        let walk = word.filter(|word| !word.is_empty()).map(|word| Walk::read(word));
        Ok((walk.map(|walk| walk.ok_or_else(|| Error::invalid("cursor"))).transpose()?, offset))
    }

    /// The walk after a page. `queue` is in order of arrival.
    pub(super) fn after(queue: Vec<Stop>, shown: Vec<(i64, i64)>, since: i64) -> Walk {
        let mut seen: HashSet<i64> = shown.iter().map(|(id, _)| *id).collect();
        let mut waiting: Vec<Stop> = queue.into_iter().filter(|stop| seen.insert(stop.0) && stop.1 >= since).collect();
        // stable: equal dates keep the order of arrival
        waiting.sort_by_key(|stop| stop.turn());
        let greatest = waiting.iter().map(|stop| stop.label()).max().unwrap_or(-EVER);
        let shown = shown.into_iter().filter(|(_, label)| *label < greatest).collect();
        Walk { waiting: waiting.into_iter().map(|stop| stop.0).collect(), greatest, shown }
    }

    /// The cursor. None if it would be too long.
    pub(super) fn next(&self, page: &Page) -> Option<String> {
        let mut bytes = Vec::new();
        write(&mut bytes, self.greatest);
        write(&mut bytes, self.waiting.len() as i64);
        let (mut last, mut last_label) = (0, self.greatest);
        for id in &self.waiting {
            write(&mut bytes, id - last);
            last = *id;
        }
        for (id, label) in &self.shown {
            write(&mut bytes, id - last);
            write(&mut bytes, label - last_label);
            (last, last_label) = (*id, *label);
        }
        page.next(&[BASE64_URL_SAFE_NO_PAD.encode(bytes).as_str().into()])
    }

    fn read(word: &str) -> Option<Walk> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(word).ok()?;
        let mut bytes = bytes.as_slice();
        let greatest = read(&mut bytes).filter(is_exact)?;
        let count = read(&mut bytes)?;
        let (mut last, mut last_label) = (0, greatest);
        let mut waiting = Vec::new();
        for _ in 0..count {
            last = read_after(&mut bytes, last)?;
            waiting.push(last);
        }
        let mut shown = Vec::new();
        while !bytes.is_empty() {
            (last, last_label) = (read_after(&mut bytes, last)?, read_after(&mut bytes, last_label)?);
            shown.push((last, last_label));
        }
        Some(Walk { waiting, greatest, shown })
    }
}

fn is_exact(number: &i64) -> bool {
    (-EVER..=EVER).contains(number)
}

fn read_after(bytes: &mut &[u8], last: i64) -> Option<i64> {
    last.checked_add(read(bytes)?).filter(is_exact)
}

/// Writes seven bits a byte, low bits first. The eighth bit marks that more bytes follow. The lowest bit is the sign.
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
#[path = "../../../../tests/unit/areas/commits/history.rs"]
mod tests;
