//! Messages go to standard error. A terminal also gets a progress bar, and a file a line now and then.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::text::{count, printable};

#[derive(Debug)]
pub struct Console {
    verbose: bool,
    quiet: bool,
    is_terminal: bool,
    /// `None` if quiet.
    bar: Option<Mutex<Bar>>,
}

#[derive(Debug)]
struct Bar {
    started: Instant,
    drawn: Option<Instant>,
    done: u64,
    total: u64,
}

/// The time between two lines of progress in a file.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Console {
    /// `quiet` prints only warnings and errors, `verbose` also every request.
    pub fn new(verbose: bool, quiet: bool) -> Console {
        let bar = (!quiet).then(|| Mutex::new(Bar { started: Instant::now(), drawn: None, done: 0, total: 0 }));
        Console { verbose, quiet, is_terminal: std::io::stderr().is_terminal(), bar }
    }

    pub fn say(&self, text: &str) {
        if !self.quiet {
            self.line(text);
        }
    }

    pub fn warn(&self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    /// Prints the error that ends the program. It works before a `Console` exists.
    pub fn fail(text: &str) {
        let _ = writeln!(std::io::stderr(), "edgeforge-mirror: {}", printable(text));
    }

    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.line(text);
        }
    }

    fn line(&self, text: &str) {
        let bar = self.bar().filter(|_| self.is_terminal);
        let clear = if bar.as_ref().is_some_and(|bar| bar.drawn.is_some()) { "\r\x1b[K" } else { "" };
        let _ = writeln!(std::io::stderr(), "{clear}edgeforge-mirror: {}", printable(text));
        if let Some(mut bar) = bar {
            bar.drawn = None;
        }
    }

    fn bar(&self) -> Option<MutexGuard<'_, Bar>> {
        self.bar.as_ref().map(|bar| bar.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn has_bar(&self) -> bool {
        self.is_terminal && self.bar.is_some()
    }

    pub fn expect(&self, total: u64) {
        if let Some(mut bar) = self.bar() {
            *bar = Bar { started: Instant::now(), drawn: None, done: 0, total };
        }
    }

    pub fn advance(&self, commits: u64) {
        let Some(mut bar) = self.bar() else { return };
        bar.done += commits;
        if !self.is_terminal {
            let last = bar.drawn.unwrap_or(bar.started);
            if bar.total > 0 && last.elapsed() > BETWEEN_LINES {
                bar.drawn = Some(Instant::now());
                let _ = writeln!(std::io::stderr(), "edgeforge-mirror: {} of {}", bar.done, bar.total);
            }
            return;
        }
        if bar.drawn.is_none_or(|drawn| drawn.elapsed() > Duration::from_millis(100)) {
            bar.drawn = Some(Instant::now());
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", bar.show(bar.started.elapsed()));
        }
    }

    pub fn finish(&self) {
        if let Some(mut bar) = self.bar().filter(|_| self.is_terminal)
            && bar.drawn.take().is_some()
        {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Bar {
    fn show(&self, elapsed: Duration) -> String {
        const WIDTH: u64 = 24;
        let total = self.total.max(self.done).max(1);
        let filled = WIDTH * self.done / total;
        let bar: String = (0..WIDTH).map(|at| if at < filled { '#' } else { '.' }).collect();
        let rate = self.done as f64 / elapsed.as_secs_f64().max(0.001);
        let left = (total - self.done) as f64 / rate.max(0.001);
        let left = if self.done == 0 { "--:--".to_owned() } else { clock(left as u64) };
        format!("[{bar}] {}/{total}, {rate:.0}/s, {left} left", self.done)
    }
}

fn clock(seconds: u64) -> String {
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// Prints a line on standard output. A closed pipe is not an error.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// `5 commits in 1.2 s (4/s)`, or `0 commits`.
pub fn pace(commits: u64, elapsed: Duration) -> String {
    let sent = count(commits, "commit");
    let seconds = elapsed.as_secs_f64();
    if commits == 0 { sent } else { format!("{sent} in {seconds:.1} s ({:.0}/s)", commits as f64 / seconds.max(0.001)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_of_no_commits_has_no_rate() {
        assert_eq!(pace(5, Duration::from_millis(1200)), "5 commits in 1.2 s (4/s)");
        assert_eq!(pace(0, Duration::from_millis(1200)), "0 commits");
    }

    #[test]
    fn the_bar_shows_rate_and_time_left() {
        let bar = Bar { started: Instant::now(), drawn: None, done: 25, total: 100 };
        assert_eq!(bar.show(Duration::from_secs(5)), "[######..................] 25/100, 5/s, 0:15 left");
    }

    #[test]
    fn a_bar_at_zero_shows_no_time_left() {
        let bar = Bar { started: Instant::now(), drawn: None, done: 0, total: 0 };
        assert!(bar.show(Duration::ZERO).ends_with("0/1, 0/s, --:-- left"));
    }
}
