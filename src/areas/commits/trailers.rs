//! Trailers of a message (`Signed-off-by: ..`), read like <https://git-scm.com/docs/git-interpret-trailers>.

use serde::Serialize;
use std::collections::BTreeMap;

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
            trailers.all.entry(key.clone()).or_default().push(value.clone());
            trailers.last.insert(key, value);
        }
        trailers
    }
}

fn found(message: &str) -> Vec<(String, String)> {
    let mut trailers: Vec<(String, String)> = Vec::new();
    let mut after_trailer = false;
    for line in trailer_lines(message) {
        if line.starts_with([' ', '\t']) {
            if let (true, Some((_, value))) = (after_trailer, trailers.last_mut()) {
                value.push(' ');
                value.push_str(line.trim());
            }
            continue;
        }
        let split = split(line);
        after_trailer = split.is_some();
        trailers.extend(split.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
    trailers
}

fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches([' ', '\t']);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!key.is_empty() && key.bytes().all(plain)).then(|| (key, value.trim()))
}

/// Where the lines end that belong to the message: git passes over blank lines and comments at its end, and over the
/// conflicts that it once listed there.
fn end_of_text(lines: &[&str]) -> usize {
    let (mut end, mut in_conflicts) = (0, false);
    for (index, line) in lines.iter().enumerate() {
        let begins_conflicts = *line == "Conflicts:";
        in_conflicts |= begins_conflicts;
        let is_passed_over = line.trim().is_empty()
            || line.starts_with('#')
            || begins_conflicts
            || (in_conflicts && line.starts_with('\t'));
        if !is_passed_over {
            (end, in_conflicts) = (index + 1, false);
        }
    }
    end
}

/// The last paragraph, empty if that is the title or not a block of trailers.
fn trailer_lines(message: &str) -> Vec<&str> {
    let lines: Vec<&str> = message.lines().collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    let text = lines.get(..end_of_text(&lines)).unwrap_or_default();
    let Some(before) = text.iter().rposition(is_blank) else { return Vec::new() };
    let block = text.get(before + 1..).unwrap_or_default();
    if text.iter().take(before).all(is_blank) {
        return Vec::new();
    }
    let (mut trailers, mut others, mut by_git) = (0, 0, false);
    let mut is_other = true;
    for line in block {
        if line.starts_with([' ', '\t']) {
            // a continued line is text if the line before is text
            others += usize::from(is_other);
            continue;
        }
        let written = WRITTEN_BY_GIT.iter().any(|beginning| line.starts_with(beginning));
        by_git |= written;
        is_other = !written && split(line).is_none();
        trailers += usize::from(!is_other);
        others += usize::from(is_other);
    }
    let is_block = trailers > 0 && (others == 0 || (by_git && trailers * 3 >= others));
    if is_block { block.to_vec() } else { Vec::new() }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/commits/trailers.rs"]
mod tests;
