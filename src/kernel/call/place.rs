use crate::kernel::error::{Error, Result};
use crate::kernel::policy::Action;
pub use crate::kernel::route::Place;
use crate::kernel::store::Value;

/// What a request has to pass: the gate of its route, or the gate of a part that another endpoint answers.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    pub place: Place,
    /// The project or group as the path names it.
    pub named: String,
    pub action: Option<Action>,
    /// Whether the request is refused if the project is archived.
    pub is_change: bool,
}

/// Reads an id of 1 to 15 digits; anything else is 404.
pub fn path_id(text: &str) -> Result<i64> {
    let digits = !text.is_empty() && text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().map_err(|_| Error::no_record()) } else { Err(Error::no_record()) }
}

/// Like [`path_id`], but the error is 400 and calls the number `name`.
pub fn path_number(name: &str, text: &str) -> Result<i64> {
    path_id(text).map_err(|_| Error::invalid(name))
}

/// An id, or a path in lower case.
pub fn place_named(text: &str) -> Value {
    path_id(text).map_or_else(|_| text.to_lowercase().into(), Value::Int)
}
