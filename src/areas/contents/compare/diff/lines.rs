//! Which lines of two files differ. The choice is that of git (`xdiff`), so a comparison agrees with the diff of a
//! commit, which the hook takes from git. Steps are counted while it is made.

use super::search::{Part, STEPS_OF_A_LINE, Search, common, root};
use std::collections::HashMap;
use std::ops::Range;

/// Lines that are passed over in the time of a step.
const LOOKS_OF_A_STEP: u64 = 16;

/// Lines around a frequent one that decide whether it is matched.
const NEAR: usize = 100;

/// Two files as numbers of their lines: equal lines have one number.
pub struct Lines<'a> {
    pub texts: Vec<&'a [u8]>,
    pub old: Vec<usize>,
    pub new: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn of(old: &'a [u8], new: &'a [u8]) -> Lines<'a> {
        let (mut numbers, mut texts) = (HashMap::new(), Vec::new());
        let mut number = |line: &'a [u8]| {
            *numbers.entry(line).or_insert_with(|| {
                texts.push(line);
                texts.len() - 1
            })
        };
        let mut lines = |bytes: &'a [u8]| bytes.split_inclusive(|byte| *byte == b'\n').map(&mut number).collect();
        let (old, new) = (lines(old), lines(new));
        Lines { texts, old, new }
    }

    /// Marks the lines that differ. None if that takes more steps than are left.
    pub fn changed(&self, steps: &mut u64) -> Option<[Vec<bool>; 2]> {
        *steps = steps.saturating_sub((self.old.len() + self.new.len()) as u64 * STEPS_OF_A_LINE);
        let [head, tail] = common(&self.old, &self.new);
        let mut sides = [(&self.old, &self.new), (&self.new, &self.old)]
            .map(|(lines, others)| Side::of(lines, self.counts(others), head..lines.len() - tail, steps));
        let [old, new] = &mut sides;
        let mut search = Search::new(&old.lines, &new.lines);
        let mut parts = vec![Part { old: 0..old.lines.len() as i32, new: 0..new.lines.len() as i32, is_exact: false }];
        while let Some(mut part) = parts.pop() {
            let [head, tail] = search.common(&part);
            old.keep(&mut part.old, head, tail);
            new.keep(&mut part.new, head, tail);
            if !part.old.is_empty() && !part.new.is_empty() {
                parts.extend(search.divide(&part, steps)?);
            }
        }
        (*steps > 0).then_some(sides.map(|side| side.changed))
    }

    /// How often each line is in a file.
    fn counts(&self, lines: &[usize]) -> Vec<usize> {
        let mut counts = vec![0; self.texts.len()];
        for line in lines {
            if let Some(count) = counts.get_mut(*line) {
                *count += 1;
            }
        }
        counts
    }
}

/// A file of the two.
struct Side {
    changed: Vec<bool>,
    /// The lines that may match some of the other file, and where they are.
    lines: Vec<usize>,
    places: Vec<usize>,
}

/// How often a line is in the other file.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    Never,
    Few,
    Many,
}

impl Side {
    /// `looked`: the lines between those that both files begin and end with. Of these, lines that match none are passed
    /// over, and frequent ones among such.
    fn of(all: &[usize], counts: Vec<usize>, looked: Range<usize>, steps: &mut u64) -> Side {
        let many = root(all.len()).min(1024);
        let times = |line: &usize| match counts.get(*line).copied().unwrap_or_default() {
            0 => Times::Never,
            count if count >= many => Times::Many,
            _ => Times::Few,
        };
        let changed = (0..all.len()).map(|place| looked.contains(&place)).collect();
        let lines = all.get(looked.clone()).unwrap_or_default();
        let times: Vec<Times> = lines.iter().map(times).collect();
        let mut is_kept = |at: usize| match times.get(at) {
            Some(Times::Many) => !is_among_others(&times, at, steps),
            times => times == Some(&Times::Few),
        };
        let kept = lines.iter().enumerate().filter(|(at, _)| is_kept(*at));
        let (places, lines) = kept.map(|(at, line)| (looked.start + at, *line)).unzip();
        Side { changed, lines, places }
    }

    /// Takes lines that did not change off both ends of a range.
    fn keep(&mut self, range: &mut Range<i32>, head: usize, tail: usize) {
        let ends = range.clone();
        (range.start, range.end) = (range.start + head as i32, range.end - tail as i32);
        for line in (ends.start..range.start).chain(range.end..ends.end) {
            let place = self.places.get(line as usize).and_then(|place| self.changed.get_mut(*place));
            if let Some(changed) = place {
                *changed = false;
            }
        }
    }
}

/// Whether a frequent line stands among frequent ones and many that match none.
fn is_among_others(all: &[Times], at: usize, steps: &mut u64) -> bool {
    let mut count = |lines: &mut dyn Iterator<Item = &Times>| {
        let (mut never, mut many) = (0, 0);
        for times in lines.take(NEAR).take_while(|times| **times != Times::Few) {
            if *times == Times::Never { never += 1 } else { many += 1 }
        }
        *steps = steps.saturating_sub((never + many) / LOOKS_OF_A_STEP);
        (never, many)
    };
    let (above, behind) = all.split_at_checked(at).unwrap_or((all, &[]));
    let (never_above, many_above) = count(&mut above.iter().rev());
    if never_above == 0 {
        return false;
    }
    let (never_behind, many_behind) = count(&mut behind.iter().skip(1));
    never_behind > 0 && (many_above + many_behind + 2) * 3 < never_above + never_behind
}
