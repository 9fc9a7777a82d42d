use std::future::Future;
use std::pin::Pin;

/// A POST to another server.
#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingRequest {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// The answer. A redirect is not followed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RemoteAnswer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// The first bytes: at most [`RemoteAnswer::MOST`].
    pub body: String,
}

impl RemoteAnswer {
    pub const MOST: usize = 8_192;
    /// Milliseconds to wait for the status.
    pub const PATIENCE: u32 = 10_000;
}

pub type VerdictFuture<'a> = Pin<Box<dyn Future<Output = bool> + 'a>>;
pub type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Result<RemoteAnswer, String>> + 'a>>;
