//! Which JWTs of a CI come in by a trust (behaviour 2.5).

use serde_json::{Map, Value};

/// A trust never changes, so an instance may remember it. Whether it has ended, the database says.
#[derive(Debug, Clone)]
pub struct Trust {
    pub issuer: String,
    /// Each is `name=value`.
    pub rules: Vec<String>,
}

/// Begins the audience of a trust. 20 characters follow.
const AUDIENCE: &str = "urn:edgeforge:trust:";

/// The key in the database of the trust whose audience ends with this secret. No header can present it.
pub fn key(secret: &str) -> String {
    format!("trust {AUDIENCE}{secret}")
}

/// The key of the trust with this audience. None if no trust has such an audience.
pub fn key_of(audience: &str) -> Option<String> {
    let rest = audience.strip_prefix(AUDIENCE)?;
    let is_secret = rest.len() == 20 && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    is_secret.then(|| key(rest))
}

impl Trust {
    /// Whether each name that the rules have fits by one of its values.
    pub fn fits(&self, claims: &Map<String, Value>) -> bool {
        let fits = |rule: &String| {
            let name = rule.split('=').next().unwrap_or_default();
            let mut values = self.rules.iter().filter_map(|rule| rule.strip_prefix(name)?.strip_prefix('='));
            claims.get(name).is_some_and(|claim| values.any(|value| is_value(claim, value)))
        };
        !self.rules.is_empty() && self.rules.iter().all(fits)
    }
}

/// `wanted` is the beginning of the value if it ends in `*`. Lists and objects are no values.
fn is_value(claim: &Value, wanted: &str) -> bool {
    let text = match claim {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => claim.to_string(),
        _ => return false,
    };
    match wanted.strip_suffix('*') {
        Some(beginning) => text.starts_with(beginning),
        None => text == wanted,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/jwt/trust.rs"]
mod tests;
