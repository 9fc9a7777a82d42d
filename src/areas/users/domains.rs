use crate::kernel::text::wildcard::fits;
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
        let is_on = |list: &[String]| list.iter().any(|pattern| fits(&pattern.trim().to_lowercase(), &domain));
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
