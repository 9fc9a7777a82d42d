//! The search for the lines that two files share: Myers' algorithm in linear space, with the shortcuts of git for long
//! searches.

use std::ops::Range;

/// Steps of [`super::budget`] for hashing and printing a line.
pub const STEPS_OF_A_LINE: u64 = 8;

/// Equal lines in a row that may divide two files.
const SNAKE: i32 = 20;

/// The least cost after which a search takes what it has found.
const LEAST_COST: i32 = 256;

/// Half of the digits of a number, as a power of two.
pub fn root(number: usize) -> usize {
    1 << (usize::BITS - number.leading_zeros()).div_ceil(2)
}

/// Lines of both files that are matched with each other.
pub struct Part {
    pub old: Range<i32>,
    pub new: Range<i32>,
    /// Whether only a shortest way counts.
    pub is_exact: bool,
}

/// Where a part is divided, and whether the two parts are exact.
pub struct Split {
    pub old: i32,
    pub new: i32,
    pub is_exact: [bool; 2],
}

/// How far a search came on each diagonal: the line of the old file.
struct Reached {
    ends: Vec<i32>,
    middle: i32,
    /// The diagonals that are reached, and those that there are.
    from: i32,
    to: i32,
    most: [i32; 2],
    /// What no diagonal reaches.
    none: i32,
}

impl Reached {
    fn begin(&mut self, part: &Part, diagonal: i32, line: i32, none: i32) {
        (self.from, self.to, self.none) = (diagonal, diagonal, none);
        self.most = [part.old.start - part.new.end, part.old.end - part.new.start];
        self.set(diagonal, line);
    }

    fn at(&self, diagonal: i32) -> i32 {
        let end = usize::try_from(diagonal + self.middle).ok().and_then(|at| self.ends.get(at));
        end.copied().unwrap_or(self.none)
    }

    fn set(&mut self, diagonal: i32, line: i32) {
        if let Some(end) = usize::try_from(diagonal + self.middle).ok().and_then(|at| self.ends.get_mut(at)) {
            *end = line;
        }
    }

    /// Takes one diagonal more on each side, within those that there are.
    fn widen(&mut self) {
        if self.from > self.most[0] {
            self.from -= 1;
            self.set(self.from - 1, self.none);
        } else {
            self.from += 1;
        }
        if self.to < self.most[1] {
            self.to += 1;
            self.set(self.to + 1, self.none);
        } else {
            self.to -= 1;
        }
    }

    fn diagonals(&self) -> impl Iterator<Item = i32> + use<> {
        (self.from..=self.to).rev().step_by(2)
    }

    fn has(&self, diagonal: i32) -> bool {
        (self.from..=self.to).contains(&diagonal)
    }
}

/// Searches from both ends until they meet.
pub struct Search<'a> {
    old: &'a [usize],
    new: &'a [usize],
    forward: Reached,
    backward: Reached,
    most_cost: i32,
}

impl<'a> Search<'a> {
    pub fn new(old: &'a [usize], new: &'a [usize]) -> Search<'a> {
        let diagonals = old.len() + new.len() + 3;
        let reached = || Reached {
            ends: vec![0; diagonals + 2],
            middle: new.len() as i32 + 2,
            from: 0,
            to: 0,
            most: [0; 2],
            none: 0,
        };
        let most_cost = (root(diagonals) as i32).max(LEAST_COST);
        Search { old, new, forward: reached(), backward: reached(), most_cost }
    }

    fn is_equal(&self, old: i32, new: i32) -> bool {
        let at = |lines: &[usize], at: i32| usize::try_from(at).ok().and_then(|at| lines.get(at).copied());
        at(self.old, old).is_some_and(|line| at(self.new, new) == Some(line))
    }

    /// The part without the equal lines at both ends.
    pub fn trimmed(&self, Part { mut old, mut new, is_exact }: Part) -> Part {
        while !old.is_empty() && !new.is_empty() && self.is_equal(old.start, new.start) {
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && self.is_equal(old.end - 1, new.end - 1) {
            (old.end, new.end) = (old.end - 1, new.end - 1);
        }
        Part { old, new, is_exact }
    }

    pub fn split(&mut self, part: &Part, steps: &mut u64) -> Option<Split> {
        let (first, last) = (part.old.start - part.new.start, part.old.end - part.new.end);
        let is_odd = (first - last) % 2 != 0;
        self.forward.begin(part, first, part.old.start, -1);
        self.backward.begin(part, last, part.old.end, i32::MAX);
        let met = |old: i32, diagonal: i32| Some(Split { old, new: old - diagonal, is_exact: [true; 2] });
        for cost in 1.. {
            let mut has_snake = false;
            self.forward.widen();
            for diagonal in self.forward.diagonals() {
                let (below, above) = (self.forward.at(diagonal - 1), self.forward.at(diagonal + 1));
                let begin = if below >= above { below + 1 } else { above };
                let mut old = begin;
                while old < part.old.end && old - diagonal < part.new.end && self.is_equal(old, old - diagonal) {
                    old += 1;
                }
                has_snake |= old - begin > SNAKE;
                self.forward.set(diagonal, old);
                *steps = steps.saturating_sub(1 + u64::from(old.abs_diff(begin)) / STEPS_OF_A_LINE);
                if is_odd && self.backward.has(diagonal) && self.backward.at(diagonal) <= old {
                    return met(old, diagonal);
                }
            }
            self.backward.widen();
            for diagonal in self.backward.diagonals() {
                let (below, above) = (self.backward.at(diagonal - 1), self.backward.at(diagonal + 1));
                let begin = if below < above { below } else { above - 1 };
                let mut old = begin;
                while old > part.old.start
                    && old - diagonal > part.new.start
                    && self.is_equal(old - 1, old - diagonal - 1)
                {
                    old -= 1;
                }
                has_snake |= begin - old > SNAKE;
                self.backward.set(diagonal, old);
                *steps = steps.saturating_sub(1 + u64::from(old.abs_diff(begin)) / STEPS_OF_A_LINE);
                if !is_odd && self.forward.has(diagonal) && old <= self.forward.at(diagonal) {
                    return met(old, diagonal);
                }
            }
            if *steps == 0 {
                return None;
            }
            if part.is_exact {
                continue;
            }
            if has_snake
                && cost > LEAST_COST
                && let Some(split) = self.interesting(part, [first, last], cost)
            {
                return Some(split);
            }
            if cost >= self.most_cost {
                return Some(self.farthest(part));
            }
        }
        None
    }

    /// Where one of the searches came far for its cost, at the end of many equal lines.
    fn interesting(&self, part: &Part, [first, last]: [i32; 2], cost: i32) -> Option<Split> {
        let (mut best, mut found) = (4 * cost, None);
        for diagonal in self.forward.diagonals() {
            let old = self.forward.at(diagonal);
            let new = old - diagonal;
            let value = (old - part.old.start) + (new - part.new.start) - (diagonal - first).abs();
            let is_inside = (part.old.start + SNAKE..part.old.end).contains(&old)
                && (part.new.start + SNAKE..part.new.end).contains(&new);
            if value > best && is_inside && (1..=SNAKE).all(|back| self.is_equal(old - back, new - back)) {
                (best, found) = (value, Some(Split { old, new, is_exact: [true, false] }));
            }
        }
        if found.is_some() {
            return found;
        }
        for diagonal in self.backward.diagonals() {
            let old = self.backward.at(diagonal);
            let new = old.saturating_sub(diagonal);
            let value = (part.old.end - old) + (part.new.end - new) - (diagonal - last).abs();
            let is_inside = (part.old.start + 1..=part.old.end - SNAKE).contains(&old)
                && (part.new.start + 1..=part.new.end - SNAKE).contains(&new);
            if value > best && is_inside && (0..SNAKE).all(|on| self.is_equal(old + on, new + on)) {
                (best, found) = (value, Some(Split { old, new, is_exact: [false, true] }));
            }
        }
        found
    }

    /// The farthest place of both searches, after the most cost.
    fn farthest(&self, part: &Part) -> Split {
        let (mut forward, mut backward) = ((-1, -1), (i32::MAX, i32::MAX));
        for diagonal in self.forward.diagonals() {
            let old = self.forward.at(diagonal).min(part.old.end).min(part.new.end + diagonal);
            if forward.0 < 2 * old - diagonal {
                forward = (2 * old - diagonal, old);
            }
        }
        for diagonal in self.backward.diagonals() {
            let old = self.backward.at(diagonal).max(part.old.start).max(part.new.start + diagonal);
            if 2 * old - diagonal < backward.0 {
                backward = (2 * old - diagonal, old);
            }
        }
        let is_forward = part.old.end + part.new.end - backward.0 < forward.0 - part.old.start - part.new.start;
        let (sum, old) = if is_forward { forward } else { backward };
        Split { old, new: sum - old, is_exact: [is_forward, !is_forward] }
    }
}
