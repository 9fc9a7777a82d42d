//! Chooses the place of a change that may slide. A change may be a line higher if the line before it equals its last
//! one, or a line lower if the line after it equals its first one. Like git's
//! `--indent-heuristic`, this compares the indents and the blank lines around both ends.

use super::lines::Lines;
use std::cmp::Ordering;

/// No line is indented more than this.
const MOST_INDENT: i32 = 200;

/// Blank lines that are counted on each side of an end.
const MOST_BLANKS: i32 = 20;

/// Lines that a change slides in the time of a step.
const LOOKS_OF_A_STEP: u64 = 16;

/// Lines that a change slides at most.
const MOST_SLIDING: usize = 100;

/// Penalties of a place. The numbers are git's, whose authors found them by experiments, so that patches agree.
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

/// Slides the changes of two files as git does: removed lines first, then added ones. Returns how many lines differ in
/// each gap between two lines that stay. Both files have the same number of gaps, because the same lines stay.
pub fn slide(lines: &Lines<'_>, changed: [Vec<bool>; 2], steps: &mut u64) -> [Vec<usize>; 2] {
    let slider = Slider { indents: lines.texts.iter().map(|line| indent(line)).collect() };
    let gaps = |changed: Vec<bool>| -> Vec<usize> { changed.split(|changed| !changed).map(<[bool]>::len).collect() };
    let [mut old, mut new] = changed.map(gaps);
    slider.slide(&lines.old, &mut old, &new, steps);
    slider.slide(&lines.new, &mut new, &old, steps);
    [old, new]
}

/// The lines that differ in one gap of a file.
struct Group<'a> {
    lines: &'a [usize],
    gaps: &'a mut [usize],
    gap: usize,
    start: usize,
}

impl Group<'_> {
    fn length(&self) -> usize {
        self.gaps.get(self.gap).copied().unwrap_or_default()
    }

    fn end(&self) -> usize {
        self.start + self.length()
    }

    /// Joins those of another gap.
    fn join(&mut self, gap: usize) {
        let moved = self.gaps.get_mut(self.gap).map_or(0, std::mem::take);
        if let Some(lines) = self.gaps.get_mut(gap) {
            *lines += moved;
        }
        self.gap = gap;
    }

    /// A line lower, if the line behind equals the first one.
    fn down(&mut self) -> bool {
        let (start, end) = (self.start, self.end());
        let can = end < self.lines.len() && self.lines.get(start) == self.lines.get(end);
        if can {
            self.start += 1;
            self.join(self.gap + 1);
        }
        can
    }

    /// A line higher, if the line before equals the last one.
    fn up(&mut self) -> bool {
        let (start, end) = (self.start, self.end());
        let can = start > 0 && self.lines.get(start - 1) == self.lines.get(end - 1);
        if can {
            self.join(self.gap - 1);
            self.start = end - 1 - self.length();
        }
        can
    }

    fn is_beside(&self, others: &[usize]) -> bool {
        others.get(self.gap).is_some_and(|lines| *lines > 0)
    }
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
    /// Slides the changes of a file. `others`: the gaps of the other file.
    fn slide(&self, lines: &[usize], gaps: &mut [usize], others: &[usize], steps: &mut u64) {
        let mut group = Group { lines, gaps, gap: 0, start: 0 };
        while group.start <= lines.len() && *steps > 0 {
            if group.length() > 0 {
                self.place(&mut group, others, steps);
            }
            group.start = group.end() + 1;
            group.gap += 1;
        }
    }

    fn place(&self, group: &mut Group<'_>, others: &[usize], steps: &mut u64) {
        let (mut highest, mut meets);
        loop {
            let length = group.length();
            while group.up() {}
            (highest, meets) = (group.end(), group.is_beside(others));
            while group.down() {
                meets |= group.is_beside(others);
            }
            *steps = steps.saturating_sub((group.end() - highest) as u64 / LOOKS_OF_A_STEP + 1);
            // with what it met it may slide farther
            if group.length() == length || *steps == 0 {
                break;
            }
        }
        // next to the lowest change of the other file, if there is one
        let best = if meets { highest } else { self.best_end(group, highest) };
        while group.end() > best && !(meets && group.is_beside(others)) && group.up() {}
    }

    fn indent(&self, line: usize) -> Option<i32> {
        self.indents.get(line).copied().flatten()
    }

    /// The number of blank lines at the beginning, up to [`MOST_BLANKS`], and the indent of the line after them.
    fn blanks<'a>(&self, lines: impl Iterator<Item = &'a usize>) -> (i32, Option<i32>) {
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
    fn score(&self, lines: &[usize], at: usize) -> Score {
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

    /// `group` is at its lowest place. Of equally good ones, the lowest is taken.
    fn best_end(&self, group: &Group<'_>, highest: usize) -> usize {
        let (length, end) = (group.length(), group.end());
        // a change that slid by more than its length would meet its own lines again
        let highest = highest.max(group.start.saturating_sub(1)).max(end.saturating_sub(MOST_SLIDING));
        let mut best = (end, None);
        for end in highest..=end {
            let [start, stop] = [end - length, end].map(|at| self.score(group.lines, at));
            let score = Score { indent: start.indent + stop.indent, penalty: start.penalty + stop.penalty };
            if best.1.is_none_or(|best| !score.is_worse_than(best)) {
                best = (end, Some(score));
            }
        }
        best.0
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
#[path = "../../../../../tests/unit/areas/contents/compare/diff/sliding.rs"]
mod tests;
