/// Bytes of a name.
const LONGEST: usize = 255;

/// The name under which a file is stored: the last part of its path, with `_` for each character but letters, digits, `_`, `.`, `-` and
/// `+`. None for a name that is blank or too long.
pub fn stored(sent: &str) -> Option<String> {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let kept = |letter: char| match letter {
        '_' | '.' | '-' | '+' => letter,
        letter if letter.is_alphanumeric() => letter,
        _ => '_',
    };
    let name: String = last.chars().map(kept).collect();
    // in an address, a name of points would lead to another directory
    let prefix = if name.chars().all(|letter| letter == '.') { "_" } else { "" };
    let whole = format!("{prefix}{name}");
    (!name.is_empty() && whole.len() <= LONGEST).then_some(whole)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/uploads/names.rs"]
mod tests;
