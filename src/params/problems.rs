//! Errors of parameters, collected while a struct is read.

use super::field::Reading;
use crate::dialect::Dialect;
use crate::error::{Error, Result, ValidationErrors};

#[derive(Default)]
pub(super) struct Problems {
    pub dialect: Dialect,
    /// Name and error of each parameter, for `error`.
    pub framework: Vec<(String, String)>,
    pub fields: ValidationErrors,
    /// Missing required fields, and whether the field takes one of some words.
    pub missing: Vec<(&'static str, bool)>,
}

impl Problems {
    pub fn refuse(&mut self, name: &str, text: &str) {
        self.framework.push((name.to_owned(), format!("{name} {text}")));
    }

    pub fn mistyped(&mut self, name: &str, reading: Reading) {
        if reading == Reading::Query || self.dialect.has_strict_types() {
            self.refuse(name, "is invalid");
        } else if !self.fields.has(name) {
            self.fields.add(name, "is invalid");
        }
    }

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

    /// Returns the errors of single fields. Errors for `error` and missing fields end the request: v3 reports
    /// the first missing field, v4 all of them. A field with a bad value is not reported as missing.
    pub fn validated(mut self, is_sent: impl Fn(&str) -> bool) -> Result<ValidationErrors> {
        self.framework.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut framework: Vec<String> = self.framework.into_iter().map(|(_, text)| text).collect();
        let missing = self.missing.iter().filter(|_| self.dialect.has_strict_types());
        for (name, is_word) in missing {
            match (is_sent(name), is_word) {
                (false, _) => framework.push(format!("{name} is missing")),
                (true, false) => framework.push(format!("{name} is empty")),
                // reported below as a value that is not valid
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
