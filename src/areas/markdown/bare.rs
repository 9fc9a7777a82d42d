//! Finds addresses in a text that become links without markup, as in GitHub's extension of CommonMark:
//! <https://github.github.com/gfm/#autolinks-extension->.

const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

/// Marks that end a sentence and not an address.
const ENDS: &[u8] = b"?!.,:*_~'\"";

/// The text before its first address, the address, and the rest.
pub fn split(text: &str) -> Option<[&str; 3]> {
    let mut end = 0;
    loop {
        let mark = end + text.get(end..)?.find("://")?;
        end = mark + "://".len();
        let before = text.as_bytes().get(..mark)?;
        let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
        let start = mark - letters.count();
        let scheme = before.get(start..)?;
        if SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            let length = length(text.as_bytes().get(end..)?);
            let (before, rest) = text.split_at_checked(start)?;
            let (address, rest) = rest.split_at_checked(end - start + length)?;
            if length > 0 {
                return Some([before, address, rest]);
            }
        }
    }
}

/// Bytes of the address at the begin of the text. A bracket belongs to it only if it was opened there.
fn length(text: &[u8]) -> usize {
    let mut length = text.iter().take_while(|byte| **byte > b' ' && **byte != b'<').count();
    let word = text.get(..length).unwrap_or_default();
    let count = |bracket: u8| word.iter().filter(|byte| **byte == bracket).count();
    let mut excess = count(b')').saturating_sub(count(b'('));
    for byte in word.iter().rev() {
        match byte {
            b')' if excess > 0 => excess -= 1,
            byte if ENDS.contains(byte) => {}
            _ => break,
        }
        length -= 1;
    }
    length
}
