//! The tokens of a text in an index of words (`migrations/0035_words.sql`), and what a search asks of such an index.
//! Issues, comments and commits have an index each.
//!
//! A search for a word of Latin letters finds the words that begin with it, any other one its letters wherever they are
//! (v4, section 7). So in project 1 `Fix 日本` has the tokens `o00000001wfix`, `o00000001w日本` and `o00000001w本`: a key,
//! which names the project and whether the issue is confidential, a kind, and the letters. The kind is `s` for a Latin
//! letter behind another one, which only a search that is not Latin finds, and otherwise `w`. No search reads tokens with
//! the key of another project, so none costs more by what other projects store.

pub mod indexing;

use crate::kernel::gather::Gather;
use crate::kernel::text::fold::{Pattern, cut, in_one_case};
use std::collections::BTreeSet;
use std::iter::once;

/// The key in the text of [`Asked`], which the statement replaces by that of a project.
const KEY: char = '#';

/// Letters of a token where a Latin word begins, of any other token, and of one that begins with an ideograph: these
/// stand in long runs, with a token for each.
const LONGEST: usize = 40;
const LONGEST_OF_PARTS: usize = 12;
const LONGEST_OF_IDEOGRAPHS: usize = 4;

/// The hint of a search while the index lacks older texts.
pub const NOT_INDEXED: &str = "the index of words is still being made: older texts are not found yet";

/// The words of a search of which the index is asked: the longest ones. Each costs a look into the index for each project.
const MOST_ASKED: usize = 3;

const FIRST_IDEOGRAPH: char = '\u{2e80}';

/// The last letter of the Latin script; behind it are signs.
const LAST_LATIN: char = '\u{2c1}';

pub fn is_latin(letter: char) -> bool {
    letter <= LAST_LATIN
}

/// Whether this is a letter or digit of a word. Raised digits and fractions are signs, as is what looks like an accent.
pub fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() && !matches!(letter, '²' | '³' | '¹' | '¼'..='¾' | '\u{2c2}'..='\u{2ff}')
}

/// The text of a search in lower case.
pub fn lower(text: &str) -> String {
    // its lower case has a sign behind the letter
    text.replace('İ', "i").to_lowercase()
}

/// The first 100 words of a search in lower case, each once.
pub fn words_of(text: &str) -> BTreeSet<String> {
    let text = lower(text);
    let words = text.split(|letter: char| !is_letter(letter));
    words.filter(|word| !word.is_empty()).take(100).map(str::to_owned).gather()
}

/// A pattern for a blank and a text in lower case behind it, in which this text, in lower case, begins a word, or is
/// anywhere if its first word is not Latin. The plain text is the rest of one that is too long for a pattern.
pub fn pattern(text: &str) -> Pattern {
    let first = text.split(|letter: char| !is_letter(letter)).next().unwrap_or_default();
    // all letters up to the last Latin one
    let begins = !first.is_empty() && first.chars().all(is_latin);
    let (glob, rest) = cut(if begins { "*[^0-9a-zªµºÀ-ÖØ-öø-\u{2c1}]" } else { "*" }, text);
    Pattern { glob, text: rest.to_owned() }
}

/// A pattern for each word of a search.
pub fn patterns(words: &BTreeSet<String>) -> Vec<Pattern> {
    words.iter().map(|word| pattern(word)).collect()
}

fn most_of_part(first: char) -> usize {
    if first < FIRST_IDEOGRAPH { LONGEST_OF_PARTS } else { LONGEST_OF_IDEOGRAPHS }
}

/// The tokens of a text, with blanks between, each once.
pub fn tokens(key: &str, text: &str) -> String {
    let letters: Vec<char> = text.chars().map(in_one_case).collect();
    let mut found = BTreeSet::new();
    for word in letters.split(|letter| !is_letter(*letter)).filter(|word| !word.is_empty()) {
        let is_of_latin = word.iter().all(|letter| is_latin(*letter));
        let (mut rest, mut before) = (word, None);
        while let [first, behind @ ..] = rest {
            let (kind, most) = match (is_latin(*first), before.is_some_and(is_latin)) {
                (true, false) => ('w', LONGEST),
                (true, true) => ('s', LONGEST_OF_PARTS),
                (false, _) => ('w', most_of_part(*first)),
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

/// Records that the pages of a search reach by their numbers: fewer if their texts are read.
pub fn reach(is_exact: bool) -> i64 {
    if is_exact { 10_000 } else { 1000 }
}

impl Asked {
    /// `words`: in lower case, at least one.
    pub fn of(words: &BTreeSet<String>) -> Asked {
        let mut longest: Vec<Vec<char>> = words.iter().map(|word| word.chars().map(in_one_case).collect()).collect();
        longest.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        let mut is_exact = longest.len() <= MOST_ASKED;
        let mut asks = |word: &Vec<char>| {
            let is_of_latin = word.iter().all(|letter| is_latin(*letter));
            let first = word.first().copied().unwrap_or_default();
            let most = if is_of_latin { LONGEST } else { most_of_part(first) };
            is_exact &= word.len() <= most;
            let begin: String = word.iter().take(most).collect();
            let token = |kind: char| format!("\"{KEY}{kind}{begin}\"*");
            if !is_of_latin && is_latin(first) { format!("({} OR {})", token('w'), token('s')) } else { token('w') }
        };
        let text = longest.iter().take(MOST_ASKED).map(&mut asks).collect::<Vec<_>>().join(" AND ");
        Asked { text, is_exact }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/words/mod.rs"]
mod tests;
