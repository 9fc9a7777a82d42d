//! What a list searches for: a query of the index of words, and patterns for texts that are read.

use crate::areas::words::{Asked, is_latin, is_letter};
use crate::kernel::text::fold::{Pattern, cut};
use std::collections::BTreeSet;

/// Each word must begin a word of the title or the description. A word with letters of a script other than Latin may
/// be anywhere (v4, section 7). A word is a run of letters and digits ([`is_letter`]). Case does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// The first 100 words in lower case, each once.
    pub fn words(&self) -> BTreeSet<String> {
        // its lower case has a sign behind the letter
        let text = self.text.replace('İ', "i").to_lowercase();
        let words = text.split(|letter: char| !is_letter(letter));
        words.filter(|word| !word.is_empty()).take(100).map(str::to_owned).collect()
    }

    /// Whether it has no letter or digit.
    pub fn finds_nothing(&self) -> bool {
        self.words().is_empty() || !(self.title || self.description)
    }

    /// What it asks of the index of words.
    pub fn asked(&self) -> Asked {
        let Asked { text, is_exact } = Asked::of(&self.words());
        let text = match (self.title, self.description) {
            (true, false) => format!("{{title}} : ({text})"),
            (false, true) => format!("{{description}} : ({text})"),
            _ => text,
        };
        Asked { text, is_exact }
    }

    /// For each word a pattern, and as plain text the rest of a word that is too long for a pattern.
    pub fn patterns(&self) -> Vec<Pattern> {
        self.words().iter().map(|word| pattern(word)).collect()
    }
}

pub(super) fn pattern(word: &str) -> Pattern {
    // all letters up to the last Latin one
    let begin = if word.chars().all(is_latin) { "*[^0-9a-zªµºÀ-ÖØ-öø-\u{2c1}]" } else { "*" };
    let (glob, rest) = cut(begin, word);
    Pattern { glob, text: rest.to_owned() }
}
