use crate::kernel::{Result, Row, ValidationErrors};

#[derive(Debug, Row)]
pub struct Domains {
    domain_whitelist: Vec<String>,
    domain_blacklist_enabled: bool,
    domain_blacklist: Vec<String>,
}

impl Domains {
    /// The blacklist applies only while the whitelist is empty.
    pub fn check(&self, email: &str) -> Result<()> {
        let domain = email.rsplit('@').next().unwrap_or_default().to_lowercase();
        let is_on = |list: &[String]| list.iter().any(|pattern| matches(&pattern.trim().to_lowercase(), &domain));
        let mut errors = ValidationErrors::default();
        if !self.domain_whitelist.is_empty() {
            if !is_on(&self.domain_whitelist) {
                errors.add("email", "domain is not authorized for sign-up");
            }
        } else if self.domain_blacklist_enabled && is_on(&self.domain_blacklist) {
            errors.add("email", "is not from an allowed domain.");
        }
        errors.result()
    }
}

/// Matches the whole text. `*` stands for any number of characters.
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
#[path = "../../../tests/unit/areas/users/domains.rs"]
mod tests;
