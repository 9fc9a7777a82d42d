//! Texts without regard to case.

/// Bytes. D1 refuses longer patterns of GLOB.
pub const LONGEST_PATTERN: usize = 50;

/// What the piece `has_text` takes: JSON [[pattern of GLOB, plain text], ..], of which a text must have all. SQLite's
/// `lower` changes only ASCII letters, so a pattern has both cases of the others. A longer one is cut into several.
pub fn patterns(text: &str) -> String {
    let text = text.to_lowercase();
    if text.is_ascii() {
        return serde_json::json!([["*", text]]).to_string();
    }
    let mut found: Vec<[String; 2]> = Vec::new();
    let mut pattern = String::from("*");
    for class in text.chars().map(in_any_case) {
        if pattern.len() + class.len() >= LONGEST_PATTERN {
            found.push([std::mem::replace(&mut pattern, "*".to_owned()) + "*", String::new()]);
        }
        pattern += &class;
    }
    found.push([pattern + "*", String::new()]);
    serde_json::json!(found).to_string()
}

/// The first pair of [`patterns`], and the rest of a longer text in lower case as plain text.
pub fn pattern(text: &str) -> String {
    let text = text.to_lowercase();
    if text.is_ascii() {
        return serde_json::json!(["*", text]).to_string();
    }
    let (mut pattern, mut letters) = (String::from("*"), text.chars());
    while let Some(letter) = letters.clone().next() {
        let class = in_any_case(letter);
        if pattern.len() + class.len() >= LONGEST_PATTERN {
            break;
        }
        pattern += &class;
        letters.next();
    }
    serde_json::json!([pattern + "*", letters.as_str()]).to_string()
}

/// The letter as a class of GLOB, with its upper case unless SQLite's `lower` changes that.
pub fn in_any_case(letter: char) -> String {
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
