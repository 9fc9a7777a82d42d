//! Checks of the names and visibilities of users, groups and projects.

use crate::kernel::error::ValidationErrors;
use crate::kernel::params::Patch;
use crate::kernel::policy::Visibility;
use edgeforge_wire::text::is_deceptive;

/// Names that no user or group may have, because they are first segments of addresses on a hosting site.
const RESERVED: &str = "admin all api assets ci dashboard docs explore files groups help hooks import issues member merge_requests \
    new notes notification_settings oauth owned profile projects public repository s search services snippets \
    teams todos u unsubscribes users visible";

/// `path`: a username or the path of a group.
pub fn check_namespace(errors: &mut ValidationErrors, field: &str, path: &str) {
    errors.check_length(field, Some(path), 255);
    if !is_path(path) || path.ends_with('.') {
        errors.add(
            field,
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git', '.atom' or '.json'.",
        );
    }
    if !path.is_empty() && path.bytes().all(|byte| byte.is_ascii_digit()) {
        // a path with digits only would be read as an id
        errors.add(field, "cannot be a number");
    }
    if RESERVED.split(' ').any(|name| name.eq_ignore_ascii_case(path)) {
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

/// Whether git accepts the name of a branch or tag: <https://git-scm.com/docs/git-check-ref-format>. git makes no branch
/// that begins with `-`, because `git clone -b` would read it as an option.
pub fn is_ref_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_refused = |letter: char| letter.is_ascii_control() || " ~^:?*[\\".contains(letter);
    name.split('/').all(is_part)
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !["..", "@{"].iter().any(|pair| name.contains(pair))
        && !name.contains(is_refused)
}

/// Whether `git check-ref-format --branch` accepts the name, and no letter is a control character of Unicode.
pub fn is_branch(name: &str) -> bool {
    is_ref_name(name) && !["@", "HEAD"].contains(&name) && !name.contains(char::is_control)
}

pub fn check_name(errors: &mut ValidationErrors, name: &str) {
    if name.is_empty() {
        errors.add("name", "can't be blank");
    } else if name.chars().any(|letter| is_deceptive(letter) || matches!(letter, '/' | '<' | '>')) {
        errors.add("name", "can contain only letters, digits, emojis, '_', '.', dash, space.");
    }
}

/// Refuses control characters, and characters that reverse the direction of text.
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

/// Turns a name into a path: lower case, with a dash for each run of other characters.
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

/// Reads 0/10/20 or 0/1/2 and returns 0, 10 or 20.
pub fn check_visibility(errors: &mut ValidationErrors, level: i64) -> i64 {
    let scale = [(0, Visibility::Private), (1, Visibility::Internal), (2, Visibility::Public)];
    let known = scale.iter().find(|(short, visibility)| level == *short || level == visibility.level());
    if known.is_none() {
        errors.add("visibility_level", "is not included in the list");
    }
    known.map_or(Visibility::Private, |(_, visibility)| *visibility).level()
}

/// Refuses a level that the settings allow to administrators only. `restricted`: levels as 0, 1 and 2.
pub fn check_restriction(errors: &mut ValidationErrors, level: i64, restricted: &[i64]) {
    if restricted.contains(&(level / 10)) {
        let word = Visibility::from(level).word();
        errors.add("visibility_level", &format!("{word} has been restricted by your administrator"));
    }
}

/// Refuses to clear a required field. Trims and checks its new text.
pub fn needed(
    errors: &mut ValidationErrors,
    field: &str,
    patch: &mut Patch<String>,
    check: impl FnOnce(&mut ValidationErrors, &str),
) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => errors.add(field, "can't be blank"),
        Patch::Set(text) => {
            *text = text.trim().to_owned();
            check(errors, text);
        }
    }
}

/// The new text of a field: empty if the field is cleared, None if it is kept.
pub fn text(patch: Patch<String>) -> Option<String> {
    match patch {
        Patch::Keep => None,
        Patch::Clear => Some(String::new()),
        Patch::Set(text) => Some(text),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/text/names.rs"]
mod tests;
