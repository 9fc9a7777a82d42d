use crate::areas::markdown::reader::{Shown, shown};
use crate::areas::markdown::references::mentioned;
use crate::kernel::error::ValidationErrors;
use crate::kernel::names::check_letters;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const MOST_MENTIONS: usize = 100;

/// The user names that the texts in Markdown show as `@name`, each once and in lower case.
pub fn mentions(texts: &[&str]) -> Vec<String> {
    let mut names = BTreeSet::new();
    // `&#64;` is shown as the mark, too
    for Shown { text, is_escaped } in
        texts.iter().filter(|text| text.contains(['@', '&'])).flat_map(|text| shown(text))
    {
        for (at, _) in text.match_indices('@').filter(|(at, _)| *at > 0 || !is_escaped) {
            // limits the users for whom one request writes to-do items
            if names.len() >= MOST_MENTIONS {
                break;
            }
            names.extend(mention(text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()));
        }
    }
    names.into_iter().collect()
}

/// The username at the beginning of `after`, which follows an `@`.
fn mention(before: &str, after: &str) -> Option<String> {
    let is_joined = |byte: u8| byte.is_ascii_alphanumeric() || b"_/".contains(&byte);
    let name = mentioned(after).filter(|_| !before.bytes().next_back().is_some_and(is_joined))?;
    Some(name.to_ascii_lowercase())
}

/// Labels of an issue, and of one request. Each of them writes rows, and lists read them all.
pub const MOST_LABELS_OF_ISSUE: usize = 500;

pub fn too_many_labels() -> String {
    format!("are too many (maximum is {MOST_LABELS_OF_ISSUE})")
}

/// Splits at commas, and removes tags, surrounding blanks and duplicates.
pub fn label_names(names: Vec<String>, errors: &mut ValidationErrors) -> Vec<String> {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("<[^<>]*>").ok());
    let mut known = BTreeSet::new();
    for name in names.iter().flat_map(|name| name.split(',')) {
        let bare = TAG.as_ref().map_or(name.into(), |tag| tag.replace_all(name, ""));
        let bare = bare.trim();
        check_letters(errors, "labels", Some(bare));
        if !bare.is_empty() {
            known.insert(bare.to_owned());
        }
        if known.len() > MOST_LABELS_OF_ISSUE {
            errors.add("labels", &too_many_labels());
            break;
        }
    }
    known.into_iter().collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/issues/texts.rs"]
mod tests;
