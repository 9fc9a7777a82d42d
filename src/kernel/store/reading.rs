/// Which copy of the database a session of D1 reads:
/// <https://developers.cloudflare.com/d1/best-practices/read-replication/>. A replica may lag behind by any time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reading {
    #[default]
    Primary,
    /// The primary. The answer has a bookmark of the state.
    Marked,
    /// Any copy that is at least as new as this bookmark.
    AtLeast(String),
    /// Any copy, usually the nearest.
    Nearest,
}

impl Reading {
    /// The argument of D1's `withSession`. None if no session is opened.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Reading::Primary => None,
            Reading::Marked => Some("first-primary"),
            Reading::AtLeast(bookmark) => Some(bookmark),
            Reading::Nearest => Some("first-unconstrained"),
        }
    }

    /// Whether a replica may answer.
    pub fn is_away(&self) -> bool {
        matches!(self, Reading::AtLeast(_) | Reading::Nearest)
    }
}

/// Bytes. Bookmarks of D1 have 59.
const LONGEST: usize = 100;

/// Whether a text has the form of a bookmark: hexadecimal numbers joined by `-`. The words that `withSession`
/// takes have another form, so clients cannot send them.
pub fn is_bookmark(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() <= LONGEST && text.contains('-') && text.split('-').all(number)
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/store/reading.rs"]
mod tests;
