//! Which copy of the database a batch goes to.

/// The primary database, or a replica of it, as a session of D1 is opened:
/// <https://developers.cloudflare.com/d1/best-practices/read-replication/>. A replica lags behind, by no time that anybody
/// promises.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reading {
    /// The primary, without a session: as if there were no replicas.
    #[default]
    Primary,
    /// The primary, and its answer says which state it left: a bookmark.
    Marked,
    /// Whatever copy is at least as new as this bookmark.
    AtLeast(String),
    /// Whatever copy is near by.
    Nearest,
}

impl Reading {
    /// What D1's `withSession` is given; none: there is no session.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Reading::Primary => None,
            Reading::Marked => Some("first-primary"),
            Reading::AtLeast(bookmark) => Some(bookmark),
            Reading::Nearest => Some("first-unconstrained"),
        }
    }

    /// Whether it may be answered by a replica.
    pub fn is_away(&self) -> bool {
        matches!(self, Reading::AtLeast(_) | Reading::Nearest)
    }
}

/// The longest bookmark that is looked at, in bytes. Those of D1 have 59.
const LONGEST: usize = 100;

/// Whether a text may be a bookmark: numbers in hexadecimal with `-` between. None of the words that a session may begin
/// with is one, so no client can choose among them.
pub fn is_bookmark(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() <= LONGEST && text.contains('-') && text.split('-').all(number)
}

#[cfg(test)]
#[path = "../../tests/unit/store/reading.rs"]
mod tests;
