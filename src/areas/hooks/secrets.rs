//! Secrets of hooks, sealed in the database: AES-256-GCM by a key of the Worker (docs/limits.md, "Secrets of hooks").

use crate::kernel::{Call, Error, Result};
use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, Key, KeyInit, Nonce};
use base64::{Engine, prelude::BASE64_STANDARD};
use edgeforge_wire::text::hex;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Bytes of the nonce before the sealed text.
const NONCE: usize = 12;

pub type Secret = [u8; 32];

pub fn mac(key: &[u8], parts: &[&[u8]]) -> Secret {
    // does not fail: HMAC takes a key of any length
    let Ok(mut mac) = <Hmac<Sha256> as Mac>::new_from_slice(key) else { return Secret::default() };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

pub fn uuid(digest: &Secret) -> String {
    let text = hex(digest);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

/// Seals the secrets of one request.
pub struct Sealer {
    secret: Secret,
    random: [u8; 16],
}

impl Sealer {
    pub fn of(call: &Call<'_>) -> Result<Sealer> {
        let refused = || {
            let text =
                "422 Unprocessable Entity: this server has neither HOOKS_KEY nor ADMIN_TOKEN, so it keeps no secrets";
            Error::Refused(422, text.to_owned())
        };
        let secret = call.config.hooks_key.ok_or_else(refused)?;
        Ok(Sealer { secret, random: call.random })
    }

    /// `what`: the use of the text, and the hook. A text that was sealed for another one does not open.
    pub fn seal(&self, what: &str, text: &str) -> Result<String> {
        let failed = || Error::Internal("a secret could not be sealed".to_owned());
        // never the same nonce for two texts
        let digest = mac(&self.secret, &[b"nonce", &self.random, what.as_bytes(), b"\0", text.as_bytes()]);
        let nonce: [u8; NONCE] = digest.first_chunk().copied().unwrap_or_default();
        let payload = Payload { msg: text.as_bytes(), aad: what.as_bytes() };
        let sealed = cipher(&self.secret).encrypt(Nonce::from_slice(&nonce), payload).map_err(|_| failed())?;
        Ok(BASE64_STANDARD.encode([nonce.as_slice(), &sealed].concat()))
    }
}

/// None if the text was sealed by another key or for another use.
pub fn open(secret: &Secret, what: &str, sealed: &str) -> Option<String> {
    let bytes = BASE64_STANDARD.decode(sealed).ok()?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
    let payload = Payload { msg: sealed, aad: what.as_bytes() };
    let text = cipher(secret).decrypt(Nonce::from_slice(nonce), payload).ok()?;
    String::from_utf8(text).ok()
}

fn cipher(secret: &Secret) -> Aes256Gcm {
    Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(secret))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/hooks/secrets.rs"]
mod tests;
