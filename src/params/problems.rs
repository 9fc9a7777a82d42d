//! What is wrong with parameters, and how it is told.

use super::field::Reading;
use crate::dialect::Dialect;
use crate::error::{Error, Result, ValidationErrors};
use serde::de;
use std::fmt;

#[derive(Default)]
pub(super) struct Problems {
    pub dialect: Dialect,
    pub framework: Vec<String>,
    pub fields: ValidationErrors,
}

impl Problems {
    /// A value is of another type.
    pub fn mistyped(&mut self, name: &str, reading: Reading) {
        if reading == Reading::Query || self.dialect.has_strict_types() {
            self.framework.push(format!("{name} is invalid"));
        } else if !self.fields.has(name) {
            self.fields.add(name, "is invalid");
        }
    }

    /// A value is none of these.
    pub fn unknown(&mut self, name: &str, values: &[&str], reading: Reading) {
        if reading == Reading::Query || self.dialect.has_strict_types() {
            self.framework.push(format!("{name} {}", self.dialect.no_valid_value(values)));
        } else {
            self.fields.unknown(name, values);
        }
    }

    /// Whether an unclear boolean is refused.
    pub fn refuses_booleans(&self, reading: Reading) -> bool {
        reading != Reading::Query || self.dialect.has_strict_types()
    }

    /// What the fields of a struct that was read are told of. Faults of the framework's kind end the request.
    pub fn of_fields(self) -> Result<ValidationErrors> {
        if self.framework.is_empty() { Ok(self.fields) } else { Err(self.told(None)) }
    }

    /// What the caller is told. A required field that had a bad value is reported as bad, not as missing.
    pub fn told(mut self, stopped: Option<DeserializeError>) -> Error {
        if !self.framework.is_empty() {
            return Error::framework(self.framework.join(", "));
        }
        if let Some(DeserializeError::Missing(name)) = stopped {
            self.fields.missing(name);
        }
        let text = stopped.map(|stopped| stopped.to_string()).unwrap_or_default();
        self.fields.result().err().unwrap_or_else(|| Error::framework(text))
    }
}

/// Why deserializing stopped; anything else is recorded and passed over.
#[derive(Debug)]
pub(super) enum DeserializeError {
    Missing(&'static str),
    Other(String),
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeserializeError::Missing(name) => write!(to, "{name} is missing"),
            DeserializeError::Other(text) => to.write_str(text),
        }
    }
}

impl std::error::Error for DeserializeError {}

impl de::Error for DeserializeError {
    fn custom<T: fmt::Display>(text: T) -> Self {
        DeserializeError::Other(text.to_string())
    }

    fn missing_field(name: &'static str) -> Self {
        DeserializeError::Missing(name)
    }
}
