//! How many bytes of pushes one instance of the Worker reads at once. A push of 8 MB takes 32 MB of memory, and the instance has 128 MB.

/// Bytes of bodies that are read or stored at once. One alone may be longer.
const MOST: usize = 12 << 20;

/// The most that a body counts until it is read.
pub(crate) const UNREAD: usize = 4 << 20;

/// Milliseconds after which a push has ended, even if the platform ended it without a word.
const LONGEST: i64 = 60_000;

#[derive(Debug, Default)]
pub(crate) struct Bodies {
    held: usize,
    /// When the last one began, in milliseconds since 1970.
    at: i64,
}

impl Bodies {
    /// Whether there is room. What was taken must be released.
    pub(crate) fn take(&mut self, bytes: usize, now: i64) -> bool {
        if now - self.at > LONGEST {
            self.held = 0;
        }
        let has_room = self.held == 0 || self.held + bytes <= MOST;
        if has_room {
            (self.held, self.at) = (self.held + bytes, now);
        }
        has_room
    }

    pub(crate) fn release(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/limits/bodies.rs"]
mod tests;
