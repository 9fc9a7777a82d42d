/// An `Idempotency-Key`, with a digest of the request that it was sent with.
#[derive(Debug, Clone)]
pub struct Key {
    pub text: String,
    pub hash: String,
    /// A hash of verb, path and parameters, without the parameters that authenticate.
    pub digest: String,
}
