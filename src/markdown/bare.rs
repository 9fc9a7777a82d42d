//! Addresses in a text that are links without markup, as GitHub's extension of CommonMark has them:
//! <https://github.github.com/gfm/#autolinks-extension->.

const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Marks that end a sentence and not an address.
const ENDS: [char; 10] = ['?', '!', '.', ',', ':', '*', '_', '~', '\'', '"'];

/// What is before the first address of the text, the address, and the rest.
pub fn split(text: &str) -> Option<[&str; 3]> {
    text.match_indices("://").find_map(|(at, mark)| {
        let scheme = text.get(..at)?.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
        let start = at - scheme.len();
        let before = text.get(..start)?.chars().next_back();
        let is_free = before.is_none_or(|letter| !letter.is_alphanumeric());
        let is_known = SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme));
        let rest = text.get(at + mark.len()..).filter(|_| is_free && is_known)?;
        let length = length(rest.split(|letter: char| letter.is_whitespace() || letter == '<').next()?);
        let (before, address) = text.split_at_checked(start).filter(|_| length > 0)?;
        let (address, after) = address.split_at_checked(scheme.len() + mark.len() + length)?;
        Some([before, address, after])
    })
}

/// Bytes of the address at the begin of a word. A bracket belongs to it only if it was opened there.
fn length(word: &str) -> usize {
    let mut excess = word.matches(')').count().saturating_sub(word.matches('(').count());
    let mut rest = word;
    loop {
        let shorter = rest.trim_end_matches(ENDS);
        match shorter.strip_suffix(')').filter(|_| excess > 0) {
            Some(shorter) => (rest, excess) = (shorter, excess - 1),
            None => return shorter.len(),
        }
    }
}
