//! Which lines of two files differ. The choice is that of git (`xdiff`), so a comparison agrees with the diff of a
//! commit, which the hook takes from git. Steps are counted while it is made.

use super::search::{Part, STEPS_OF_A_LINE, Search, Split, root};
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
        let equal = |(old, new): &(&usize, &usize)| old == new;
        let head = self.old.iter().zip(&self.new).take_while(equal).count();
        let most = self.old.len().min(self.new.len()) - head;
        let tail = self.old.iter().rev().zip(self.new.iter().rev()).take(most).take_while(equal).count();
        let mut changed = [vec![false; self.old.len()], vec![false; self.new.len()]];
        let [mut old, mut new] = [(&self.old, &self.new), (&self.new, &self.old)].map(|(lines, others)| {
            let looked = head..lines.len() - tail;
            Side { lines: Vec::new(), places: Vec::new(), looked, all: lines, others }
        });
        let [old_changed, new_changed] = &mut changed;
        old.keep(self.texts.len(), old_changed, steps);
        new.keep(self.texts.len(), new_changed, steps);
        let mut search = Search::new(&old.lines, &new.lines);
        let mut parts = vec![Part { old: 0..old.lines.len() as i32, new: 0..new.lines.len() as i32, is_exact: false }];
        while let Some(part) = parts.pop() {
            let part = search.trimmed(part);
            if part.old.is_empty() {
                new.mark(part.new, new_changed);
            } else if part.new.is_empty() {
                old.mark(part.old, old_changed);
            } else {
                let Split { old, new, is_exact: [before, after] } = search.split(&part, steps)?;
                parts.push(Part { old: part.old.start..old, new: part.new.start..new, is_exact: before });
                parts.push(Part { old: old..part.old.end, new: new..part.new.end, is_exact: after });
            }
        }
        (*steps > 0).then_some(changed)
    }
}

/// The lines of a file that may match some of the other.
struct Side<'a> {
    lines: Vec<usize>,
    /// Where they are in the file.
    places: Vec<usize>,
    /// The lines between those that both files begin and end with.
    looked: Range<usize>,
    all: &'a [usize],
    others: &'a [usize],
}

/// How often a line is in the other file.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    Never,
    Few,
    Many,
}

impl Side<'_> {
    /// Passes over lines that match none, and over frequent ones among such: these differ.
    fn keep(&mut self, kinds: usize, changed: &mut [bool], steps: &mut u64) {
        let mut counts = vec![0_usize; kinds];
        for line in self.others {
            if let Some(count) = counts.get_mut(*line) {
                *count += 1;
            }
        }
        let many = root(self.all.len()).min(1024);
        let times = |line: &usize| match counts.get(*line).copied().unwrap_or_default() {
            0 => Times::Never,
            count if count >= many => Times::Many,
            _ => Times::Few,
        };
        let looked = self.all.get(self.looked.clone()).unwrap_or_default();
        let all: Vec<Times> = looked.iter().map(times).collect();
        for (at, line) in looked.iter().enumerate() {
            let place = self.looked.start + at;
            let is_kept = match all.get(at) {
                Some(Times::Few) => true,
                Some(Times::Many) => !is_among_others(&all, at, steps),
                _ => false,
            };
            if is_kept {
                self.lines.push(*line);
                self.places.push(place);
            } else if let Some(changed) = changed.get_mut(place) {
                *changed = true;
            }
        }
    }

    fn mark(&self, lines: Range<i32>, changed: &mut [bool]) {
        let places = self.places.get(lines.start as usize..lines.end as usize).unwrap_or_default();
        for place in places {
            if let Some(changed) = changed.get_mut(*place) {
                *changed = true;
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
