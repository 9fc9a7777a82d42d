//! Finds the references in a text in Markdown: `#1` is an issue, `@name` a person, a hash a commit, and `a...b` of two
//! hashes a comparison.

use super::reader::shown;
use crate::kernel::gather::Gather;
use crate::kernel::policy;
use crate::kernel::{Action, PreparedQuery, Query, Row};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::from_fn;
use std::ops::Range;

edgeforge_row::statements!(mod sql: "src/areas/markdown/markdown.sql");

/// Marks the next character as escaped by a backslash. Markdown has no NUL.
pub const ESCAPED: char = '\0';

/// The most references of each kind that are looked up for one text.
const MOST: usize = 1000;

#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    Issue(i64),
    /// The name in lower case.
    Person(String),
    /// The hash, or the beginning of one, in lower case.
    Commit(String),
    /// Two such hashes, and the dots between them.
    Comparison(String, &'static str, String),
}

/// The references of a text, which may not exist.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    pub iids: BTreeSet<i64>,
    pub names: BTreeSet<String>,
    pub hashes: BTreeSet<String>,
}

impl Candidates {
    /// Those that there are.
    pub fn query(&self) -> PreparedQuery<TargetRow> {
        let (member, anyone) = policy::readers_of_commits();
        let Candidates { iids, names, hashes } = self;
        sql::targets {
            iids: json!(iids).to_string(),
            names: json!(names).to_string(),
            hashes: json!(hashes).to_string(),
            member,
            anyone,
            scopes: policy::scopes(Action::ReadCommits, true),
        }
        .prepare()
    }
}

/// The references of a text that exist and that the caller sees.
#[derive(Debug, Row)]
pub struct TargetRow {
    iids: Vec<i64>,
    names: Vec<String>,
    /// The hash in the text, and the whole hash.
    hashes: Vec<(String, String)>,
}

/// Where the references of a text lead.
#[derive(Debug)]
pub struct Targets {
    base: String,
    full_path: String,
    iids: BTreeSet<i64>,
    names: BTreeSet<String>,
    hashes: BTreeMap<String, String>,
}

impl Targets {
    pub fn new(TargetRow { iids, names, hashes }: TargetRow, base: &str, full_path: &str) -> Targets {
        Targets {
            base: base.to_owned(),
            full_path: full_path.to_owned(),
            iids: iids.into_iter().gather(),
            names: names.into_iter().gather(),
            hashes: hashes.into_iter().gather(),
        }
    }

    pub fn address(&self, reference: &Reference) -> Option<String> {
        let Targets { base, full_path, iids, names, hashes } = self;
        match reference {
            Reference::Issue(iid) => iids.contains(iid).then(|| format!("{base}/{full_path}/-/issues/{iid}")),
            Reference::Person(name) => names.contains(name).then(|| format!("{base}/{name}")),
            Reference::Commit(hash) => hashes.get(hash).map(|sha| format!("{base}/{full_path}/-/commit/{sha}")),
            Reference::Comparison(from, dots, until) => {
                let [from, until] = [hashes.get(from)?, hashes.get(until)?];
                Some(format!("{base}/{full_path}/-/compare/{from}{dots}{until}"))
            }
        }
    }
}

/// The references in the parts of a text that are shown as plain text.
pub fn shown_in(text: &str) -> impl Iterator<Item = Reference> + '_ {
    shown(text).flat_map(|piece| {
        let text = if piece.is_escaped { format!("{ESCAPED}{}", piece.text) } else { piece.text };
        references(&text).map(|(found, _)| found).collect::<Vec<_>>()
    })
}

pub fn candidates(text: &str) -> Candidates {
    let Candidates { mut iids, mut names, mut hashes } = Candidates::default();
    for found in shown_in(text) {
        match found {
            Reference::Issue(iid) if iids.len() < MOST => drop(iids.insert(iid)),
            Reference::Person(name) if names.len() < MOST => drop(names.insert(name)),
            Reference::Commit(hash) if hashes.len() < MOST => drop(hashes.insert(hash)),
            Reference::Comparison(from, _, until) if hashes.len() < MOST - 1 => hashes.extend([from, until]),
            _ => {}
        }
    }
    Candidates { iids, names, hashes }
}

/// The references of a text without markup, and where they are.
pub fn references(text: &str) -> impl Iterator<Item = (Reference, Range<usize>)> + '_ {
    let mut end = 0;
    from_fn(move || {
        let (found, range) = first(text, end)?;
        end = range.end;
        Some((found, range))
    })
}

fn first(text: &str, from: usize) -> Option<(Reference, Range<usize>)> {
    let mut last = text.get(..from)?.chars().next_back();
    text.get(from..)?.char_indices().find_map(|(at, letter)| {
        let previous = last.replace(letter);
        let start = from + at;
        let rest = text.get(start..)?;
        let (found, length) = match letter {
            '@' if !previous.is_some_and(ends_name) => person(rest.get(1..)?),
            _ if previous.is_some_and(ends_word) => None,
            '#' => issue(rest.get(1..)?),
            _ if letter.is_ascii_hexdigit() && !previous.is_some_and(|mark| "#@".contains(mark)) => {
                comparison(rest).or_else(|| commit(rest))
            }
            _ => None,
        }?;
        Some((found, start..start + length))
    })
}

fn ends_word(letter: char) -> bool {
    letter.is_alphanumeric() || ['_', '/', '&', ESCAPED].contains(&letter)
}

/// Whether an `@` after this letter is not a mention, but within an address.
fn ends_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || ['_', '/', ESCAPED].contains(&letter)
}

fn issue(after: &str) -> Option<(Reference, usize)> {
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    let is_whole = is_whole(after.get(length..)?);
    let number = after.get(..length).filter(|digits| is_whole && digits.len() <= 15)?.parse().ok()?;
    Some((Reference::Issue(number), 1 + length))
}

fn person(after: &str) -> Option<(Reference, usize)> {
    let name = mentioned(after)?;
    Some((Reference::Person(name.to_ascii_lowercase()), 1 + name.len()))
}

/// Letters of a hash.
const SHORTEST: usize = 7;
const LONGEST: usize = 64;

fn commit(text: &str) -> Option<(Reference, usize)> {
    let length = text.bytes().take(LONGEST + 1).take_while(u8::is_ascii_hexdigit).count();
    let hash = text.get(..length).filter(|_| (SHORTEST..=LONGEST).contains(&length))?;
    is_whole(text.get(length..)?).then(|| (Reference::Commit(hash.to_ascii_lowercase()), length))
}

fn comparison(text: &str) -> Option<(Reference, usize)> {
    let (Reference::Commit(from), length) = commit(text)? else { return None };
    let after = text.get(length..)?;
    let dots = ["...", ".."].into_iter().find(|dots| after.starts_with(dots))?;
    let (Reference::Commit(until), more) = commit(after.get(dots.len()..)?)? else { return None };
    Some((Reference::Comparison(from, dots, until), length + dots.len() + more))
}

/// Whether a reference may end before this text.
fn is_whole(after: &str) -> bool {
    after.chars().next().is_none_or(|letter| !ends_word(letter) || "/&".contains(letter))
}

/// The username at the beginning of a text that follows an `@`. Not by a regular expression, which took 560 ms for 890
/// kB of mentions.
fn mentioned(after: &str) -> Option<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let length = after.bytes().take_while(|byte| is_word(*byte) || b".-".contains(byte)).count();
    let name = after.get(..length)?.trim_end_matches('.');
    name.bytes().next().filter(|byte| is_word(*byte)).map(|_| name)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/markdown/references.rs"]
mod tests;
