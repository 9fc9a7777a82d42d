//! The ends of lines of a file in an archive.

/// How the lines of a file end in an archive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ends {
    AsStored,
    Crlf,
    /// CRLF if git takes the file for a text of LF.
    CrlfIfText,
}

/// The bytes with CRLF at the ends of lines. None if they stay as they are.
pub fn with_crlf(bytes: &[u8], ends: Ends) -> Option<Vec<u8>> {
    let is_return = |at: usize| at.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'\r');
    let is_bare = |(at, byte): &(usize, &u8)| **byte == b'\n' && !is_return(*at);
    let bare = bytes.iter().enumerate().filter(is_bare).count();
    let is_kept = ends == Ends::CrlfIfText && (bytes.contains(&b'\r') || !is_text(bytes));
    if ends == Ends::AsStored || bare == 0 || is_kept {
        return None;
    }
    let mut made = Vec::with_capacity(bytes.len() + bare);
    for (at, byte) in bytes.iter().enumerate() {
        if is_bare(&(at, byte)) {
            made.push(b'\r');
        }
        made.push(*byte);
    }
    Some(made)
}

/// git's guess whether a file without CR is a text: it has no NUL, and at most one control character for 128 others.
fn is_text(bytes: &[u8]) -> bool {
    let is_odd = |byte: &&u8| matches!(**byte, 0..=31 | 127) && !matches!(**byte, 8..=10 | 12 | 27);
    let odd = bytes.iter().filter(is_odd).count() - usize::from(bytes.last() == Some(&26));
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let plain = bytes.len() - lines - bytes.iter().filter(is_odd).count();
    !bytes.contains(&0) && plain >> 7 >= odd
}
