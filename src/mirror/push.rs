//! Commits as the hook sends them, and what they must satisfy.

use crate::error::{Error, Result};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

#[derive(Debug, Deserialize)]
pub struct Commit {
    pub id: String,
    pub parents: Vec<String>,
    pub author_name: String,
    pub author_email: String,
    /// Seconds since 1970.
    pub authored_at: i64,
    /// Minutes east of UTC, sent as `+0545`.
    #[serde(deserialize_with = "zone")]
    pub author_zone: i64,
    pub committer_name: String,
    pub committer_email: String,
    pub committed_at: i64,
    #[serde(deserialize_with = "zone")]
    pub committer_zone: i64,
    pub message: String,
    pub additions: i64,
    pub deletions: i64,
    /// The finished JSON text of the commit's diff.
    pub diff: String,
}

/// A changed file in a diff: the text is answered as it came, so it must be what answers show.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Entry<'a> {
    #[serde(borrow)]
    diff: Cow<'a, str>,
    #[serde(borrow)]
    old_path: Cow<'a, str>,
    #[serde(borrow)]
    new_path: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    a_mode: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    b_mode: Option<Cow<'a, str>>,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
}

fn zone<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<i64, D::Error> {
    let text = String::deserialize(from)?;
    zone_minutes(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no time zone")))
}

/// `+0545` as 345.
fn zone_minutes(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().split_first()? {
        (b'+', _) => (1, text.strip_prefix('+')?),
        (b'-', _) => (-1, text.strip_prefix('-')?),
        _ => return None,
    };
    let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4 && !digits.starts_with(['+', '-']))?;
    let minutes = number / 100 * 60 + number % 100;
    // what no clock shows counts as UTC
    Some(if minutes < 24 * 60 { sign * minutes } else { 0 })
}

/// 40 lower-case hexadecimal digits.
pub fn is_sha(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

const MOST_COMMITS: usize = 1000;
/// Bytes of a message, and of a diff: what fits D1's binds, and contract B 4.3.3 with room for escapes.
const MOST_TEXT: usize = 1 << 20;
const MOST_DIFF: usize = 8 << 20;
const MOST_NAME: usize = 4096;
/// Years that four digits show.
const TIMES: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// The parents that the batch itself does not bring, after every commit was judged by itself.
pub fn outside_parents(commits: &[Commit]) -> Result<Vec<&str>> {
    if commits.len() > MOST_COMMITS {
        return Err(Error::message(format!("more than {MOST_COMMITS} commits at once")));
    }
    let mut brought = HashSet::new();
    let mut outside = BTreeSet::new();
    for (index, commit) in commits.iter().enumerate() {
        commit.check().map_err(|reason| refusal(index, commit, reason))?;
        outside.extend(commit.parents.iter().map(String::as_str).filter(|parent| !brought.contains(parent)));
        brought.insert(commit.id.as_str());
    }
    Ok(outside.into_iter().collect())
}

/// The first parent that is neither there nor came before its child in this batch: what the refusal says.
pub fn orphan(commits: &[Commit], known: &[String]) -> Option<Error> {
    let mut there: HashSet<&str> = known.iter().map(String::as_str).collect();
    commits.iter().enumerate().find_map(|(index, commit)| {
        let unknown = commit.parents.iter().find(|parent| !there.contains(parent.as_str()));
        there.insert(&commit.id);
        unknown.map(|parent| refusal(index, commit, &format!("parent {parent} is not known")))
    })
}

fn refusal(index: usize, commit: &Commit, reason: &str) -> Error {
    let id: String = commit.id.chars().take(40).collect();
    Error::message(format!("commit {index} ({id}): {reason}"))
}

impl Commit {
    fn check(&self) -> std::result::Result<(), &'static str> {
        let names = [&self.author_name, &self.author_email, &self.committer_name, &self.committer_email];
        match () {
            () if !is_sha(&self.id) => Err("not a commit's hash"),
            () if !self.parents.iter().all(|parent| is_sha(parent)) => Err("a parent is not a commit's hash"),
            () if self.parents.contains(&self.id) => Err("it is its own parent"),
            () if self.parents.len() > 1000 => Err("more than 1000 parents"),
            () if names.iter().any(|name| name.len() > MOST_NAME) => Err("a name is too long"),
            () if self.message.len() > MOST_TEXT => Err("the message is too long"),
            () if names.iter().any(|name| name.contains('\0')) || self.message.contains('\0') => {
                Err("a text holds a NUL")
            }
            () if !TIMES.contains(&self.authored_at) || !TIMES.contains(&self.committed_at) => {
                Err("a time is out of range")
            }
            () if self.additions < 0 || self.deletions < 0 => Err("a count is negative"),
            () if self.additions.max(self.deletions) > 1 << 40 => Err("a count is too large"),
            () if self.diff.len() > MOST_DIFF => Err("the diff is too long"),
            () if serde_json::from_str::<Vec<Entry<'_>>>(&self.diff).is_err() => {
                Err("the diff is no JSON array of changed files")
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_signed_hours_and_minutes() {
        assert_eq!(zone_minutes("+0545"), Some(345));
        assert_eq!(zone_minutes("-0330"), Some(-210));
        assert_eq!(zone_minutes("+9959"), Some(0));
        for bad in ["0545", "+545", "+05:45", "", "+-545"] {
            assert_eq!(zone_minutes(bad), None, "{bad}");
        }
    }
}
