//! The words of issues, by which their lists are searched (migration 0014).

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Different words that are kept of a text: so many rows are written with it, three times as many if it is confidential.
const MOST_WORDS: usize = 100;

/// Characters of a word that are kept.
const LONGEST: usize = 32;

/// The words of a text in lower case, in order: runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().take(LONGEST).collect::<String>().to_lowercase())
}

/// The first different ones.
fn first(text: &str) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    for word in words(text) {
        if kept.len() == MOST_WORDS {
            break;
        }
        kept.insert(word);
    }
    kept
}

/// The column `words` of an issue with these texts.
pub fn column(title: &str, description: Option<&str>) -> Value {
    json!({ "t": first(title), "d": first(description.unwrap_or_default()) })
}

/// The different words that are searched for.
pub fn searched(text: &str) -> Vec<String> {
    Vec::from_iter(first(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits_without_case() {
        assert_eq!(column("Ärger: a_b, A-b 42!", None), json!({ "t": ["42", "a", "b", "ärger"], "d": [] }));
        assert!(searched(" ?! ").is_empty());
        let many: String = (0..1000).map(|number| format!("w{number} ")).collect();
        assert_eq!(searched(&many).len(), MOST_WORDS);
        assert_eq!(searched(&"é".repeat(99)), ["é".repeat(LONGEST)]);
    }
}
