//! The issuers whose JWTs a CI may send (behaviour 2.5).

/// Those of the variable CI_ISSUERS. The default is none.
#[derive(Debug, Clone, Default)]
pub struct Issuers(Vec<String>);

/// Without the variable: GitHub, gitlab.com, Codeberg and Buildkite.
const USUAL: &str = "https://token.actions.githubusercontent.com https://gitlab.com https://codeberg.org/api/actions https://agent.buildkite.com";

/// Bytes.
const LONGEST: usize = 255;

impl Issuers {
    /// Addresses with blanks between. `none`: no JWT of a CI counts.
    pub fn read(text: &str) -> Result<Issuers, String> {
        let text = match text.trim() {
            "" => USUAL,
            "none" => "",
            given => given,
        };
        let listed: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        match listed.iter().find(|listed| !is_address(listed.strip_suffix("/*").unwrap_or(listed))) {
            Some(wrong) => Err(format!(
                "CI_ISSUERS has {wrong:?}; an issuer is https://, a host without a port, and a path without a final slash, whose last part may be *"
            )),
            None => Ok(Issuers(listed)),
        }
    }

    /// Whether the list has the issuer, and then whether only an entry that ends in `/*` fits, so that anybody can make up
    /// further ones.
    pub fn find(&self, issuer: &str) -> Option<bool> {
        let is_part =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let is_pattern = |listed: &String| {
            let rest = listed.strip_suffix('*').and_then(|beginning| issuer.strip_prefix(beginning));
            rest.is_some_and(is_part) && issuer.len() <= LONGEST
        };
        let is_named = self.0.iter().any(|listed| listed == issuer && !listed.ends_with('*'));
        (is_named || self.0.iter().any(is_pattern)).then_some(!is_named)
    }
}

fn is_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let (host, path) = rest.split_once('/').unwrap_or((rest, "-"));
    let is_of = |text: &str, others: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c));
    let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && is_of(part, "-_.~");
    text.len() <= LONGEST
        && host.contains('.')
        && !host.contains(char::is_uppercase)
        && host.split('.').all(|part| !part.is_empty() && is_of(part, "-"))
        && path.split('/').all(is_part)
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/jwt/issuers.rs"]
mod tests;
