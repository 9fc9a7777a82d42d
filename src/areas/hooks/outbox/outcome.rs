//! The outcome of a try, and when the next one is due.

use super::request::DeliveryAttempt;
use crate::areas::hooks::secrets::mac;
use crate::kernel::Statement;
use crate::kernel::gather::Gather;
use crate::kernel::store::RemoteAnswer;
use crate::kernel::time::{self, DAY, MINUTE};
use edgeforge_wire::text::cut;
use serde_json::{Map, Value, json};

edgeforge_row::statements!(mod sql: "src/areas/hooks/outbox/outcome.sql");

/// Milliseconds before the second try, the third, and so on.
const PAUSES: [i64; 6] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 480 * MINUTE, DAY];
/// The most headers of an answer that are logged, and the most bytes of one.
const MOST_HEADERS: usize = 50;
const LONGEST_HEADER: usize = 1024;
/// Bytes of a row of the log without its texts (`quota_bytes`).
const ROW: i64 = 300;

pub struct Outcome {
    /// None if there was no answer.
    pub status: Option<u16>,
    headers: Vec<(String, String)>,
    /// The body of the answer, or why there is none.
    pub body: String,
    millis: f64,
    /// Whether a later try may succeed.
    can_retry: bool,
    /// The headers of the request, as the log has them.
    logged: Value,
}

impl Outcome {
    pub fn of(answer: Result<RemoteAnswer, String>, logged: Value, millis: f64) -> Outcome {
        match answer {
            Ok(RemoteAnswer { status, headers, body }) => {
                let can_retry = matches!(status, 408 | 425 | 429 | 500..);
                Outcome { status: Some(status), headers, body, millis, can_retry, logged }
            }
            Err(fault) => Outcome { millis, can_retry: true, logged, ..Outcome::unsent(fault) },
        }
    }

    /// The outcome if nothing was sent.
    pub fn unsent(fault: String) -> Outcome {
        Outcome { status: None, headers: Vec::new(), body: fault, millis: 0.0, can_retry: false, logged: json!({}) }
    }

    /// Redirects count, as they do in GitLab.
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| (200..400).contains(&status))
    }

    /// When the next try is due. None if there is none.
    pub fn next_at(&self, of: &DeliveryAttempt<'_>) -> Option<i64> {
        let pause = PAUSES.get(usize::try_from(of.attempt - 1).ok()?).filter(|_| self.can_retry)?;
        let [first, ..] = mac(b"pause", &[of.webhook_id.as_bytes(), &of.attempt.to_le_bytes()]);
        // 90 to 110 per cent
        let pause = pause * (900 + i64::from(first) * 200 / 255) / 1000;
        Some(of.now + pause.max(self.asked_pause(of.now).min(DAY)))
    }

    /// Milliseconds that the header `Retry-After` demands, in seconds or by a date.
    fn asked_pause(&self, now: i64) -> i64 {
        let header = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
        let pause = header.and_then(|(_, text)| match text.trim().parse::<u32>() {
            Ok(seconds) => Some(i64::from(seconds) * 1000),
            Err(_) => time::read(text).map(|at| at - now),
        });
        pause.unwrap_or_default()
    }

    /// The statements that write the try into the log, which is bounded.
    pub fn log(&self, of: &DeliveryAttempt<'_>, next_attempt_at: Option<i64>) -> [Statement; 2] {
        let headers: Map<String, Value> = self
            .headers
            .iter()
            .take(MOST_HEADERS)
            .map(|(name, value)| (capitalised(name), json!(logged_value(value))))
            .gather();
        let (request_headers, response_headers) = (self.logged.to_string(), Value::Object(headers).to_string());
        let response_body = cut(&self.body, RemoteAnswer::MOST).replace('\0', "");
        let (hook_id, url) = (of.hook.id, of.hook.url.as_str());
        let texts = [url, &request_headers, &response_headers, &response_body];
        let bytes = ROW + i64::try_from(texts.map(str::len).iter().sum::<usize>()).unwrap_or(i64::MAX);
        let log = sql::log {
            bytes,
            hook_id,
            project_id: of.hook.project_id,
            event_id: of.event.event_id,
            webhook_id: of.webhook_id,
            attempt: of.attempt,
            bit: of.event.bit,
            url,
            request_headers,
            response_status: self.status.map(i64::from),
            response_headers,
            response_body,
            millis: crate::kernel::store::Value::Real(self.millis),
            next_attempt_at,
            now: of.now,
        };
        [sql::trim_log { hook_id, bytes }.into(), log.into()]
    }
}

/// Cuts a value and replaces control characters, which take six bytes each in JSON.
fn logged_value(value: &str) -> String {
    cut(value, LONGEST_HEADER).replace(char::is_control, " ")
}

/// `content-type` as `Content-Type`.
fn capitalised(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    cut(name, 100).split('-').map(word).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/hooks/outbox/outcome.rs"]
mod tests;
