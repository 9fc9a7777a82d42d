use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// An `Idempotency-Key`, with a digest of the request that it was sent with.
#[derive(Debug, Clone)]
pub struct Key {
    pub text: String,
    pub hash: String,
    /// A hash of verb, path and parameters, without the parameters that authenticate.
    pub digest: String,
}

/// A token or the secret of a session: 20 characters that need no escapes in an address or a header.
pub fn secret(random: &[u8; 16]) -> String {
    let (fifteen, _) = random.split_at(15);
    BASE64_URL_SAFE_NO_PAD.encode(fifteen)
}
