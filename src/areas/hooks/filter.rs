//! Which pushes a hook gets.

use crate::kernel::text::wildcard::fits;
use regex::Error;
use regex::bytes::{Regex, RegexBuilder};

/// The regular expression. None if it is not valid, or its automaton is too large.
pub fn pattern(filter: &str) -> Option<Regex> {
    let text = translated(filter);
    let build = |unicode| RegexBuilder::new(&text).unicode(unicode).size_limit(200_000).build();
    match build(true) {
        // the table of cases would weigh 21 kB: (?i) makes a pattern of bytes, and folds letters of ASCII alone
        Err(Error::Syntax(_)) => build(false).ok(),
        built => built.ok(),
    }
}

/// The syntax of RE2 in that of the crate. In RE2 `\d`, `\s`, `\w` and `\b` are those of ASCII, and `[`, `&`, `~` and `-`
/// stand for themselves in a class, also twice.
fn translated(filter: &str) -> String {
    let (mut made, mut rest, mut in_class) = (String::new(), filter.chars(), false);
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('d') => made.push_str("[0-9]"),
                Some('D') => made.push_str("[^0-9]"),
                Some('s') => made.push_str(r"[\t\n\f\r ]"),
                Some('S') => made.push_str(r"[^\t\n\f\r ]"),
                Some('w') => made.push_str("[0-9A-Za-z_]"),
                Some('W') => made.push_str("[^0-9A-Za-z_]"),
                Some(c @ ('b' | 'B')) if !in_class => made.extend(["(?-u:\\", c.encode_utf8(&mut [0; 4]), ")"]),
                Some(c @ ('<' | '>')) => made.push(c),
                other => made.extend(['\\'].into_iter().chain(other)),
            },
            '[' if in_class => match rest.as_str().strip_prefix(':').and_then(|rest| rest.split_once(":]")) {
                Some((name, after)) => {
                    made.extend(["[:", name, ":]"]);
                    rest = after.chars();
                }
                None => made.push_str(r"\["),
            },
            '[' => {
                in_class = true;
                made.push(c);
                for first in ['^', ']'] {
                    if let Some(after) = rest.as_str().strip_prefix(first) {
                        made.push(first);
                        rest = after.chars();
                    }
                }
            }
            '&' | '~' if in_class => made.extend(['\\', c]),
            '-' if in_class && rest.as_str().starts_with('-') => {
                rest.next();
                made.push_str(if made.ends_with(['[', '^']) { r"\--" } else { r"-\-" });
            }
            c => {
                in_class = in_class && c != ']';
                made.push(c);
            }
        }
    }
    made
}

/// Whether the filter includes a branch. `strategy`: the value of the column `hooks.branch_filter_strategy`.
pub fn is_of_branch(strategy: &str, filter: &str, branch: &str) -> bool {
    match strategy {
        "regex" => pattern(filter).is_some_and(|pattern| pattern.is_match(branch.as_bytes())),
        "wildcard" => fits(filter, branch),
        _ => true,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/filter.rs"]
mod tests;
