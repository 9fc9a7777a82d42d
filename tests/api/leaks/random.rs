//! Seeded random numbers and words.

pub use crate::support::Dice as Random;

const WORDS: [&str; 10] = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "yew"];

impl Random {
    /// 0 to `end - 1`.
    pub fn below(&mut self, end: u64) -> i64 {
        (self.number() % end) as i64
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.number() % 100 < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len() as u64) as usize) }
    }

    pub fn any<T: Copy>(&mut self, from: &[T]) -> T {
        *self.pick(from).expect("a list with an element")
    }

    pub fn word(&mut self) -> &'static str {
        self.any(&WORDS)
    }

    pub fn words(&mut self) -> String {
        format!("{} {}", self.word(), self.word())
    }

    pub fn sha(&mut self) -> String {
        format!("{:016x}{:016x}{:08x}", self.number(), self.number(), self.number() as u32)
    }

    /// Milliseconds since 1970, in some months of 2026.
    pub fn time(&mut self) -> i64 {
        1_780_000_000_000 + self.below(10_000_000) * 1000
    }
}

/// Ascending ids with steps of at least two: even for visible records, odd for hidden ones, interleaved.
pub struct Ids(i64);

impl Ids {
    pub fn even() -> Ids {
        Ids(100)
    }

    pub fn odd() -> Ids {
        Ids(101)
    }

    pub fn next(&mut self, random: &mut Random) -> i64 {
        self.0 += 2 * (1 + random.below(2));
        self.0
    }
}
