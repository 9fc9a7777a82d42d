//! Signatures by Standard Webhooks 1.0.0: <https://github.com/standard-webhooks/standard-webhooks>.

use super::secrets::{Secret, mac};
use base64::{Engine, prelude::BASE64_STANDARD};

/// The key in `whsec_` and base64. None unless it has 32 bytes.
pub fn key(token: &str) -> Option<Secret> {
    let bytes = BASE64_STANDARD.decode(token.strip_prefix("whsec_")?).ok()?;
    bytes.try_into().ok()
}

/// One signature for each key, with blanks between. `at`: seconds since 1970.
pub fn sign(keys: &[Secret], id: &str, at: i64, body: &str) -> String {
    let at = at.to_string();
    let one = |key: &Secret| {
        let signed = mac(key, &[id.as_bytes(), b".", at.as_bytes(), b".", body.as_bytes()]);
        format!("v1,{}", BASE64_STANDARD.encode(signed))
    };
    keys.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/signature.rs"]
mod tests;
