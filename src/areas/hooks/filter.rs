//! Which pushes a hook gets.

use regex::{Regex, RegexBuilder};

/// The regular expression. None if it is not valid, or its automaton is too large.
pub fn pattern(filter: &str) -> Option<Regex> {
    RegexBuilder::new(filter).unicode(false).size_limit(200_000).build().ok()
}

/// Whether the filter includes a branch. `strategy`: the value of the column `hooks.branch_filter_strategy`.
pub fn is_of_branch(strategy: &str, filter: &str, branch: &str) -> bool {
    match strategy {
        "regex" => pattern(filter).is_some_and(|pattern| pattern.is_match(branch)),
        "wildcard" => fits(filter, branch),
        _ => true,
    }
}

/// `*` is any run of characters.
fn fits(filter: &str, branch: &str) -> bool {
    let mut parts = filter.split('*');
    let Some(mut rest) = parts.next().and_then(|first| branch.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/filter.rs"]
mod tests;
