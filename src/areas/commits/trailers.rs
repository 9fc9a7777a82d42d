//! Trailers of a message (`Signed-off-by: ..`), read like <https://git-scm.com/docs/git-interpret-trailers>.

use crate::kernel::gather::Gather;
use serde::Serialize;
use std::collections::BTreeMap;

/// What git takes for blanks, which is less than Unicode does.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// The line that `git commit --verbose` writes above the diff.
const LINE: &str = "# ------------------------ >8 ------------------------\n";

/// A paragraph with one of these lines may also have lines that are not trailers.
const WRITTEN_BY_GIT: [&str; 2] = ["Signed-off-by: ", "(cherry picked from commit "];

#[derive(Debug, Default, Serialize, PartialEq)]
pub struct Trailers {
    pub last: BTreeMap<String, String>,
    pub all: BTreeMap<String, Vec<String>>,
}

impl Trailers {
    pub fn of(message: &str) -> Trailers {
        let mut trailers = Trailers::default();
        for (key, value) in found(message) {
            trailers.all.entry(key.to_owned()).or_default().push(value.clone());
            trailers.last.insert(key.to_owned(), value);
        }
        trailers
    }
}

fn found(message: &str) -> Vec<(&str, String)> {
    let mut trailers: Vec<(&str, String)> = Vec::new();
    let mut is_open = false;
    for line in block(message) {
        if let (true, true, Some((_, value))) = (is_open, line.starts_with(BLANKS), trailers.last_mut()) {
            value.push_str(line);
            continue;
        }
        let split = split(line);
        is_open = split.is_some();
        trailers.extend(split.map(|(key, value)| (key, value.to_owned())));
    }
    trailers.into_iter().map(|(key, value)| (key, unfolded(&value))).gather()
}

/// The key, and the value with the blanks around it.
fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches([' ', '\t']);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!key.is_empty() && key.bytes().all(plain)).then_some((key, value))
}

/// Turns each line end, with the blanks and blank lines after it, into one blank.
fn unfolded(value: &str) -> String {
    let mut lines = value.trim_matches(BLANKS).split('\n');
    let first = lines.next();
    let others = lines.map(|line| line.trim_start_matches(BLANKS)).filter(|line| !line.is_empty());
    first.into_iter().chain(others).collect::<Vec<_>>().join(" ")
}

fn is_blank(line: &str) -> bool {
    line.trim_matches(BLANKS).is_empty()
}

/// The part of a message that git reads for trailers. Left out are the text below [`LINE`], blank lines and comments at
/// the end, and the list of conflicts that older versions of git wrote there.
fn text(message: &str) -> &str {
    let begins_line = |at: &usize| message.get(..*at).is_some_and(|text| text.is_empty() || text.ends_with('\n'));
    let drawn = message.match_indices(LINE).map(|(at, _)| at).find(begins_line);
    let message = message.get(..drawn.unwrap_or(message.len())).unwrap_or_default();
    let (mut end, mut at, mut in_conflicts) = (0, 0, false);
    for line in message.split_inclusive('\n') {
        at += line.len();
        // git ends the last line
        let begins_conflicts = line.strip_suffix('\n').unwrap_or(line) == "Conflicts:";
        in_conflicts |= begins_conflicts;
        let is_passed_over =
            line.starts_with(['#', '\n']) || begins_conflicts || (in_conflicts && line.starts_with('\t'));
        if !is_passed_over {
            (end, in_conflicts) = (at, false);
        }
    }
    message.get(..end).unwrap_or_default()
}

/// The lines of the last paragraph, none if that is the title or not a block of trailers.
fn block(message: &str) -> Vec<&str> {
    let lines: Vec<&str> = text(message).split_inclusive('\n').skip_while(|line| is_blank(line)).collect();
    let title = lines.iter().position(|line| !line.starts_with('#') && is_blank(line)).unwrap_or(lines.len());
    let (mut trailers, mut others, mut continuing, mut by_git) = (0, 0, 0, false);
    let mut is_at_end = true;
    for (at, line) in lines.iter().enumerate().skip(title).rev() {
        let is_comment = line.starts_with('#');
        if is_blank(line) {
            if is_at_end {
                continue;
            }
            others += continuing;
            let is_block = trailers > 0 && (others == 0 || (by_git && trailers * 3 >= others));
            return lines.get(at + 1..).filter(|_| is_block).unwrap_or_default().to_vec();
        }
        is_at_end &= is_comment;
        let written = WRITTEN_BY_GIT.iter().any(|beginning| line.starts_with(beginning));
        by_git |= written;
        if written || split(line).is_some() {
            (trailers, continuing) = (trailers + 1, 0);
        } else if line.starts_with(BLANKS) {
            // the line continues the one before it
            continuing += 1;
        } else {
            (others, continuing) = (others + continuing + usize::from(!is_comment), 0);
        }
    }
    Vec::new()
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/commits/trailers.rs"]
mod tests;
