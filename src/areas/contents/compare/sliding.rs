//! Chooses the place of a change that may slide. A change may be a line higher if the line before it equals its last
//! one, or a line lower if the line after it equals its first one. Like git (`xdiffi.c`), this compares the indents and
//! the blank lines around both ends.

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

/// Slides the changes of two files as git does: removed lines first, then added ones.
pub fn slide(lines: &Lines<'_>, [old, new]: &mut [Vec<bool>; 2], steps: &mut u64) {
    let slider = Slider { indents: lines.texts.iter().map(|line| indent(line)).collect() };
    slider.slide(&lines.old, old, new, steps);
    slider.slide(&lines.new, new, old, steps);
}

/// Changed lines in a row, or the place between two lines that did not change.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
}

impl Group {
    /// The group that begins there.
    fn at(start: usize, changed: &[bool]) -> Group {
        let length = changed.iter().skip(start).take_while(|changed| **changed).count();
        Group { start, end: start + length }
    }

    fn is_empty(self) -> bool {
        self.start == self.end
    }

    fn next(&mut self, changed: &[bool]) -> bool {
        let is_last = self.end >= changed.len();
        if !is_last {
            *self = Group::at(self.end + 1, changed);
        }
        !is_last
    }

    fn previous(&mut self, changed: &[bool]) {
        self.end = self.start.saturating_sub(1);
        self.start = self.end - changed_before(self.end, changed);
    }

    /// A line lower, with the group that it meets.
    fn down(&mut self, lines: &[usize], changed: &mut [bool]) -> bool {
        let can = self.end < lines.len() && lines.get(self.start) == lines.get(self.end);
        if can {
            changed.swap(self.start, self.end);
            self.start += 1;
            self.end = Group::at(self.end, changed).end;
        }
        can
    }

    /// A line higher, with the group that it meets.
    fn up(&mut self, lines: &[usize], changed: &mut [bool]) -> bool {
        let can = self.start > 0 && lines.get(self.start - 1) == lines.get(self.end - 1);
        if can {
            changed.swap(self.start - 1, self.end - 1);
            self.end -= 1;
            self.start -= 1;
            self.start -= changed_before(self.start, changed);
        }
        can
    }
}

fn changed_before(at: usize, changed: &[bool]) -> usize {
    changed.iter().take(at).rev().take_while(|changed| **changed).count()
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
    /// Slides the changes of a file.
    fn slide(&self, lines: &[usize], changed: &mut [bool], others: &[bool], steps: &mut u64) {
        let (mut group, mut beside) = (Group::at(0, changed), Group::at(0, others));
        loop {
            if !group.is_empty() {
                self.place(lines, changed, others, [&mut group, &mut beside], steps);
            }
            if !group.next(changed) || *steps == 0 {
                return;
            }
            beside.next(others);
        }
    }

    /// Slides a group. `beside`: the changed lines of the other file at the same place.
    fn place(
        &self,
        lines: &[usize],
        changed: &mut [bool],
        others: &[bool],
        [group, beside]: [&mut Group; 2],
        steps: &mut u64,
    ) {
        let (mut highest, mut meets);
        loop {
            let length = group.end - group.start;
            while group.up(lines, changed) {
                beside.previous(others);
            }
            (highest, meets) = (group.end, !beside.is_empty());
            while group.down(lines, changed) {
                beside.next(others);
                meets |= !beside.is_empty();
            }
            *steps = steps.saturating_sub((group.end - highest) as u64 / LOOKS_OF_A_STEP + 1);
            // with what it met it may slide farther
            if group.end - group.start == length || *steps == 0 {
                break;
            }
        }
        let best = match () {
            () if group.end == highest => group.end,
            // next to the lowest change of the other file
            () if meets => highest,
            () => self.best_end(lines, *group, highest),
        };
        while group.end > best && (!meets || beside.is_empty()) && group.up(lines, changed) {
            beside.previous(others);
        }
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
    fn best_end(&self, lines: &[usize], group: Group, highest: usize) -> usize {
        let length = group.end - group.start;
        // a change that slid by more than its length would meet its own lines again
        let highest = highest.max(group.start.saturating_sub(1)).max(group.end.saturating_sub(MOST_SLIDING));
        let mut best: Option<(Score, usize)> = None;
        for end in highest..=group.end {
            let [start, stop] = [end - length, end].map(|at| self.score(lines, at));
            let score = Score { indent: start.indent + stop.indent, penalty: start.penalty + stop.penalty };
            if best.is_none_or(|(best, _)| !score.is_worse_than(best)) {
                best = Some((score, end));
            }
        }
        best.map_or(group.end, |(_, end)| end)
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
