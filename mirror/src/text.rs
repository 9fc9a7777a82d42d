//! Bytes of a repository as the valid UTF-8 that JSON needs.

/// Longest message that is sent; the rest is cut. (A database row holds 2 MB.)
pub const LONGEST_MESSAGE: usize = 1024 * 1024;

/// Longest name or address that is sent.
pub const LONGEST_NAME: usize = 4 * 1024;

/// The bytes as text, what is no UTF-8 replaced, and no longer than `limit` bytes.
pub fn lossy(bytes: &[u8], limit: usize) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
    }
    text
}

/// One path segment of a URL: everything but letters, digits and `-._~` is escaped.
pub fn segment(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

/// `1 commit`, `2 commits`.
pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(lossy("aé".as_bytes(), 2), "a");
        assert_eq!(lossy(b"a\xff", 9), "a\u{fffd}");
    }

    #[test]
    fn a_project_path_is_one_segment() {
        assert_eq!(segment("ns/pro j.x"), "ns%2Fpro%20j.x");
    }
}
