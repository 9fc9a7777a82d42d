//! The patch of one file, as `git diff` prints it from its `---` line on.

use super::matching::{STEPS_OF_A_LINE, can_match};
use super::sliding::slide;
use edgeforge_wire::text::lossy;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Interner, Token};
use std::ops::Range;

/// The most bytes of a patch. A longer patch is left out.
pub const LONGEST: usize = 200 << 10;

/// Lines around a change.
const CONTEXT: u32 = 3;

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
    let input = InternedInput::new(imara_diff::sources::byte_lines(before), imara_diff::sources::byte_lines(after));
    let lines = (input.before.len() + input.after.len()) as u64;
    *steps = steps.saturating_sub(lines * STEPS_OF_A_LINE);
    if !can_match(&input, steps) {
        return None;
    }
    let diff = Diff::compute(Algorithm::Myers, &input);
    let hunks = slide(&diff, &input);
    let mut printer = Printer { input: &input, read: 0, heading: None };
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

/// Groups changes whose contexts touch.
fn groups(hunks: &[Hunk]) -> Vec<&[Hunk]> {
    let is_near = |a: &Hunk, b: &Hunk| b.before.start - a.before.end <= 2 * CONTEXT;
    hunks.chunk_by(is_near).collect()
}

struct Printer<'a> {
    input: &'a InternedInput<&'a [u8]>,
    /// How many lines were looked at for a heading, and the last one among them.
    read: usize,
    heading: Option<Token>,
}

impl Printer<'_> {
    fn line(&self, token: Token) -> &[u8] {
        let lines: &Interner<&[u8]> = &self.input.interner;
        lines[token]
    }

    fn write(&mut self, text: &mut Vec<u8>, group: &[Hunk]) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let lines = |range: Range<u32>, length: usize| {
            let start = range.start.saturating_sub(CONTEXT);
            start..(range.end + CONTEXT).min(u32::try_from(length).unwrap_or(u32::MAX))
        };
        let before = lines(first.before.start..last.before.end, self.input.before.len());
        let after = lines(first.after.start..last.after.end, self.input.after.len());
        text.extend_from_slice(format!("@@ -{} +{} @@", range(&before), range(&after)).as_bytes());
        if let Some(heading) = self.heading(before.start) {
            text.push(b' ');
            text.extend_from_slice(heading);
        }
        text.push(b'\n');
        let mut at = before.start;
        for hunk in group {
            self.write_lines(text, b' ', &self.input.before, at..hunk.before.start);
            self.write_lines(text, b'-', &self.input.before, hunk.before.clone());
            self.write_lines(text, b'+', &self.input.after, hunk.after.clone());
            at = hunk.before.end;
        }
        self.write_lines(text, b' ', &self.input.before, at..before.end);
    }

    fn write_lines(&self, text: &mut Vec<u8>, mark: u8, tokens: &[Token], range: Range<u32>) {
        for token in tokens.get(range.start as usize..range.end as usize).unwrap_or_default() {
            let line = self.line(*token);
            text.push(mark);
            text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                text.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }

    /// The nearest line above that may begin a function. Each line is looked at once.
    fn heading(&mut self, start: u32) -> Option<&[u8]> {
        let above = self.input.before.get(self.read..start as usize).unwrap_or_default();
        let is_heading = |token: &&Token| {
            let first = self.line(**token).first();
            first.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
        };
        self.heading = above.iter().rev().find(is_heading).copied().or(self.heading);
        self.read = start as usize;
        self.heading.map(|token| cut(self.line(token)))
    }
}

/// Cuts a heading as git does: at a number of bytes, and then before the first bytes that are not UTF-8.
fn cut(line: &[u8]) -> &[u8] {
    let line = line.get(..LONGEST_HEADING).unwrap_or(line).trim_ascii_end();
    let text = std::str::from_utf8(line);
    text.map_or_else(|error| line.get(..error.valid_up_to()).unwrap_or_default(), str::as_bytes)
}

/// `start,count`, where a count of 1 is left out, and nothing starts at the line before it.
fn range(lines: &Range<u32>) -> String {
    match lines.end - lines.start {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/compare/patch.rs"]
mod tests;
