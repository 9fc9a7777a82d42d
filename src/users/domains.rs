//! Which e-mail domains the settings let in.

use super::sql::Before;
use crate::error::ValidationErrors;

/// A domain on the whitelist is welcome; with a whitelist, no other; without, all but those on the blacklist.
pub fn check(errors: &mut ValidationErrors, email: &str, before: &Before) {
    let domain = email.rsplit('@').next().unwrap_or_default().to_lowercase();
    let on = |list: &[String]| list.iter().any(|pattern| matches(&pattern.trim().to_lowercase(), &domain));
    if !before.domain_whitelist.is_empty() {
        if !on(&before.domain_whitelist) {
            errors.add("email", "domain is not authorized for sign-up");
        }
    } else if before.domain_blacklist_enabled && on(&before.domain_blacklist) {
        errors.add("email", "is not from an allowed domain.");
    }
}

/// Whether the whole text fits a pattern in which `*` stands for anything.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(head) else { return false };
    let mut middles: Vec<&str> = tail.split('*').collect();
    let last = middles.pop().unwrap_or_default();
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    middles.iter().all(|middle| match rest.split_once(middle) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, fits) in [
            ("example.com", "example.com", true),
            ("example.com", "www.example.com", false),
            ("*.example.com", "www.example.com", true),
            ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "evil-example.com", false),
            ("*ex*ple*", "www.example.com", true),
            ("ab*ba", "aba", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
