//! Errors of the API: status and body (behaviour 5.1).

mod answer;

use crate::kernel::dialect::no_valid_value;
use crate::kernel::time;
use serde_json::{Value, json};

/// Large variants are boxed, because every `Result` has room for one.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// 401: the token is missing or wrong.
    Unauthorized,
    /// 403 with a reason, which may be empty.
    Forbidden(&'static str),
    NotFound(String),
    NoSuchUser(String),
    NotGiven(String),
    /// 400 with a whole body.
    BadRequest(Box<Value>),
    /// 422 with a whole body.
    Unprocessable(Box<Value>),
    /// Status and `message`.
    Refused(u16, String),
    /// Status and `error`.
    Framework(u16, String),
    /// 405 with the value of `Allow`.
    NotAllowed(String),
    TooMany(Box<Excess>),
    /// 507: it has as many bytes as its quota.
    Full(Full),
    /// 500. The cause is only logged.
    Internal(String),
    /// An expectation of the batch failed, and nothing was written. 500 if nothing else handles it.
    Expectation,
    /// 503 with `message`: the mirror has not sent everything yet.
    NotYet(String),
    /// 503: the database is temporarily unavailable, or not ready. The cause is only logged.
    Unavailable {
        cause: String,
        /// Seconds.
        retry_after: u16,
        /// What an operator has to do, or empty.
        remedy: &'static str,
    },
}

/// More than `most` of `what`. The period ends in `wait` seconds, at `until` in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Excess {
    pub most: i64,
    pub what: String,
    pub wait: i64,
    pub until: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Full {
    Project,
    PartOfProject,
    /// For callers who are no members.
    ForOthers,
    ProjectsOfPerson,
    Server,
    Objects,
    ObjectsOfPerson,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub const FORBIDDEN: Error = Error::Forbidden("");
    pub const OUT_OF_SCOPE: Error = Error::Forbidden("The scopes of the token do not allow this");

    /// 404 `404 <what> Not Found`.
    pub fn missing(what: &str) -> Error {
        Error::NotFound(format!("404 {what} Not Found"))
    }

    /// 422 with a reason.
    pub fn unprocessable(reason: String) -> Error {
        Error::Refused(422, format!("422 Unprocessable entity - {reason}"))
    }

    pub fn no_record() -> Error {
        Error::NotFound("404 Not found".to_owned())
    }

    pub fn bad_request(body: Value) -> Error {
        Error::BadRequest(Box::new(body))
    }

    /// 400 with this body and, unless it is empty, a hint.
    pub fn hinted(mut body: Value, hint: String) -> Error {
        if let Some(members) = body.as_object_mut().filter(|_| !hint.is_empty()) {
            members.insert("hint".to_owned(), json!(hint));
        }
        Error::bad_request(body)
    }

    pub fn message(text: impl Into<String>) -> Error {
        Error::bad_request(message(text.into()))
    }

    /// 412: the record is not as the caller knows it.
    pub fn changed() -> Error {
        Error::Refused(412, "412 Precondition Failed".to_owned())
    }

    /// 408: the body did not arrive in time. Clients try it again.
    pub fn late() -> Error {
        Error::Refused(408, "408 Request Timeout".to_owned())
    }

    /// 413: the body is longer than its route takes.
    pub fn too_large() -> Error {
        Error::Refused(413, "413 Request Entity Too Large".to_owned())
    }

    /// 429: no more than `most` of `what` until `end`. Both times are milliseconds since 1970.
    pub fn too_many(most: i64, what: impl Into<String>, now: i64, end: i64) -> Error {
        let wait = (end - now + 999) / 1000;
        Error::TooMany(Box::new(Excess { most, what: what.into(), wait, until: end / 1000 }))
    }

    /// 429: this instance handles no more than `most` of `what` at once. `now`: milliseconds since 1970.
    pub fn at_once(most: i64, what: impl Into<String>, now: i64) -> Error {
        Error::too_many(most, what, now, now + 1000)
    }

    /// [`Error::changed`] for an expectation that failed.
    pub fn or_changed(self) -> Error {
        if self == Error::Expectation { Error::changed() } else { self }
    }

    /// 400 with `error`.
    pub fn framework(text: impl Into<String>) -> Error {
        Error::Framework(400, text.into())
    }

    /// 400 in v4: the value of the parameter is none of these, which the hint names.
    pub fn none_of(name: &str, values: &[&str]) -> Error {
        let body = json!({ "error": format!("{name} does not have a valid value") });
        Error::hinted(body, format!("{name} is one of {}", values.join(", ")))
    }

    pub fn not_given(name: &str) -> Error {
        Error::NotGiven(name.to_owned())
    }

    pub fn field(name: &str, text: &str) -> Error {
        Error::bad_request(json!({ "message": { name: [text] } }))
    }

    pub fn invalid(name: &str) -> Error {
        Error::framework(format!("{name} is invalid"))
    }

    pub fn names(&self, field: &str) -> bool {
        matches!(self, Error::BadRequest(body) if body.pointer(&format!("/message/{field}")).is_some())
    }

    /// The cause of a 500 or 503, for the log.
    pub fn into_cause(self) -> Option<String> {
        match self {
            Error::Internal(cause) | Error::Unavailable { cause, .. } => Some(cause),
            Error::Expectation => Some("an expectation did not hold".to_owned()),
            _ => None,
        }
    }
}

fn message(text: String) -> Value {
    json!({ "message": text })
}

const DAY: &str = "a day: 2026-12-31";
const TIME: &str = "a time or a day: 2026-12-31T12:00:00Z";
const ASSIGNEE: &str = "the id of a user who sees the project";

/// What a field has to be, for the hint where it is invalid.
const FORMS: [(&str, &str); 9] = [
    ("due_date", DAY),
    ("start_date", DAY),
    ("expires_at", TIME),
    ("created_at", TIME),
    ("released_at", TIME),
    ("color", "# and three or six hexadecimal digits: #d9534f"),
    ("milestone_id", "the id of a milestone of the project, not its number"),
    ("assignee_id", ASSIGNEE),
    ("assignee_ids", ASSIGNEE),
];

#[derive(Debug, Default)]
pub struct ValidationErrors {
    fields: serde_json::Map<String, Value>,
    /// Fields and their errors, for values outside of a fixed set.
    unknown: Vec<(String, String)>,
    missing: Vec<&'static str>,
    hint: String,
}

impl ValidationErrors {
    /// Ignores a text that the field has already.
    pub fn add(&mut self, field: &str, text: &str) {
        let texts = self.fields.entry(field).or_insert_with(|| json!([])).as_array_mut();
        if let Some(texts) = texts.filter(|texts| !texts.iter().any(|known| known == text)) {
            texts.push(json!(text));
        }
    }

    pub fn unknown(&mut self, field: &str, values: &[&str]) {
        self.unknown.push((field.to_owned(), no_valid_value(values)));
    }

    pub fn hint(&mut self, text: String) {
        self.hint = text;
    }

    pub fn missing(&mut self, field: &'static str) {
        self.missing.push(field);
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.unknown.is_empty() && self.missing.is_empty()
    }

    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    pub fn check_length(&mut self, field: &str, text: Option<&str>, most: usize) {
        if text.is_some_and(|text| text.chars().count() > most) {
            self.add(field, &too_long(most, "characters"));
        }
    }

    /// Milliseconds since 1970. Adds `is invalid` if the text is not a time.
    pub fn read_time(&mut self, field: &str, text: Option<&str>) -> Option<i64> {
        let millis = text.and_then(time::read);
        if text.is_some() && millis.is_none() {
            self.add(field, "is invalid");
        }
        millis
    }

    /// The form of each field that is invalid.
    fn forms(&self) -> String {
        let is_invalid = |field: &str| self.fields.get(field).is_some_and(|texts| *texts == json!(["is invalid"]));
        let forms = FORMS.iter().filter(|(field, _)| is_invalid(field));
        forms.map(|(field, form)| format!("{field} is {form}")).collect::<Vec<_>>().join("; ")
    }

    /// Unknown values alone are reported in `error`, and missing fields alone by [`Error::not_given`] for the
    /// first one. Otherwise all are reported in `message`, by field.
    pub fn result(mut self) -> Result<()> {
        self.unknown.sort_unstable();
        match (self.fields.is_empty(), self.unknown.is_empty(), self.missing.first()) {
            (true, true, None) => return Ok(()),
            (true, true, Some(field)) => return Err(Error::not_given(field)),
            (true, false, None) => {
                let shown = |(field, text): &(String, String)| format!("{field} {text}");
                let texts: Vec<String> = self.unknown.iter().map(shown).collect();
                return Err(Error::framework(texts.join(", ")));
            }
            _ => {}
        }
        for field in std::mem::take(&mut self.missing) {
            self.add(field, "can't be blank");
        }
        for (field, text) in std::mem::take(&mut self.unknown) {
            self.add(&field, &text);
        }
        let hint = if self.hint.is_empty() { self.forms() } else { self.hint };
        Err(Error::hinted(json!({ "message": self.fields }), hint))
    }
}

pub fn too_long(most: usize, unit: &str) -> String {
    format!("is too long (maximum is {most} {unit})")
}
