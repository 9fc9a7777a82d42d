//! The search for the lines that two files share: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", in
//! linear space. Two fronts go through the files, one from the beginning and one from the end, until they meet.
//!
//! A comparison has to agree with the diff of a commit, which git makes. So a long search ends by the two rules of git,
//! with git's numbers: at a long run of equal lines that was reached fast, or where a front came farthest.

use std::ops::Range;

/// Steps for hashing and printing a line.
pub const STEPS_OF_A_LINE: u64 = 8;

/// Equal lines in a row that may divide two files.
const RUN: i32 = 20;

/// How many lines were passed in a step of the search, if it was fast.
const FAST: i32 = 4;

/// The least number of steps after which a search may end before the fronts meet.
const LEAST_COST: i32 = 256;

/// Half of the digits of a number, as a power of two.
pub fn root(number: usize) -> usize {
    1 << (usize::BITS - number.leading_zeros()).div_ceil(2)
}

/// How many lines both begin with, and how many of the others both end with.
pub fn common(old: &[usize], new: &[usize]) -> [usize; 2] {
    let equal = |(old, new): &(&usize, &usize)| old == new;
    let head = old.iter().zip(new).take_while(equal).count();
    let most = old.len().min(new.len()) - head;
    [head, old.iter().rev().zip(new.iter().rev()).take(most).take_while(equal).count()]
}

/// Lines of both files that are matched with each other.
#[derive(Debug, Clone)]
pub struct Part {
    pub old: Range<i32>,
    pub new: Range<i32>,
    /// Whether only a shortest way counts.
    pub is_exact: bool,
}

fn within<'a>(lines: &'a [usize], range: &Range<i32>) -> &'a [usize] {
    lines.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// A line of each file.
type Place = [i32; 2];

fn best(places: impl Iterator<Item = (i32, Place)>) -> Option<(i32, Place)> {
    places.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// One of the two searches. That from the end reads both files in reverse.
struct Front {
    is_reverse: bool,
    old: Vec<usize>,
    new: Vec<usize>,
    part: Part,
    /// The line of the old file that was reached on each diagonal. Diagonal 3: the line of the old file is three behind
    /// that of the new one.
    reached: Vec<i32>,
    /// A step reaches every second diagonal between these.
    from: i32,
    to: i32,
}

impl Front {
    fn new(old: &[usize], new: &[usize], is_reverse: bool) -> Front {
        let (mut old, mut new) = (old.to_vec(), new.to_vec());
        if is_reverse {
            old.reverse();
            new.reverse();
        }
        let reached = vec![0; old.len() + new.len() + 1];
        let part = Part { old: 0..0, new: 0..0, is_exact: false };
        Front { is_reverse, old, new, part, reached, from: 0, to: 0 }
    }

    /// In the files as this front reads them, and back.
    fn turned(&self, [old, new]: Place) -> Place {
        if self.is_reverse { [self.old.len() as i32 - old, self.new.len() as i32 - new] } else { [old, new] }
    }

    fn begin(&mut self, part: &Part) {
        let ends = [[part.old.start, part.new.start], [part.old.end, part.new.end]].map(|place| self.turned(place));
        let [[old, new], [old_end, new_end]] = if self.is_reverse { [ends[1], ends[0]] } else { ends };
        self.part = Part { old: old..old_end, new: new..new_end, is_exact: part.is_exact };
        (self.from, self.to) = (old - new, old - new);
        self.set(old - new, old);
    }

    fn set(&mut self, diagonal: i32, line: i32) {
        let at = (diagonal + self.new.len() as i32) as usize;
        if let Some(reached) = self.reached.get_mut(at) {
            *reached = line;
        }
    }

    /// The line of the old file. -1 if it is none of the diagonals of the last step.
    fn at(&self, diagonal: i32) -> i32 {
        let reached = self.reached.get((diagonal + self.new.len() as i32) as usize);
        if (self.from..=self.to).contains(&diagonal) { reached.copied().unwrap_or(-1) } else { -1 }
    }

    /// What the last step reached. Of equally good places the first one is taken.
    fn places(&self) -> impl Iterator<Item = Place> {
        let nth = |nth| if self.is_reverse { self.from + 2 * nth } else { self.to - 2 * nth };
        (0..=(self.to - self.from).div_euclid(2)).map(nth).map(|diagonal| {
            let old = self.at(diagonal);
            [old, old - diagonal]
        })
    }

    /// Takes a line that differs on each diagonal, and the equal lines behind it. Returns whether these were many.
    fn advance(&mut self, steps: &mut u64) -> bool {
        let Part { old: Range { start, end }, new: others, .. } = self.part.clone();
        let from = self.from + if self.from > start - others.end { -1 } else { 1 };
        let to = self.to + if self.to < end - others.start { 1 } else { -1 };
        let mut has_run = false;
        for diagonal in (from..=to).step_by(2) {
            let old = self.at(diagonal + 1).max(self.at(diagonal - 1) + 1);
            let lines = within(&self.old, &(old..end)).iter().zip(within(&self.new, &(old - diagonal..others.end)));
            let run = lines.take_while(|(line, other)| line == other).count();
            self.set(diagonal, old + run as i32);
            has_run |= run > RUN as usize;
            *steps = steps.saturating_sub(1 + run as u64 / STEPS_OF_A_LINE);
        }
        (self.from, self.to) = (from, to);
        has_run
    }

    /// Where this front reached the other one.
    fn meets(&self, other: &Front) -> Option<Place> {
        let length = self.old.len() as i32;
        // the last diagonal of a file is the first one in reverse
        let last = length - self.new.len() as i32;
        let can_meet = (last - self.from - other.from) % 2 == 0;
        self.places().filter(|_| can_meet).find(|[old, new]| {
            let theirs = other.at(last - (old - new));
            theirs >= 0 && old + theirs >= length
        })
    }

    /// How far a place is from the beginning.
    fn length(&self, [old, new]: Place) -> i32 {
        old - self.part.old.start + new - self.part.new.start
    }

    /// The end of a long run of equal lines that was reached fast.
    fn behind_run(&self, cost: i32) -> Option<Place> {
        let Part { old, new, .. } = &self.part;
        let first = old.start - new.start;
        let is_behind_run = |place: &Place| {
            (old.start + RUN..old.end).contains(&place[0])
                && (new.start + RUN..new.end).contains(&place[1])
                && within(&self.old, &(place[0] - RUN..place[0])) == within(&self.new, &(place[1] - RUN..place[1]))
        };
        let valued = self.places().map(|place| (self.length(place) - (place[0] - place[1] - first).abs(), place));
        let fast = valued.filter(|(value, place)| *value > FAST * cost && is_behind_run(place));
        best(fast).map(|(_, place)| place)
    }

    /// The farthest place, and how far it is.
    fn farthest(&self) -> (i32, Place) {
        let inside = self.places().map(|[old, new]| {
            let over = (old - self.part.old.end).max(new - self.part.new.end).max(0);
            [old - over, new - over]
        });
        best(inside.map(|place| (self.length(place), place))).unwrap_or_default()
    }
}

/// Divides parts of two files where both fronts meet.
pub struct Search {
    ahead: Front,
    back: Front,
    most_cost: i32,
}

impl Search {
    pub fn new(old: &[usize], new: &[usize]) -> Search {
        let most_cost = (root(old.len() + new.len() + 3) as i32).max(LEAST_COST);
        Search { ahead: Front::new(old, new, false), back: Front::new(old, new, true), most_cost }
    }

    /// How many lines the part begins and ends with that are equal in both files.
    pub fn common(&self, part: &Part) -> [usize; 2] {
        common(within(&self.ahead.old, &part.old), within(&self.ahead.new, &part.new))
    }

    /// None if that takes more steps than are left.
    pub fn divide(&mut self, part: &Part, steps: &mut u64) -> Option<[Part; 2]> {
        let Search { ahead, back, most_cost } = self;
        let found = |front: &Front, place, is_exact: [bool; 2]| {
            let [old, new] = front.turned(place);
            let before = Part { old: part.old.start..old, new: part.new.start..new, is_exact: is_exact[0] };
            Some([before, Part { old: old..part.old.end, new: new..part.new.end, is_exact: is_exact[1] }])
        };
        ahead.begin(part);
        back.begin(part);
        for cost in 1.. {
            let mut has_run = ahead.advance(steps);
            if let Some(place) = ahead.meets(back) {
                return found(ahead, place, [true; 2]);
            }
            has_run |= back.advance(steps);
            if let Some(place) = back.meets(ahead) {
                return found(back, place, [true; 2]);
            }
            if *steps == 0 {
                return None;
            }
            if part.is_exact {
                continue;
            }
            if has_run && cost > LEAST_COST {
                if let Some(place) = ahead.behind_run(cost) {
                    return found(ahead, place, [true, false]);
                }
                if let Some(place) = back.behind_run(cost) {
                    return found(back, place, [false, true]);
                }
            }
            if cost >= *most_cost {
                let [far_ahead, far_back] = [ahead.farthest(), back.farthest()];
                return match far_back.0 < far_ahead.0 {
                    true => found(ahead, far_ahead.1, [true, false]),
                    false => found(back, far_back.1, [false, true]),
                };
            }
        }
        None
    }
}
