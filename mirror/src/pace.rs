//! The speed of a long run of requests, and what it came to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// For a 429 that does not say how long.
const PLAIN_WAIT: u64 = 60;

#[derive(Debug)]
pub struct Pace {
    slots: Mutex<Slots>,
    pub requests: AtomicU64,
    pub received: AtomicU64,
    /// Milliseconds.
    pub waited: AtomicU64,
}

#[derive(Debug)]
struct Slots {
    /// When the next request may begin.
    next: Instant,
    /// Between two requests.
    interval: Duration,
    /// The interval until the server counts anew.
    shared: Option<(Duration, Instant)>,
}

impl Pace {
    /// `rate`: the most requests a minute, 0 for as many as come.
    pub fn new(rate: u32) -> Pace {
        let interval = Duration::from_secs(60).checked_div(rate).unwrap_or_default();
        let slots = Slots { next: Instant::now(), interval, shared: None };
        Pace {
            slots: Mutex::new(slots),
            requests: AtomicU64::new(0),
            received: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        }
    }

    /// Waits until a request may begin.
    pub fn begin(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let at = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.shared = slots.shared.filter(|(_, until)| now < *until);
            let shared = slots.shared.map_or(Duration::ZERO, |(interval, _)| interval);
            let at = slots.next.max(now);
            slots.next = at + slots.interval.max(shared);
            at
        };
        self.wait(at.saturating_duration_since(now));
    }

    pub fn wait(&self, pause: Duration) {
        self.waited.fetch_add(u64::try_from(pause.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        thread::sleep(pause);
    }

    pub fn receive(&self, bytes: u64) {
        self.received.fetch_add(bytes, Ordering::Relaxed);
    }

    /// `after`: the header Retry-After. Returns the seconds to wait. Below a tenth of what the server allows, the rest is
    /// shared evenly until it counts anew.
    pub fn heed(&self, status: u16, after: Option<u64>, limits: [Option<u64>; 3]) -> Option<u64> {
        let [limit, remaining, reset] = limits;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let left = reset.map(|reset| reset.saturating_sub(now));
        if let (Some(limit), Some(remaining @ 1..), Some(left)) = (limit, remaining, left)
            && remaining < limit / 10
        {
            let interval = Duration::from_secs_f64(left as f64 / remaining as f64);
            let until = Instant::now() + Duration::from_secs(left);
            self.slots.lock().unwrap_or_else(PoisonError::into_inner).shared = Some((interval, until));
        }
        match status {
            429 => after.or(left).or(Some(PLAIN_WAIT)),
            503 => after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_for_speed_is_waited_for() {
        let pace = Pace::new(0);
        let reset = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + 30;
        assert_eq!(pace.heed(429, Some(7), [None; 3]), Some(7));
        assert!(matches!(pace.heed(429, None, [None, None, Some(reset)]), Some(29..=30)));
        assert_eq!(pace.heed(429, None, [None; 3]), Some(60));
        assert_eq!(pace.heed(500, Some(7), [None; 3]), None);
    }

    #[test]
    fn the_last_tenth_is_shared_until_the_server_counts_anew() {
        let pace = Pace::new(0);
        let reset = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + 10;
        pace.heed(200, None, [Some(2000), Some(500), Some(reset)]);
        assert_eq!(pace.slots.lock().unwrap().shared, None);
        pace.heed(200, None, [Some(2000), Some(100), Some(reset)]);
        let (interval, _) = pace.slots.lock().unwrap().shared.unwrap();
        assert!((90..=100).contains(&interval.as_millis()), "{interval:?}");
    }

    #[test]
    fn requests_keep_their_distance() {
        let pace = Pace::new(6000);
        let began = Instant::now();
        (0..6).for_each(|_| pace.begin());
        assert!(began.elapsed() >= Duration::from_millis(50));
    }
}
