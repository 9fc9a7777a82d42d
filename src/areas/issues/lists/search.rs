//! What a list searches for: a query of the index of words, and patterns for texts that are read.

use crate::areas::words::Asked;
use std::collections::BTreeSet;

/// Each word must begin a word of the title or the description. A word with letters of a script other than Latin may
/// be anywhere (v4, section 7). A word is a run of letters and digits. Case does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// As of [`words_of`](crate::areas::words::words_of).
    pub words: BTreeSet<String>,
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// Whether it has no letter or digit.
    pub fn finds_nothing(&self) -> bool {
        self.words.is_empty() || !(self.title || self.description)
    }

    /// What it asks of the index of words.
    pub fn asked(&self) -> Asked {
        let Asked { text, is_exact } = Asked::of(&self.words);
        let text = match (self.title, self.description) {
            (true, false) => format!("{{title}} : ({text})"),
            (false, true) => format!("{{description}} : ({text})"),
            _ => text,
        };
        Asked { text, is_exact }
    }
}
