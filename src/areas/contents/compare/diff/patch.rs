//! The patch of one file, as `git diff` prints it from its `---` line on.

use super::lines::Lines;
use super::sliding::slide;
use edgeforge_wire::text::lossy;
use std::ops::Range;

/// The most bytes of a patch. A longer patch is left out.
pub const LONGEST: usize = 200 << 10;

/// Lines around a change.
const CONTEXT: usize = 3;

/// Bytes in which git looks for a NUL.
const LOOKED: usize = 8000;

/// Bytes of the line of a function after `@@`.
const LONGEST_HEADING: usize = 80;

/// A side of a change: the path, and the bytes. None if the file does not exist there.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub path: &'a [u8],
    pub bytes: Option<&'a [u8]>,
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(LOOKED).any(|byte| *byte == 0)
}

/// None if the patch is too long, or takes more steps than are left.
pub fn patch(old: Side<'_>, new: Side<'_>, steps: &mut u64) -> Option<String> {
    if old.path.len() + new.path.len() > LONGEST {
        return None;
    }
    let (before, after) = (old.bytes.unwrap_or_default(), new.bytes.unwrap_or_default());
    if before == after {
        return Some(String::new());
    }
    let (from, to) = (name(old, b"a/"), name(new, b"b/"));
    if is_binary(before) || is_binary(after) {
        return Some(format!("Binary files {from} and {to} differ\n"));
    }
    let tab = |side: Side<'_>| if side.bytes.is_some() && side.path.contains(&b' ') { "\t" } else { "" };
    let mut text = format!("--- {from}{}\n+++ {to}{}\n", tab(old), tab(new)).into_bytes();
    let lines = Lines::of(before, after);
    let gaps = slide(&lines, lines.changed(steps)?, steps);
    if *steps == 0 {
        return None;
    }
    let hunks = hunks(&gaps);
    let mut printer = Printer { lines: &lines, read: 0, heading: None };
    for group in groups(&hunks) {
        printer.write(&mut text, group);
        if text.len() > LONGEST {
            return None;
        }
    }
    Some(lossy(&text)).filter(|text| text.len() <= LONGEST)
}

/// Quotes a path as git does.
fn name(side: Side<'_>, prefix: &[u8]) -> String {
    if side.bytes.is_none() {
        return "/dev/null".to_owned();
    }
    let path = [prefix, side.path].concat();
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte) && !matches!(byte, b'"' | b'\\');
    if path.iter().all(is_plain) {
        return lossy(&path);
    }
    let quoted = |byte: &u8| match byte {
        7 => "\\a".to_owned(),
        8 => "\\b".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\n' => "\\n".to_owned(),
        11 => "\\v".to_owned(),
        12 => "\\f".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        byte if is_plain(byte) => char::from(*byte).to_string(),
        byte => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", path.iter().map(quoted).collect::<String>())
}

/// Lines of the old file, and those of the new one in their place.
struct Hunk {
    before: Range<usize>,
    after: Range<usize>,
}

/// `removed`, `added`: how many lines differ in each gap between two lines that stay.
fn hunks([removed, added]: &[Vec<usize>; 2]) -> Vec<Hunk> {
    let (mut old, mut new) = (0, 0);
    let hunk = |(removed, added): (&usize, &usize)| {
        let hunk = Hunk { before: old..old + removed, after: new..new + added };
        (old, new) = (hunk.before.end + 1, hunk.after.end + 1);
        (removed + added > 0).then_some(hunk)
    };
    removed.iter().zip(added).filter_map(hunk).collect()
}

/// Groups changes whose contexts touch.
fn groups(hunks: &[Hunk]) -> impl Iterator<Item = &[Hunk]> {
    hunks.chunk_by(|a, b| b.before.start - a.before.end <= 2 * CONTEXT)
}

struct Printer<'a> {
    lines: &'a Lines<'a>,
    /// How many lines were looked at for a heading, and the last one among them.
    read: usize,
    heading: Option<usize>,
}

impl Printer<'_> {
    fn line(&self, line: usize) -> &[u8] {
        self.lines.texts.get(line).copied().unwrap_or_default()
    }

    fn write(&mut self, text: &mut Vec<u8>, group: &[Hunk]) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let lines =
            |range: Range<usize>, length: usize| range.start.saturating_sub(CONTEXT)..(range.end + CONTEXT).min(length);
        let before = lines(first.before.start..last.before.end, self.lines.old.len());
        let after = lines(first.after.start..last.after.end, self.lines.new.len());
        text.extend_from_slice(format!("@@ -{} +{} @@", range(&before), range(&after)).as_bytes());
        if let Some(heading) = self.heading(before.start) {
            text.push(b' ');
            text.extend_from_slice(heading);
        }
        text.push(b'\n');
        let mut at = before.start;
        for hunk in group {
            self.write_lines(text, b' ', &self.lines.old, at..hunk.before.start);
            self.write_lines(text, b'-', &self.lines.old, hunk.before.clone());
            self.write_lines(text, b'+', &self.lines.new, hunk.after.clone());
            at = hunk.before.end;
        }
        self.write_lines(text, b' ', &self.lines.old, at..before.end);
    }

    fn write_lines(&self, text: &mut Vec<u8>, mark: u8, lines: &[usize], range: Range<usize>) {
        for line in lines.get(range).unwrap_or_default() {
            let line = self.line(*line);
            text.push(mark);
            text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                text.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }

    /// The nearest line above that may begin a function. Each line is looked at once.
    fn heading(&mut self, start: usize) -> Option<&[u8]> {
        let above = self.lines.old.get(self.read..start).unwrap_or_default();
        let is_heading = |line: &&usize| {
            let first = self.line(**line).first();
            first.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
        };
        self.heading = above.iter().rev().find(is_heading).copied().or(self.heading);
        self.read = start;
        self.heading.map(|line| cut(self.line(line)))
    }
}

/// Cuts a heading as git does: at a number of bytes, and then before the first bytes that are not UTF-8.
fn cut(line: &[u8]) -> &[u8] {
    let line = line.get(..LONGEST_HEADING).unwrap_or(line).trim_ascii_end();
    let text = std::str::from_utf8(line);
    text.map_or_else(|error| line.get(..error.valid_up_to()).unwrap_or_default(), str::as_bytes)
}

/// `start,count`, where a count of 1 is left out, and nothing starts at the line before it.
fn range(lines: &Range<usize>) -> String {
    match lines.end - lines.start {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
#[path = "../../../../../tests/unit/areas/contents/compare/diff/patch.rs"]
mod tests;
