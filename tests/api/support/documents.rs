//! The documents of other servers in the suite: who signs JWTs, and by which keys. `scripts/serve.mjs --documents` answers the
//! Worker from the same file.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use edgeforge::AccessApplication;
use edgeforge::store::RemoteAnswer;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::Value;
use std::sync::LazyLock;

/// CI_ISSUERS of the servers of the suite; `scripts/stages.sh` has the same.
pub const ISSUERS: &str = "https://ci.example.com https://many.example.com/org/*";

/// Cloudflare Access in front of [`super::apart`]; `scripts/stages.sh` has the same.
pub fn access() -> AccessApplication {
    let issuer = "https://acme.cloudflareaccess.com".to_owned();
    AccessApplication { issuer, audience: "4f1d5c".to_owned(), creates: Some(true) }
}

/// By their addresses.
pub static DOCUMENTS: LazyLock<Value> =
    LazyLock::new(|| include_str!("../jwt/documents.json").parse().expect("documents.json"));

pub fn answer(address: &str) -> Result<RemoteAnswer, String> {
    let body = DOCUMENTS.get(address).map(Value::to_string).ok_or("nothing leaves this machine")?;
    Ok(RemoteAnswer { status: 200, body, ..RemoteAnswer::default() })
}

/// As WebCrypto finds it.
pub fn has_signed(modulus: &str, text: &str, signature: &[u8]) -> bool {
    let n = BASE64_URL_SAFE_NO_PAD.decode(modulus).unwrap_or_default();
    let key = RsaPublicKeyComponents { n, e: vec![1, 0, 1] };
    key.verify(&RSA_PKCS1_2048_8192_SHA256, text.as_bytes(), signature).is_ok()
}
