//! What a run did: on standard output, and as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::common::unusable;
use crate::console::{Console, print};
use crate::error::{Error, Result};
use crate::pace::Pace;
use crate::text::printable;

/// Addresses of one rule.
const MOST_ADDRESSES: usize = 20;

#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The server counts what is new, changed or the same for records of all kinds together: `record`.
    pub kinds: BTreeMap<&'static str, Counts>,
    /// By the reason.
    pub left_out: BTreeMap<String, Left>,
    /// How people were found.
    pub people: BTreeMap<&'static str, u64>,
    /// Records that should have come, and why they did not.
    pub refused: BTreeMap<String, Left>,
    pub requests: u64,
    pub bytes: u64,
    pub seconds: f64,
    pub seconds_waited: f64,
}

#[derive(Debug, Default, Clone, Serialize)]
pub struct Counts {
    pub read: u64,
    pub new: u64,
    pub changed: u64,
    pub same: u64,
    pub kept: u64,
    pub refused: u64,
}

#[derive(Debug, Default, Serialize)]
pub struct Left {
    pub count: u64,
    pub addresses: Vec<String>,
}

impl Left {
    fn add(&mut self, count: u64, address: &str) {
        self.count += count;
        if self.addresses.len() < MOST_ADDRESSES
            && !address.is_empty()
            && self.addresses.last().is_none_or(|last| last != address)
        {
            self.addresses.push(address.to_owned());
        }
    }
}

impl Report {
    pub fn leave(&mut self, rule: &str, address: &str) {
        self.leave_many(rule, 1, address);
    }

    pub fn leave_many(&mut self, rule: &str, count: u64, address: &str) {
        if count > 0 {
            self.left_out.entry(rule.to_owned()).or_default().add(count, address);
        }
    }

    pub fn refuse(&mut self, why: &str, address: &str) {
        self.refused.entry(why.to_owned()).or_default().add(1, address);
    }

    /// A record or file of a kind.
    pub fn refuse_one(&mut self, kind: &'static str, why: &str, address: &str) {
        self.of(kind).refused += 1;
        self.refuse(why, address);
    }

    pub fn of(&mut self, kind: &'static str) -> &mut Counts {
        self.kinds.entry(kind).or_default()
    }

    /// Prints it, and writes it to the file. Returns the exit code.
    pub fn end(mut self, pace: &Pace, began: Instant, file: Option<&str>) -> Result<u8> {
        self.requests = pace.requests.load(Ordering::Relaxed);
        self.bytes = pace.received.load(Ordering::Relaxed);
        self.seconds_waited = pace.waited.load(Ordering::Relaxed) as f64 / 1000.0;
        self.seconds = began.elapsed().as_secs_f64();
        self.show();
        if let Some(file) = file {
            let text = serde_json::to_vec_pretty(&self).map_err(|error| Error::Usage(error.to_string()))?;
            fs::write(file, text).map_err(unusable(Path::new(file)))?;
        }
        Ok(if self.refused.is_empty() { 0 } else { 3 })
    }

    fn show(&self) {
        for (kind, counts) in &self.kinds {
            let Counts { read, new, changed, same, kept, refused } = counts;
            let parts = [("new", new), ("changed", changed), ("same", same), ("kept", kept), ("refused", refused)];
            let parts: String =
                parts.iter().filter(|(_, n)| **n > 0).map(|(name, n)| format!(", {} {name}", thousands(**n))).collect();
            print(&format!("{kind}: {} read{parts}", thousands(*read)));
        }
        for (how, count) in &self.people {
            print(&format!("people {how}: {count}"));
        }
        for (mark, all) in [("left out", &self.left_out), ("refused", &self.refused)] {
            for (why, left) in all {
                print(&printable(&format!("{mark}: {} x {why}", thousands(left.count))));
                left.addresses.iter().for_each(|address| print(&printable(&format!("  {address}"))));
                let more = left.count.saturating_sub(left.addresses.len() as u64);
                if more > 0 && !left.addresses.is_empty() {
                    print(&format!("  and {} more", thousands(more)));
                }
            }
        }
        let (seconds, waited) = (self.seconds, self.seconds_waited);
        let (requests, bytes) = (thousands(self.requests), thousands(self.bytes));
        print(&format!("{requests} requests, {bytes} bytes read, {seconds:.1} s, of them {waited:.1} s of waits"));
    }
}

/// `61,000`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Shows how far a run is: each second on a terminal, else each 30 seconds.
pub struct Progress<'a> {
    console: &'a Console,
    pace: &'a Pace,
    what: &'static str,
    total: u64,
    pub done: u64,
    began: Instant,
    told: Instant,
    requests_before: u64,
    is_terminal: bool,
}

impl<'a> Progress<'a> {
    pub fn new(console: &'a Console, pace: &'a Pace, what: &'static str, total: u64) -> Progress<'a> {
        let (now, requests_before) = (Instant::now(), pace.requests.load(Ordering::Relaxed));
        let is_terminal = std::io::stderr().is_terminal();
        Progress { console, pace, what, total, done: 0, began: now, told: now, requests_before, is_terminal }
    }

    pub fn advance(&mut self, count: u64) {
        self.done += count;
        let between = Duration::from_secs(if self.is_terminal { 1 } else { 30 });
        if self.told.elapsed() >= between {
            self.told = Instant::now();
            let requests = self.pace.requests.load(Ordering::Relaxed) - self.requests_before;
            let text = self.line(requests, self.began.elapsed());
            if self.is_terminal && self.console.has_bar() {
                let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
            } else {
                self.console.say(&text);
            }
        }
    }

    pub fn end(&self) {
        if self.is_terminal && self.console.has_bar() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn line(&self, requests: u64, elapsed: Duration) -> String {
        let (total, seconds) = (self.total.max(self.done).max(1), elapsed.as_secs_f64().max(0.001));
        let left = seconds / self.done.max(1) as f64 * (total - self.done) as f64;
        let (done, of) = (thousands(self.done), thousands(total));
        let (percent, rate) = (100 * self.done / total, requests as f64 / seconds);
        format!("{} {done} of {of} ({percent} %), {rate:.0} requests/s, about {} left", self.what, rough(left))
    }
}

/// `14 min`, or `40 s`.
pub fn rough(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
#[path = "../../tests/unit/moving/report.rs"]
mod tests;
