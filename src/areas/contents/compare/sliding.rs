//! Chooses the place of a change that may slide. A change may be a line higher if the line before it equals its last
//! one, or a line lower if the line after it equals its first one. Like git (`xdiffi.c`), this compares the indents and
//! the blank lines around both ends.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Interner, SliderHeuristic, Token};
use std::cmp::Ordering;
use std::ops::Range;

/// No line is indented more than this.
const MOST_INDENT: i32 = 200;

/// Blank lines that are counted on each side of an end.
const MOST_BLANKS: i32 = 20;

/// Lines that a change slides at most.
const MOST_SLIDING: u32 = 100;

/// Penalties of a place. The authors of git found these numbers by experiments.
mod weight {
    pub const START_OF_FILE: i32 = 1;
    pub const END_OF_FILE: i32 = 21;
    pub const BLANK: i32 = -30;
    pub const BLANK_BEHIND: i32 = 6;
    /// The next three have two values: without blank lines around the place, and with some.
    pub const INDENTED: [i32; 2] = [-4, 10];
    pub const BEGIN_OF_BLOCK: [i32; 2] = [24, 17];
    pub const END_OF_BLOCK: [i32; 2] = [23, 17];
    pub const INDENT: i32 = 60;
}

/// Slides the changes of a diff as git does: removed lines first, then added ones. The crate does it in the other
/// order, so it gets the sides exchanged. It matches the same lines again, because each pair has its own token.
pub fn slide(diff: &Diff, input: &InternedInput<&[u8]>) -> Vec<Hunk> {
    let (mut old, mut new) = (vec![Token(0); input.before.len()], vec![Token(1); input.after.len()]);
    let old_matched = (0..).zip(&mut old).filter(|(at, _)| !diff.is_removed(*at));
    let new_matched = (0..).zip(&mut new).filter(|(at, _)| !diff.is_added(*at));
    let mut names = 2;
    for ((_, old), (_, new)) in old_matched.zip(new_matched) {
        (*old, *new) = (Token(names), Token(names));
        names += 1;
    }
    let mut exchanged = Diff::default();
    exchanged.compute_with(Algorithm::Myers, &new, &old, names);
    exchanged.postprocess_with(&input.after, &input.before, Slider::new(&input.interner));
    exchanged.hunks().map(|hunk| hunk.invert()).collect()
}

/// Chooses places in both files of a diff.
struct Slider {
    /// By lines. A blank line has none.
    indents: Vec<Option<i32>>,
}

/// How bad a place is. Indents only count as less or more than those of another place.
#[derive(Clone, Copy)]
struct Score {
    indent: i32,
    penalty: i32,
}

impl Score {
    fn is_worse_than(self, other: Self) -> bool {
        let by_indent = match self.indent.cmp(&other.indent) {
            Ordering::Less => -weight::INDENT,
            Ordering::Equal => 0,
            Ordering::Greater => weight::INDENT,
        };
        by_indent + self.penalty > other.penalty
    }
}

impl Slider {
    /// Measures each line once, because a place is looked at by many others.
    fn new(lines: &Interner<&[u8]>) -> Self {
        let indents = (0..lines.num_tokens()).map(|token| indent(lines[Token(token)])).collect();
        Self { indents }
    }

    fn indent(&self, line: Token) -> Option<i32> {
        self.indents.get(line.0 as usize).copied().flatten()
    }

    /// The number of blank lines at the beginning, up to [`MOST_BLANKS`], and the indent of the line after them.
    fn blanks<'a>(&self, lines: impl Iterator<Item = &'a Token>) -> (i32, Option<i32>) {
        let mut blanks = 0;
        for line in lines {
            let indent = self.indent(*line);
            if indent.is_some() {
                return (blanks, indent);
            }
            blanks += 1;
            if blanks == MOST_BLANKS {
                return (blanks, Some(0));
            }
        }
        (blanks, None)
    }

    /// How bad it is to begin or end a change before a line.
    fn score(&self, lines: &[Token], at: usize) -> Score {
        let (above, behind) = lines.split_at_checked(at).unwrap_or((lines, &[]));
        let own = behind.first().and_then(|line| self.indent(*line));
        let (blanks_above, indent_above) = self.blanks(above.iter().rev());
        let (blanks_below, indent_below) = self.blanks(behind.iter().skip(1));
        // the end of the file counts as a blank line
        let blanks_behind = if own.is_none() { 1 + blanks_below } else { 0 };
        let blanks = blanks_above + blanks_behind;
        let mut penalty = weight::BLANK * blanks + weight::BLANK_BEHIND * blanks_behind;
        if above.is_empty() {
            penalty += weight::START_OF_FILE;
        }
        if behind.is_empty() {
            penalty += weight::END_OF_FILE;
        }
        let indent = own.or(indent_below);
        if let (Some(indent), Some(indent_above)) = (indent, indent_above) {
            let [without, with] = match indent.cmp(&indent_above) {
                Ordering::Greater => weight::INDENTED,
                Ordering::Equal => [0, 0],
                Ordering::Less if indent_below > Some(indent) => weight::BEGIN_OF_BLOCK,
                Ordering::Less => weight::END_OF_BLOCK,
            };
            penalty += if blanks == 0 { without } else { with };
        }
        Score { indent: indent.unwrap_or(-1), penalty }
    }
}

impl SliderHeuristic for Slider {
    /// `hunk` is the lowest place. Of equally good ones, the lowest is taken.
    fn best_slider_end(&mut self, lines: &[Token], hunk: Range<u32>, earliest_end: u32) -> u32 {
        let length = hunk.end - hunk.start;
        // a change that slid by more than its length would meet its own lines again
        let highest = earliest_end.max(hunk.start.saturating_sub(1)).max(hunk.end.saturating_sub(MOST_SLIDING));
        let mut best: Option<(Score, u32)> = None;
        for end in highest..=hunk.end {
            let [start, stop] = [end - length, end].map(|at| self.score(lines, at as usize));
            let score = Score { indent: start.indent + stop.indent, penalty: start.penalty + stop.penalty };
            if best.is_none_or(|(best, _)| !score.is_worse_than(best)) {
                best = Some((score, end));
            }
        }
        best.map_or(hunk.end, |(_, end)| end)
    }
}

/// A tab ends at a multiple of 8. None for a blank line.
fn indent(line: &[u8]) -> Option<i32> {
    let mut indent = 0;
    for byte in line {
        match byte {
            b' ' => indent += 1,
            b'\t' => indent += 8 - indent % 8,
            b'\r' | b'\n' => {}
            _ => return Some(indent),
        }
        if indent >= MOST_INDENT {
            return Some(MOST_INDENT);
        }
    }
    None
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/compare/sliding.rs"]
mod tests;
