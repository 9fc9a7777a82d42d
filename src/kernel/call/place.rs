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
}

/// An id, or a path in lower case.
pub fn place_named(text: &str) -> Value {
    let number = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<i64>().ok().filter(|_| number).map_or_else(|| text.to_lowercase().into(), Value::Int)
}
