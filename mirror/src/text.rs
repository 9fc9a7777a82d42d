use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Decodes UTF-8 with replacement characters and cuts at `limit` bytes.
pub fn lossy(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    edgeforge_wire::text::cut(&text, limit).to_owned()
}

/// Replaces control characters except tabs, because a terminal would obey them.
pub fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() && letter != '\t' { '\u{fffd}' } else { letter }).collect()
}

const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `https://forge.example.com` of an address.
pub fn origin(address: &str) -> &str {
    let begin = address.find("://").map_or(0, |at| at + 3);
    let length = address.get(begin..).and_then(|rest| rest.find('/')).unwrap_or(address.len() - begin);
    address.get(..begin + length).unwrap_or(address)
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
    fn nothing_from_elsewhere_moves_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}c\td"), "a\u{fffd}[2Jb\u{fffd}c\td");
    }

    #[test]
    fn a_project_path_is_one_segment() {
        assert_eq!(segment("ns/pro j.x"), "ns%2Fpro%20j.x");
    }
}
