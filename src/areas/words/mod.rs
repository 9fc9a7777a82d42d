//! The tokens of a text in the index of words (`migrations/0035_words.sql`), and what a search asks of that index.
//!
//! A search for a word of Latin letters finds the words that begin with it, any other one its letters wherever they are
//! (v4, section 7). So in project 1 `Fix 日本` has the tokens `o00000001wfix`, `o00000001w日本` and `o00000001w本`: a key,
//! which names the project and whether the issue is confidential, a kind, and the letters. The kind is `s` for a Latin
//! letter behind another one, which only a search that is not Latin finds, and otherwise `w`. No search reads tokens with
//! the key of others, so none costs more by what others store.

pub mod indexing;

use std::collections::BTreeSet;
use std::iter::once;

/// The key in the text of [`Asked`], which the statement replaces by that of a project.
const KEY: char = '#';

/// Letters of a token that begins with a Latin letter, and of any other one, which has a token for each of its letters.
const LONGEST: usize = 40;
const LONGEST_OF_PARTS: usize = 12;

/// The words of a search of which the index is asked: the longest ones. Each costs a look into the index for each project.
const MOST_ASKED: usize = 3;

pub const LAST_LATIN: char = '\u{2ff}';

fn is_latin(letter: char) -> bool {
    letter <= LAST_LATIN
}

/// A letter in the case in which all its cases are equal.
fn folded(letter: char) -> char {
    let only = |mut letters: [Option<char>; 2]| if letters[1].is_none() { letters[0].take() } else { None };
    let mut upper = letter.to_uppercase();
    let upper = only([upper.next(), upper.next()]).unwrap_or(letter);
    let mut lower = upper.to_lowercase();
    only([lower.next(), lower.next()]).unwrap_or(letter)
}

/// The tokens of a text, with blanks between, each once.
pub fn tokens(key: &str, text: &str) -> String {
    let letters: Vec<char> = text.chars().map(folded).collect();
    let mut found = BTreeSet::new();
    for word in letters.split(|letter| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let is_of_latin = word.iter().all(|letter| is_latin(*letter));
        let (mut rest, mut before) = (word, None);
        while let [first, behind @ ..] = rest {
            let (kind, most) = match (is_latin(*first), before.is_some_and(is_latin)) {
                (true, false) => ('w', LONGEST),
                (true, true) => ('s', LONGEST_OF_PARTS),
                (false, _) => ('w', LONGEST_OF_PARTS),
            };
            found.insert(once(kind).chain(rest.iter().take(most).copied()).collect::<String>());
            (before, rest) = (Some(*first), if is_of_latin { &[] } else { behind });
        }
    }
    found.iter().map(|token| format!("{key}{token}")).collect::<Vec<_>>().join(" ")
}

/// What a search asks of the index. `text`: a query of FTS5. `is_exact`: it finds what the search does and no more.
#[derive(Debug, PartialEq)]
pub struct Asked {
    pub text: String,
    pub is_exact: bool,
}

impl Asked {
    /// `words`: in lower case, at least one.
    pub fn of(words: &BTreeSet<String>) -> Asked {
        let mut longest: Vec<Vec<char>> = words.iter().map(|word| word.chars().map(folded).collect()).collect();
        longest.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let mut is_exact = longest.len() <= MOST_ASKED;
        let mut asks = |word: &Vec<char>| {
            let is_of_latin = word.iter().all(|letter| is_latin(*letter));
            let most = if is_of_latin { LONGEST } else { LONGEST_OF_PARTS };
            is_exact &= word.len() <= most;
            let begin: String = word.iter().take(most).collect();
            let token = |kind: char| format!("\"{KEY}{kind}{begin}\"*");
            let is_in_latin = !is_of_latin && word.first().is_some_and(|letter| is_latin(*letter));
            if is_in_latin { format!("({} OR {})", token('w'), token('s')) } else { token('w') }
        };
        let text = longest.iter().take(MOST_ASKED).map(&mut asks).collect::<Vec<_>>().join(" AND ");
        Asked { text, is_exact }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/words/mod.rs"]
mod tests;
