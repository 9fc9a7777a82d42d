use crate::error::ValidationErrors;
use crate::names::check_letters;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const MOST_MENTIONS: usize = 100;

/// The user names that the texts mention as `@name`, each once.
pub fn mentions(texts: &[&str]) -> Vec<String> {
    static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("(?:^|[^A-Za-z0-9_/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)").ok()
    });
    let Some(pattern) = MENTION.as_ref() else { return Vec::new() };
    // skips the slow pattern for most texts
    let likely = texts.iter().filter(|text| text.contains('@'));
    let found = likely.flat_map(|text| pattern.captures_iter(text)).filter_map(|found| found.get(1));
    let mut names = BTreeSet::new();
    for name in found {
        // limits the users for whom one request writes to-do items
        if names.len() < MOST_MENTIONS {
            names.insert(name.as_str().to_owned());
        }
    }
    names.into_iter().collect()
}

/// Labels of an issue, and of one request. Each of them writes rows, and lists read them all.
pub const MOST_LABELS: usize = 500;

pub fn too_many_labels() -> String {
    format!("are too many (maximum is {MOST_LABELS})")
}

/// Removes tags, surrounding blanks and duplicates.
pub fn label_names(names: Vec<String>, errors: &mut ValidationErrors) -> Vec<String> {
    static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("<[^<>]*>").ok());
    let mut known = BTreeSet::new();
    for name in names {
        let bare = TAG.as_ref().map_or(name.as_str().into(), |tag| tag.replace_all(&name, ""));
        let bare = bare.trim();
        check_letters(errors, "labels", Some(bare));
        // filters separate names by commas
        if bare.contains(',') {
            errors.add("labels", "is invalid");
        }
        if !bare.is_empty() {
            known.insert(bare.to_owned());
        }
        if known.len() > MOST_LABELS {
            errors.add("labels", &too_many_labels());
            break;
        }
    }
    known.into_iter().collect()
}

#[cfg(test)]
#[path = "../../tests/unit/issues/texts.rs"]
mod tests;
