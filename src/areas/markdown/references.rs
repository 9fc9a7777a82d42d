//! What a text in Markdown refers to: `#1` is an issue, `@name` a person.

use super::reader::shown;
use crate::kernel::store::Row;
use std::collections::BTreeSet;

/// Stands before a mark that a backslash has made a letter. Markdown has no such character.
pub const ESCAPED: char = '\0';

/// References of each kind that are looked up for one text.
const MOST: usize = 1000;

#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    Issue(i64),
    /// The name in lower case.
    Person(String),
}

/// Those of a text that there are, as the caller sees them.
#[derive(Debug, Row)]
pub struct TargetRow {
    iids: Vec<i64>,
    names: Vec<String>,
}

/// Where the references of a text lead.
#[derive(Debug)]
pub struct Targets {
    base: String,
    full_path: String,
    iids: BTreeSet<i64>,
    names: BTreeSet<String>,
}

impl Targets {
    pub fn new(TargetRow { iids, names }: TargetRow, base: &str, full_path: &str) -> Targets {
        Targets {
            base: base.to_owned(),
            full_path: full_path.to_owned(),
            iids: iids.into_iter().collect(),
            names: names.into_iter().collect(),
        }
    }

    pub fn address(&self, reference: &Reference) -> Option<String> {
        let Targets { base, full_path, iids, names } = self;
        match reference {
            Reference::Issue(iid) => iids.contains(iid).then(|| format!("{base}/{full_path}/-/issues/{iid}")),
            Reference::Person(name) => names.contains(name).then(|| format!("{base}/{name}")),
        }
    }
}

/// The numbers and names that a text may refer to.
pub fn candidates(text: &str) -> (BTreeSet<i64>, BTreeSet<String>) {
    let (mut iids, mut names) = (BTreeSet::new(), BTreeSet::new());
    for piece in shown(text) {
        let text = if piece.is_escaped { format!("{ESCAPED}{}", piece.text) } else { piece.text };
        let mut rest = text.as_str();
        while let Some((found, [_, _, after])) = split(rest) {
            match found {
                Reference::Issue(iid) if iids.len() < MOST => drop(iids.insert(iid)),
                Reference::Person(name) if names.len() < MOST => drop(names.insert(name)),
                _ => {}
            }
            rest = after;
        }
    }
    (iids, names)
}

/// The first reference of the text, and what is before it, its own text, and the rest.
pub fn split(text: &str) -> Option<(Reference, [&str; 3])> {
    text.match_indices(['#', '@']).find_map(|(at, mark)| {
        let (before, rest) = text.split_at_checked(at)?;
        if before.chars().next_back().is_some_and(ends_word) {
            return None;
        }
        let after = rest.get(1..)?;
        let (found, length) = if mark == "#" { issue(after) } else { person(after) }?;
        let (own, rest) = rest.split_at_checked(1 + length)?;
        Some((found, [before, own, rest]))
    })
}

fn ends_word(letter: char) -> bool {
    letter.is_alphanumeric() || ['_', '/', '&', ESCAPED].contains(&letter)
}

fn issue(after: &str) -> Option<(Reference, usize)> {
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    let is_whole =
        after.get(length..)?.chars().next().is_none_or(|letter| !ends_word(letter) || letter == '/');
    let number = after.get(..length).filter(|digits| is_whole && digits.len() <= 15)?.parse().ok()?;
    Some((Reference::Issue(number), length))
}

fn person(after: &str) -> Option<(Reference, usize)> {
    let name = mentioned(after)?;
    Some((Reference::Person(name.to_ascii_lowercase()), name.len()))
}

/// The username at the beginning of a text that follows an `@`. By hand: a regular expression took 560 ms for 890 kB of
/// mentions.
pub fn mentioned(after: &str) -> Option<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let length = after.bytes().take_while(|byte| is_word(*byte) || b".-".contains(byte)).count();
    let name = after.get(..length)?.trim_end_matches('.');
    name.bytes().next().filter(|byte| is_word(*byte)).map(|_| name)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/markdown/references.rs"]
mod tests;
