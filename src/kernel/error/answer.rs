//! The answer to a request that failed.

use super::{Error, Excess, message};
use crate::kernel::dialect::Dialect;
use crate::kernel::http::Reply;
use serde_json::{Value, json};

impl Error {
    pub fn status(&self) -> u16 {
        match self {
            Error::Unauthorized => 401,
            Error::Forbidden(_) => 403,
            Error::NotFound(_) | Error::NoSuchUser(_) => 404,
            Error::NotGiven(_) | Error::BadRequest(_) => 400,
            Error::Unprocessable(_) => 422,
            Error::Refused(status, _) | Error::Framework(status, _) => *status,
            Error::NotAllowed(_) => 405,
            Error::TooMany(_) => 429,
            Error::Full(_) => 507,
            Error::Internal(_) | Error::Expectation => 500,
            Error::Unavailable { .. } | Error::NotYet(_) => 503,
        }
    }

    fn body(&self, dialect: Dialect) -> Value {
        match self {
            Error::Unauthorized => json!({ "message": "401 Unauthorized" }),
            Error::Forbidden(reason) => json!({ "message": dialect.forbidden(reason) }),
            Error::NotFound(text) => message(text.clone()),
            Error::NoSuchUser(name) => json!({ "message": dialect.no_such_user(name) }),
            Error::NotGiven(name) => dialect.not_given(name),
            Error::BadRequest(body) | Error::Unprocessable(body) => Value::clone(body),
            Error::Refused(_, text) | Error::NotYet(text) => message(text.clone()),
            Error::Framework(_, text) => json!({ "error": text }),
            Error::NotAllowed(_) => json!({ "error": "405 Not Allowed" }),
            Error::TooMany(excess) => {
                let Excess { most, what, .. } = &**excess;
                json!({ "message": format!("429 Too Many Requests: no more than {most} {what}") })
            }
            Error::Full(_) => json!({ "message": "507 Insufficient Storage" }),
            Error::Internal(_) | Error::Expectation => json!({ "message": "500 Internal Server Error" }),
            Error::Unavailable { remedy: "", .. } => json!({ "message": "503 Service Unavailable" }),
            Error::Unavailable { remedy, .. } => {
                json!({ "message": format!("503 Service Unavailable - {remedy}") })
            }
        }
    }

    /// `hint` is added to 400 and 404, and to the text of a 405 in v4. 401, 405 and 422 have it in a header, because
    /// clients compare their bodies. `repeats`: whether `error` repeats the text of `message`.
    pub fn reply(&self, dialect: Dialect, hint: Option<&str>, repeats: bool) -> Reply {
        let mut body = self.body(dialect);
        if let (true, Some(text), Some(members)) =
            (repeats, body.get("message").and_then(text_of), body.as_object_mut())
        {
            members.insert("error".to_owned(), json!(text));
        }
        if let (400 | 404, Some(hint), Some(members)) = (self.status(), hint, body.as_object_mut()) {
            members.insert("hint".to_owned(), json!(hint));
        }
        if let (Error::NotAllowed(_), Dialect::V4, Some(hint)) = (self, dialect, hint) {
            body = json!({ "error": format!("405 Not Allowed - {hint}") });
        }
        let mut reply = Reply::json(self.status(), &body);
        if let (401 | 405 | 422, Some(hint)) = (self.status(), hint) {
            reply = reply.with("X-Hint", hint);
        }
        match self {
            Error::NotAllowed(verbs) => reply.with("Allow", verbs.clone()),
            Error::TooMany(excess) if !dialect.sends_rate_limits() => {
                reply.with("Retry-After", excess.wait.to_string())
            }
            // existing clients read a period in Retry-After and a time in RateLimit-Reset
            Error::TooMany(excess) => reply
                .with("Retry-After", excess.wait.to_string())
                .with("RateLimit-Limit", excess.most.to_string())
                .with("RateLimit-Remaining", "0")
                .with("RateLimit-Reset", excess.until.to_string()),
            Error::NotYet(_) => reply.with("Retry-After", "5"),
            Error::Unavailable { retry_after, .. } => reply.with("Retry-After", retry_after.to_string()),
            _ => reply,
        }
    }
}

/// A message, or several in a list.
fn text_of(message: &Value) -> Option<String> {
    match message {
        Value::String(text) => Some(text.clone()),
        Value::Array(several) => Some(several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")),
        _ => None,
    }
}
