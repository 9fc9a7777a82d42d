//! What is wrong with parameters, and how it is told.

use super::field::Reading;
use crate::dialect::Dialect;
use crate::error::{Error, Result, ValidationErrors};

#[derive(Default)]
pub(super) struct Problems {
    pub dialect: Dialect,
    pub framework: Vec<(String, String)>,
    pub fields: ValidationErrors,
    /// The required fields that were not sent, and whether they are to be one of some words.
    pub missing: Vec<(&'static str, bool)>,
}

impl Problems {
    /// The framework's way to tell a fault.
    pub fn refuse(&mut self, name: &str, text: &str) {
        self.framework.push((name.to_owned(), format!("{name} {text}")));
    }

    /// A value is of another type.
    pub fn mistyped(&mut self, name: &str, reading: Reading) {
        if reading == Reading::Query || self.dialect.has_strict_types() {
            self.refuse(name, "is invalid");
        } else if !self.fields.has(name) {
            self.fields.add(name, "is invalid");
        }
    }

    /// A value is none of these.
    pub fn unknown(&mut self, name: &str, values: &[&str], reading: Reading) {
        if reading == Reading::Query || self.dialect.has_strict_types() {
            let text = self.dialect.no_valid_value(values);
            self.refuse(name, &text);
        } else {
            self.fields.unknown(name, values);
        }
    }

    pub fn refuses_booleans(&self, reading: Reading) -> bool {
        reading != Reading::Query || self.dialect.has_strict_types()
    }

    /// What is wrong with single fields. A fault of the framework's kind, or a required field that is not there, ends the
    /// request: v3 tells of the first of these, v4 of all. A required field that had a bad value is reported as bad, not as missing.
    pub fn judged(mut self, is_sent: impl Fn(&str) -> bool) -> Result<ValidationErrors> {
        self.framework.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut framework: Vec<String> = self.framework.into_iter().map(|(_, text)| text).collect();
        let missing = self.missing.iter().filter(|_| self.dialect.has_strict_types());
        for (name, is_word) in missing {
            match (is_sent(name), is_word) {
                (false, _) => framework.push(format!("{name} is missing")),
                (true, false) => framework.push(format!("{name} is empty")),
                // what is to be one of some words is told to be none of them
                (true, true) => {}
            }
            if *is_word {
                framework.push(format!("{name} {}", self.dialect.no_valid_value(&[])));
            }
        }
        if !framework.is_empty() {
            return Err(Error::framework(framework.join(", ")));
        }
        let Some((name, _)) = self.missing.first() else { return Ok(self.fields) };
        self.fields.missing(name);
        self.fields.result().map(|()| ValidationErrors::default())
    }
}
