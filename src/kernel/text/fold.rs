//! Compares and searches texts without regard to case.

use serde::Serialize;
use serde_json::json;

/// Bytes. D1 refuses longer patterns of GLOB.
pub const LONGEST_PATTERN: usize = 50;

/// A text matches if the pattern of GLOB does, and if it has the plain text.
#[derive(Debug, PartialEq, Serialize)]
pub struct Pattern {
    pub glob: String,
    pub text: String,
}

/// What the piece `has_text` takes: a JSON list of [`Pattern`], all of which must match. SQLite's `lower` changes only
/// ASCII letters, so a pattern has both cases of the others. A longer one is cut into several.
pub fn patterns(text: &str) -> String {
    let text = text.to_lowercase();
    if text.is_ascii() {
        return json!([Pattern { glob: "*".to_owned(), text }]).to_string();
    }
    let (mut found, mut rest) = (Vec::new(), text.as_str());
    while !rest.is_empty() {
        let (glob, behind) = cut("*", rest);
        found.push(Pattern { glob, text: String::new() });
        rest = behind;
    }
    json!(found).to_string()
}

/// One pair like those of [`patterns`]. The plain text is what did not fit into the pattern, in lower case.
pub fn pattern(text: &str) -> String {
    let text = text.to_lowercase();
    let (glob, rest) = if text.is_ascii() { ("*".to_owned(), text.as_str()) } else { cut("*", &text) };
    json!(Pattern { glob, text: rest.to_owned() }).to_string()
}

/// Returns a pattern of `begin` and as many letters of the text as fit, and the rest of the text.
pub fn cut<'t>(begin: &str, text: &'t str) -> (String, &'t str) {
    let (mut pattern, mut letters) = (begin.to_owned(), text.chars());
    loop {
        let rest = letters.as_str();
        let class = letters.next().map(in_any_case).filter(|class| pattern.len() + class.len() < LONGEST_PATTERN);
        let Some(class) = class else { return (pattern + "*", rest) };
        pattern += &class;
    }
}

/// A pattern for texts that contain this one, in which `*` is any text. `is_open`: whether more text may come before
/// it, and after it. None if the pattern is too long.
pub fn glob(text: &str, is_open: [bool; 2]) -> Option<String> {
    let [begin, end] = is_open.map(|is_open| if is_open { "*" } else { "" });
    let text = text.to_lowercase();
    let letters = text.chars().map(|letter| if letter == '*' { "*".to_owned() } else { in_any_case(letter) });
    let pattern = format!("{begin}{}{end}", letters.collect::<String>());
    (pattern.len() <= LONGEST_PATTERN).then_some(pattern)
}

/// The pattern of a letter in lower case: a class of GLOB with both cases, or one case if SQLite's `lower` changes the
/// other.
fn in_any_case(letter: char) -> String {
    let upper: String = letter.to_uppercase().collect();
    match upper.chars().count() {
        _ if in_one_case(letter) == 'σ' => "[σςΣ]".to_owned(),
        1 if !letter.is_ascii() && !upper.starts_with(letter) => format!("[{letter}{upper}]"),
        _ if "*?[".contains(letter) => format!("[{letter}]"),
        _ => letter.to_string(),
    }
}

/// The letter in lower case. It stays unless it is the upper case of that one: so it is equal where a pattern matches.
pub fn in_one_case(letter: char) -> char {
    let only = |mut letters: [Option<char>; 2]| if letters[1].is_none() { letters[0].take() } else { None };
    let mut lower = letter.to_lowercase();
    let lower = only([lower.next(), lower.next()]).unwrap_or(letter);
    let mut upper = lower.to_uppercase();
    match letter {
        'ς' => 'σ',
        'İ' => 'i',
        _ if only([upper.next(), upper.next()]) == Some(letter) => lower,
        _ => letter,
    }
}

/// A name as file systems compare it that ignore case and the normal form of Unicode. JavaScript has the tables; a
/// crate with them makes the Worker 24 kB heavier.
#[cfg(target_arch = "wasm32")]
pub fn folded(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFD").to_upper_case().to_lower_case().into()
}

/// The same, for tests.
#[cfg(not(target_arch = "wasm32"))]
pub fn folded(text: &str) -> String {
    unicode_normalization::UnicodeNormalization::nfd(text).collect::<String>().to_uppercase().to_lowercase()
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/text/fold.rs"]
mod tests;
