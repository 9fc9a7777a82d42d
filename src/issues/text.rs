//! What is read out of texts: names of labels, and who is mentioned. By hand, for patterns of the crate `regex` were a
//! tenth of the Worker's weight.

use crate::error::ValidationErrors;
use std::collections::BTreeSet;

/// As many labels an issue can be given at once: each is rows to write.
const MOST_LABELS: usize = 500;

/// Names as a label may be called: tags stripped, blanks around cut, each once.
pub fn label_names(names: Vec<String>, errors: &mut ValidationErrors) -> Vec<String> {
    let mut known = BTreeSet::new();
    for name in names {
        let bare = without_tags(&name);
        let bare = bare.trim();
        // no filter could name it
        if bare.contains(',') {
            errors.add("labels", "is invalid");
        }
        if !bare.is_empty() {
            known.insert(bare.to_owned());
        }
        if known.len() > MOST_LABELS {
            errors.add("labels", &format!("are too many (maximum is {MOST_LABELS})"));
            break;
        }
    }
    known.into_iter().collect()
}

/// The text without every `<..>` that holds no further `<`.
fn without_tags(text: &str) -> String {
    let mut parts = text.split('<');
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('>') {
            Some((_, after)) => bare.push_str(after),
            None => bare.extend(["<", part]),
        }
    }
    bare
}

const MOST_MENTIONS: usize = 100;

/// The user names that texts mention with `@`, each once.
pub fn mentions(texts: &[&str]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for text in texts {
        mentions_of(text, &mut |name| {
            // a text may name no more people than can hear of it at once
            if names.len() < MOST_MENTIONS {
                names.insert(name.to_owned());
            }
        });
    }
    names.into_iter().collect()
}

/// Tells each name behind an `@` that no word and no `/` stands before, as they do in an address.
fn mentions_of(text: &str, tell: &mut dyn FnMut(&str)) {
    let ends_free = |before: &str| !before.ends_with(|c: char| is_of_word(c) || c == '/');
    let mut parts = text.split('@');
    let mut is_free = parts.next().is_none_or(ends_free);
    for part in parts {
        let end = part.find(|c: char| !is_of_word(c) && c != '.' && c != '-').unwrap_or(part.len());
        let (stretch, _) = part.split_at(end);
        // a dot at its end is the sentence's
        let name = stretch.trim_end_matches('.');
        let is_name = is_free && name.starts_with(is_of_word);
        if is_name {
            tell(name);
        }
        // a name's own end does not set the next one off
        is_free = ends_free(part) && !(is_name && name.len() == part.len());
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    #[test]
    fn a_label_name_is_trimmed_stripped_of_tags_and_taken_once() {
        let names = ["bug", " bug ", "", "<b>big</b>"].map(str::to_owned).to_vec();
        assert_eq!(label_names(names, &mut ValidationErrors::default()), ["big", "bug"]);
    }

    #[test]
    fn a_mention_is_a_user_name_after_an_at_sign() {
        assert_eq!(mentions(&["@ann, see @bob.", "mail a@eve.org @ann"]), ["ann", "bob"]);
    }

    /// Every text of up to five of these characters.
    fn texts() -> impl Iterator<Item = String> {
        const OF: [char; 8] = ['@', 'a', '_', '.', '-', '/', '\n', 'é'];
        let of_length = |length: u32| (0..8_usize.pow(length)).map(move |number| (length, number));
        let spelled = |(length, number): (u32, usize)| {
            (0..length).map(|digit| OF[number / 8_usize.pow(digit) % 8]).collect::<String>()
        };
        (0..=5).flat_map(of_length).map(spelled)
    }

    #[test]
    fn a_text_mentions_whom_the_pattern_finds() {
        let pattern =
            Regex::new("(?:^|[^A-Za-z0-9_/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)").unwrap();
        for text in texts() {
            let expected: Vec<&str> =
                pattern.captures_iter(&text).map(|found| found.get(1).unwrap().as_str()).collect();
            let mut found = Vec::new();
            mentions_of(&text, &mut |name| found.push(name.to_owned()));
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_text_loses_the_tags_that_the_pattern_finds() {
        let pattern = Regex::new("<[^<>]*>").unwrap();
        for text in texts().map(|text| text.replace('@', "<").replace('/', ">")) {
            assert_eq!(without_tags(&text), pattern.replace_all(&text, ""), "{text:?}");
        }
    }
}
