//! Texts without regard to case.

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

/// The first pattern and the rest of a longer text in lower case, as a JSON list: a page of commits has no room for
/// names (history.sql).
pub fn pattern(text: &str) -> String {
    let text = text.to_lowercase();
    let (pattern, rest) = if text.is_ascii() { ("*".to_owned(), text.as_str()) } else { cut("*", &text) };
    json!([pattern, rest]).to_string()
}

/// A pattern that begins with `begin` and has as many letters of the text as fit, and the rest of the text.
pub fn cut<'t>(begin: &str, text: &'t str) -> (String, &'t str) {
    let (mut pattern, mut letters) = (begin.to_owned(), text.chars());
    loop {
        let rest = letters.as_str();
        let class =
            letters.next().map(in_any_case).filter(|class| pattern.len() + class.len() < LONGEST_PATTERN);
        let Some(class) = class else { return (pattern + "*", rest) };
        pattern += &class;
    }
}

/// A pattern for texts with this one, in which `*` is any text. `is_open`: whether there may be more before it, and behind it.
/// None if it is too long.
pub fn glob(text: &str, is_open: [bool; 2]) -> Option<String> {
    let [begin, end] = is_open.map(|is_open| if is_open { "*" } else { "" });
    let text = text.to_lowercase();
    let letters = text.chars().map(|letter| if letter == '*' { "*".to_owned() } else { in_any_case(letter) });
    let pattern = format!("{begin}{}{end}", letters.collect::<String>());
    (pattern.len() <= LONGEST_PATTERN).then_some(pattern)
}

/// The letter as a class of GLOB, with its upper case unless SQLite's `lower` changes that.
fn in_any_case(letter: char) -> String {
    let upper: String = letter.to_uppercase().collect();
    match upper.chars().count() {
        1 if !letter.is_ascii() && !upper.starts_with(letter) => format!("[{letter}{upper}]"),
        _ if "*?[".contains(letter) => format!("[{letter}]"),
        _ => letter.to_string(),
    }
}

/// As systems compare names that look neither at case nor at the form of Unicode. JavaScript has the tables: a crate
/// with them makes the Worker 24 kB heavier.
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
#[path = "../../tests/unit/kernel/fold.rs"]
mod tests;
