use crate::areas::markdown::reader::shown;
use crate::areas::markdown::references::{Reference, references, shown_in};
use crate::kernel::ValidationErrors;
use crate::kernel::gather::Gather;
use crate::kernel::text::names::check_letters;
use regex::Regex;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// People that one text names.
pub const MOST_MENTIONS: usize = 100;

/// The user names that the texts in Markdown show as `@name`, each once and in lower case.
pub fn mentions(texts: &[&str]) -> Vec<String> {
    let mut names = BTreeSet::new();
    // `&#64;` is shown as the mark, too
    for text in texts.iter().filter(|text| text.contains(['@', '&'])) {
        for found in shown_in(text) {
            match found {
                // limits the users for whom one request writes to-do items
                Reference::Person(name) if names.len() < MOST_MENTIONS => drop(names.insert(name)),
                _ => {}
            }
        }
    }
    names.into_iter().collect()
}

/// The names that the text begins with: `@ann @bob look`.
fn addressed(text: &str) -> BTreeSet<String> {
    let begins = text.trim_start().starts_with('@');
    let Some(piece) = shown(text).next().filter(|piece| begins && !piece.is_escaped) else { return BTreeSet::new() };
    let mut end = 0;
    let begun = references(&piece.text).map_while(|(found, range)| {
        let gap = piece.text.get(end..range.start)?;
        end = range.end;
        match found {
            Reference::Person(name) if gap.trim().is_empty() => Some(name),
            _ => None,
        }
    });
    begun.gather()
}

/// The mentions for statements, a JSON object: for each name whether it begins the text. None without names.
pub fn people(names: &[String], text: &str) -> Option<String> {
    let addressed = if names.is_empty() { return None } else { addressed(text) };
    let people: BTreeMap<_, _> = names.iter().map(|name| (name, addressed.contains(name))).gather();
    Some(json!(people).to_string())
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
