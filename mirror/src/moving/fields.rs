//! Fields of objects. One with a value of another kind is as one that is absent; `check` counts it.

use serde_json::Value;

use super::time;

pub fn text<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    of.get(name)?.as_str()
}

/// A text that is not blank.
pub fn word<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    text(of, name).filter(|text| !text.trim().is_empty())
}

pub fn number(of: &Value, name: &str) -> Option<i64> {
    of.get(name)?.as_i64()
}

pub fn flag(of: &Value, name: &str) -> bool {
    of.get(name).and_then(Value::as_bool).unwrap_or_default()
}

pub fn millis(of: &Value, name: &str) -> Option<i64> {
    time::millis(text(of, name)?)
}

/// Fields of an object as they are, null if it lacks one, and more, which stand before them.
pub fn picked(of: &Value, names: &str, mut more: Value) -> Value {
    if let Some(fields) = more.as_object_mut() {
        for name in names.split(' ') {
            fields.entry(name).or_insert_with(|| of.get(name).cloned().unwrap_or_default());
        }
    }
    more
}

pub fn put(of: &mut Value, name: &str, value: impl Into<Value>) {
    of.as_object_mut().map(|fields| fields.insert(name.to_owned(), value.into()));
}

pub fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The id of an object that is the value of a field.
pub fn id_in(of: &Value, name: &str) -> Option<i64> {
    number(of.get(name)?, "id")
}
