//! What users, groups and projects may be called, and who may see them: checks that they share.

use crate::error::ValidationErrors;
use crate::params::Patch;
use crate::policy::Visibility;

/// Words that the addresses of a hosting site begin with.
const RESERVED: &[&str] = &[
    "admin",
    "all",
    "api",
    "assets",
    "ci",
    "dashboard",
    "docs",
    "explore",
    "files",
    "groups",
    "help",
    "hooks",
    "import",
    "issues",
    "member",
    "merge_requests",
    "new",
    "notes",
    "notification_settings",
    "oauth",
    "owned",
    "profile",
    "projects",
    "public",
    "repository",
    "s",
    "search",
    "services",
    "snippets",
    "teams",
    "todos",
    "u",
    "unsubscribes",
    "users",
    "visible",
];

/// A username or the path of a group.
pub fn check_namespace(errors: &mut ValidationErrors, field: &str, path: &str) {
    errors.check_length(field, Some(path), 255);
    if !is_path(path) || path.ends_with('.') {
        errors.add(
            field,
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git', '.atom' or '.json'.",
        );
    }
    if !path.is_empty() && path.bytes().all(|byte| byte.is_ascii_digit()) {
        // it would be taken for an id
        errors.add(field, "cannot be a number");
    }
    if RESERVED.contains(&path.to_ascii_lowercase().as_str()) {
        errors.add(field, "is a reserved name");
    }
}

pub fn check_project_path(errors: &mut ValidationErrors, path: &str) {
    errors.check_length("path", Some(path), 255);
    if !is_path(path) || path == "." || path == ".." {
        errors.add(
            "path",
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git', '.atom' or '.json'.",
        );
    }
}

/// The name of a project or group.
pub fn check_name(errors: &mut ValidationErrors, name: &str) {
    if name.is_empty() {
        errors.add("name", "can't be blank");
    } else if name.chars().any(|letter| is_deceptive(letter) || matches!(letter, '/' | '<' | '>')) {
        errors.add("name", "can contain only letters, digits, emojis, '_', '.', dash, space.");
    }
}

/// Control characters, and those that turn the direction of text around: a name with them shows as another.
pub fn is_deceptive(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
}

/// Refuses deceptive characters in a name that may hold anything else.
pub fn check_letters(errors: &mut ValidationErrors, field: &str, name: Option<&str>) {
    if name.is_some_and(|name| name.chars().any(is_deceptive)) {
        errors.add(field, "cannot contain control characters");
    }
}

fn is_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    !path.is_empty()
        && path.bytes().all(letters)
        && !path.starts_with('-')
        && ![".git", ".atom", ".json"].iter().any(|end| lower.ends_with(end))
}

/// A name as a path: lower case, every run of other characters a dash.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars() {
        match letter.to_ascii_lowercase() {
            kept if kept.is_ascii_alphanumeric() || kept == '_' => slug.push(kept),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_matches('-').to_owned()
}

/// 0, 10 or 20 of a visibility written in either scale, 0/10/20 or 0/1/2.
pub fn check_visibility(errors: &mut ValidationErrors, level: i64) -> i64 {
    let scale = [(0, Visibility::Private), (1, Visibility::Internal), (2, Visibility::Public)];
    let known = scale.iter().find(|(short, visibility)| level == *short || level == visibility.level());
    if known.is_none() {
        errors.add("visibility_level", "is not included in the list");
    }
    known.map_or(Visibility::Private, |(_, visibility)| *visibility).level()
}

/// Refuses a level that the settings keep for administrators. `restricted`: 0, 1 and 2.
pub fn check_restriction(errors: &mut ValidationErrors, level: i64, restricted: &[i64]) {
    if restricted.contains(&(level / 10)) {
        let word = Visibility::from(level).word();
        errors.add("visibility_level", &format!("{word} has been restricted by your administrator"));
    }
}

/// Refuses to clear a field. Blanks around its new text are cut.
pub fn needed(errors: &mut ValidationErrors, field: &str, patch: &mut Patch<String>) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => errors.add(field, "can't be blank"),
        Patch::Set(text) => *text = text.trim().to_owned(),
    }
}

/// A text whose absence is the empty text.
pub fn text(patch: Patch<String>) -> Option<String> {
    match patch {
        Patch::Keep => None,
        Patch::Clear => Some(String::new()),
        Patch::Set(text) => Some(text),
    }
}

#[cfg(test)]
#[path = "../tests/unit/names.rs"]
mod tests;
