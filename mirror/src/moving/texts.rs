//! Texts as the server takes them: addresses and names of the source become those of here, and long texts are cut.

use std::collections::HashMap;

use edgeforge_wire::text::{cut, cut_escaped, escaped_len, is_deceptive};

use crate::text::origin;

/// Letters of a text, and its bytes as JSON.
const MOST_LETTERS: usize = 1_000_000;
const MOST_AS_JSON: usize = 900_000;
const ROOM_OF_MARK: usize = 2000;

pub const TITLE: usize = 255;

#[derive(Debug, Default)]
pub struct Texts {
    /// Old beginnings of addresses, and what is written in their place.
    issues: Vec<(String, String)>,
    uploads: Vec<String>,
    /// User names of the source in lower case, where that person has another one here.
    names: HashMap<String, String>,
}

impl Texts {
    /// `source`: the web address of the project there, its number. `target`: the web address here.
    pub fn new(source: &str, project_id: Option<i64>, target: &str, names: HashMap<String, String>) -> Texts {
        let address = origin(source);
        let path = source.strip_prefix(address).unwrap_or_default();
        let ends = ["/-/issues/", "/issues/", "/-/work_items/"];
        let issues = ends.iter().map(|end| (format!("{source}{end}"), format!("{target}/-/issues/"))).collect();
        let numbered = project_id.map(|id| format!("/-/project/{id}/uploads/"));
        let paths = [format!("{path}/uploads/"), format!("{path}/-/uploads/")].into_iter().chain(numbered);
        let uploads = paths.flat_map(|path| [format!("{address}{path}"), path]).collect();
        Texts { issues, uploads, names }
    }

    /// `address`: where the whole text is.
    pub fn rewritten(&self, text: &str, address: &str) -> String {
        let mut text = text.replace('\0', "");
        for (old, new) in &self.issues {
            text = replaced(&text, old, new, |rest| rest.starts_with(|of: char| of.is_ascii_digit()));
        }
        for old in &self.uploads {
            text = replaced(&text, old, "/uploads/", |rest| secret(rest).is_some());
        }
        if !self.names.is_empty() && text.contains('@') {
            text = self.named(&text);
        }
        shortened(text, address)
    }

    /// The files that a text names: their secrets and names.
    pub fn files(&self, text: &str) -> Vec<(String, String)> {
        let (text, mut found) = (self.rewritten(text, ""), Vec::new());
        let mut parts = text.split("/uploads/");
        let mut before = parts.next().unwrap_or_default();
        for part in parts {
            let is_short = !before.ends_with(|of: char| of.is_alphanumeric() || "_-.".contains(of));
            before = part;
            let Some(secret) = secret(part).filter(|_| is_short) else { continue };
            let is_end = |of: char| of.is_whitespace() || "()[]<>\"'`?#/\\{}".contains(of);
            let name = part.get(33..).and_then(|name| name.split(is_end).next()).unwrap_or_default();
            if !name.trim_matches('.').is_empty() && name.len() < 256 {
                found.push((secret.to_owned(), name.to_owned()));
            }
        }
        found
    }

    /// Mentions outside of code.
    fn named(&self, text: &str) -> String {
        let (mut written, mut fence) = (String::with_capacity(text.len()), None);
        for line in text.split_inclusive('\n') {
            let begin = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| begin.starts_with(mark));
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => fence = None,
                (None, None) => {
                    for (at, part) in line.split('`').enumerate() {
                        written += if at > 0 { "`" } else { "" };
                        if at % 2 == 0 { self.named_in(part, &mut written) } else { written += part }
                    }
                    continue;
                }
                _ => {}
            }
            written += line;
        }
        written
    }

    fn named_in(&self, part: &str, to: &mut String) {
        let is_letter = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
        let mut rest = part;
        while let Some((before, after)) = rest.split_once('@') {
            to.push_str(before);
            to.push('@');
            let end = after.find(|letter| !is_letter(letter)).unwrap_or(after.len());
            let name = after.get(..end).unwrap_or_default().trim_end_matches(['.', '-']);
            let is_mention = !before.ends_with(|letter: char| letter.is_alphanumeric() || "_/@".contains(letter));
            let new = self.names.get(&name.to_lowercase()).filter(|_| is_mention);
            to.push_str(new.map_or(name, String::as_str));
            rest = after.get(name.len()..).unwrap_or_default();
        }
        to.push_str(rest);
    }
}

/// The 32 digits that an address of an upload begins with.
pub fn secret(text: &str) -> Option<&str> {
    let (secret, rest) = text.split_at_checked(32)?;
    let is_hex = secret.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    (is_hex && rest.starts_with('/')).then_some(secret)
}

fn replaced(text: &str, old: &str, new: &str, fits: impl Fn(&str) -> bool) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(old) {
        written += before;
        // the end of a longer address is another project's
        let is_whole = !before.ends_with(|letter: char| letter.is_alphanumeric() || "_-./:".contains(letter));
        written += if fits(after) && is_whole { new } else { old };
        rest = after;
    }
    written + rest
}

/// As much as the server takes.
fn shortened(text: String, address: &str) -> String {
    if text.chars().count() <= MOST_LETTERS && (text.len() <= MOST_AS_JSON / 6 || escaped_len(&text) <= MOST_AS_JSON) {
        return text;
    }
    let letters = text.char_indices().nth(MOST_LETTERS - ROOM_OF_MARK).map_or(text.len(), |(at, _)| at);
    let kept = cut_escaped(cut(&text, letters), MOST_AS_JSON - ROOM_OF_MARK);
    format!("{kept}\n\n(cut: {} bytes, see {})", text.len(), cut(address, ROOM_OF_MARK / 2))
}

/// A name of a person, a label, a milestone or a build, as the server takes it.
pub fn name(text: &str) -> String {
    short(&text.replace(is_deceptive, ""), TITLE)
}

/// A text of at most so many letters.
pub fn short(text: &str, letters: usize) -> String {
    text.replace('\0', "").chars().take(letters).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/moving/texts.rs"]
mod tests;
