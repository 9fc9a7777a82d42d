use sha1::{Digest, Sha1};

/// 40 or 64 lower-case hexadecimal digits.
pub fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Control characters, and characters that reverse the direction of text. They make names look like others.
pub fn is_deceptive(letter: char) -> bool {
    let reverses =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || reverses
}

/// The length as a JSON string, without quotes.
pub fn escaped_len(text: &str) -> usize {
    text.bytes().map(escaped).sum()
}

fn escaped(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 2,
        ..=0x1f => 6,
        _ => 1,
    }
}

/// The longest prefix that has at most `limit` bytes as a JSON string, without quotes.
pub fn cut_escaped(text: &str, limit: usize) -> &str {
    let mut length = 0;
    let end = text.bytes().position(|byte| {
        length += escaped(byte);
        length > limit
    });
    end.map_or(text, |end| cut(text, end))
}

/// The longest prefix of at most `limit` bytes.
pub fn cut(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

/// Replaces invalid UTF-8.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn sha1(text: &str) -> String {
    hex(&Sha1::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_counts_escapes_and_never_splits_a_character() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("aé", 9), "aé");
        assert_eq!(cut_escaped("\u{1}\u{1}\u{1}", 17), "\u{1}\u{1}");
        assert_eq!(cut_escaped("\"é\"", 4), "\"é");
        assert_eq!(cut_escaped("\"é\"", 3), "\"");
    }

    #[test]
    fn the_length_is_that_of_serde() {
        let all: String = (0..300_u32).filter_map(char::from_u32).collect();
        assert_eq!(escaped_len(&all), serde_json::to_string(&all).map_or(0, |json| json.len() - 2));
    }
}
