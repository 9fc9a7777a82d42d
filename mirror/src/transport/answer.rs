//! An answer of the server, and what it says of itself.

use std::time::Duration;

use serde::de::IgnoredAny;
use serde_json::Value;

pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    pub link: String,
    pub after: Option<Duration>,
    /// The headers X-Next-Page and X-Total.
    pub next_page: Option<u64>,
    pub total: Option<u64>,
    /// Whether the answer is JSON by its type: the bytes of a file may begin like JSON.
    pub(super) is_json: bool,
}

impl Answer {
    /// A page of a proxy, or a way to a sign-in.
    pub(super) fn is_of_another(&self) -> bool {
        let is_whole = || serde_json::from_slice::<IgnoredAny>(&self.body).is_ok();
        matches!(self.status, 300..=399) || self.status == 200 && !is_whole()
    }

    /// Whether the JSON is incomplete.
    pub(super) fn is_cut_off(&self) -> bool {
        self.status == 200 && self.is_json && serde_json::from_slice::<IgnoredAny>(&self.body).is_err()
    }

    /// The status and the message.
    pub fn told(&self) -> String {
        told(self.status, &self.message())
    }

    pub fn message(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        match value.get("message").or_else(|| value.get("error")) {
            Some(Value::String(text)) => text.clone(),
            // by field
            Some(Value::Object(fields)) => {
                let told = |(name, of): (&String, &Value)| format!("{name} {}", plainly(of));
                fields.iter().map(told).collect::<Vec<_>>().join("; ")
            }
            Some(other) => other.to_string(),
            None => String::from_utf8_lossy(self.body.get(..200).unwrap_or(&self.body)).trim().to_owned(),
        }
    }
}

fn plainly(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plainly).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A status and a message, which most often begins with the status already.
pub fn told(status: u16, message: &str) -> String {
    format!("{status} {}", message.strip_prefix(&status.to_string()).unwrap_or(message).trim_start())
}
