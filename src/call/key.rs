use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

/// An `Idempotency-Key`, with a digest of the request that it was sent with.
#[derive(Debug, Clone)]
pub struct Key {
    pub text: String,
    pub hash: String,
    /// Of verb, path and parameters, without the parameters that authenticate.
    pub digest: String,
}

/// The SHA-256 in lower-case hexadecimal, as it is stored.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}
