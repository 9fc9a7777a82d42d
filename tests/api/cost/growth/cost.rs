//! What a request costs, and when a cost grows.

use super::requests::Request;
use super::world::Stock;
use crate::support::Person;
use std::fmt;

/// What is no growth of each measure.
const SLACK: [f64; 3] = [150.0, 2000.0, 20.0];
/// What each byte of the answer explains.
const BY_BYTE: [f64; 3] = [20.0, 4.0, 1.0];

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Steps of SQLite, bytes of its rows, and counted work of the Worker in units of 10 microseconds.
    measures: [f64; 3],
    answered: f64,
}

impl Cost {
    /// Whether a measure grew, whatever the answer did.
    pub fn is_above(self, before: Cost) -> bool {
        self.grew(before, 0.0)
    }

    /// Whether a measure grew by more than the answer explains.
    pub fn outgrows(self, before: Cost) -> bool {
        self.grew(before, (self.answered - before.answered).max(0.0))
    }

    /// Whether a measure is more than twice the other.
    pub fn is_twice(self, other: Cost) -> bool {
        (0..3).any(|at| self.measures[at] > 2.0 * other.measures[at] + SLACK[at])
    }

    fn grew(self, before: Cost, answered: f64) -> bool {
        (0..3).any(|at| self.measures[at] - before.measures[at] > SLACK[at] + BY_BYTE[at] * answered)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [steps, rows, work] = self.measures;
        write!(f, "{steps:.0} steps, {rows:.0} bytes of rows, work {work:.0} for {:.0} bytes", self.answered)
    }
}

/// Whether the costs with n, 2n and 4n records grow faster than their number: a square grows fourfold here, a line twofold.
pub fn is_bent([one, two, four]: [Cost; 3]) -> bool {
    let answered = (four.answered - two.answered).max(0.0);
    (0..3).any(|at| {
        let first = (two.measures[at] - one.measures[at]).max(0.0);
        four.measures[at] - two.measures[at] > 3.0 * first + SLACK[at] + BY_BYTE[at] * answered
    })
}

pub struct Asked {
    pub cost: Cost,
    pub status: u16,
    /// The page that it links to.
    next: Option<String>,
}

pub fn ask(stock: &Stock, target: &str, by: &Person) -> Asked {
    let database = stock.server().database();
    database.take_steps();
    database.take_crossed();
    let target = target.replace("{file}", &stock.path);
    let raw = stock.server().exchange("GET", &target, &[("private-token".to_owned(), by.token.clone())], None);
    let work = raw.record.map_or(0.0, |record| record.cost.work) * 100.0;
    let measures = [database.take_steps().0 as f64, database.take_crossed() as f64, work];
    let next = raw.headers.iter().find(|(name, _)| name == "link").and_then(|(_, links)| next(links));
    Asked { cost: Cost { measures, answered: raw.bytes.len() as f64 }, status: raw.status, next }
}

fn next(links: &str) -> Option<String> {
    let link = links.split(", ").find(|link| link.ends_with("rel=\"next\""))?;
    let address = link.strip_prefix('<')?.split_once('>')?.0;
    Some(address[address.find("/api/")?..].to_owned())
}

/// The costs of the first page, and of one in the middle of so many records, to which the page before it links.
pub fn measure(stock: &Stock, request: &Request, size: i64) -> [Cost; 2] {
    let first = ask(stock, &request.target, &request.by);
    let deep = first.next.and_then(|_| {
        let and = if request.target.contains('?') { '&' } else { '?' };
        let number = format!("{}{and}page={}", request.target, (size / 40).clamp(1, 300));
        Some(ask(stock, &ask(stock, &number, &request.by).next?, &request.by).cost)
    });
    [first.cost, deep.unwrap_or(first.cost)]
}
