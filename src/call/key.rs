//! Keys of requests that may be sent again, and how secrets are stored.

use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

#[derive(Debug, Clone)]
pub struct Key {
    /// As sent.
    pub text: String,
    pub hash: String,
    /// Of verb, path and parameters, without those that say who calls.
    pub digest: String,
}

/// How a token is stored: its SHA-256 in lower-case hexadecimal.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}
