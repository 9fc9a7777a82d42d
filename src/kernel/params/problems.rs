//! Errors of parameters, collected while a struct is read.

use super::field::Reading;
use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result, ValidationErrors};
use serde_json::json;

#[derive(Default)]
pub(super) struct Problems {
    pub dialect: Dialect,
    /// Name and error of each parameter, for `error`.
    pub framework: Vec<(String, String)>,
    pub fields: ValidationErrors,
    /// Missing required fields, and the allowed words of each. A field without fixed words has none.
    pub missing: Vec<(&'static str, &'static [&'static str])>,
    /// Lists of the allowed words, for fields that were sent another word.
    pub hints: Vec<String>,
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
            self.hints.extend(self.dialect.hint_of_values(name, values));
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
        for (name, words) in missing {
            match (is_sent(name), !words.is_empty()) {
                (false, _) => framework.push(format!("{name} is missing")),
                // a rule of the record, as in v3
                (true, false) if *name == "title" => self.fields.add(name, "can't be blank"),
                (true, false) => framework.push(format!("{name} is empty")),
                // reported below as a value that is not valid
                (true, true) => {}
            }
            if !words.is_empty() {
                framework.push(format!("{name} {}", self.dialect.no_valid_value(words)));
                self.hints.extend(self.dialect.hint_of_values(name, words));
            }
        }
        if !framework.is_empty() {
            let text = framework.join(", ");
            return Err(match self.hints.is_empty() {
                true => Error::framework(text),
                false => Error::hinted(json!({ "error": text }), self.hints.join("; ")),
            });
        }
        let Some((name, _)) = self.missing.first() else { return Ok(self.fields) };
        if self.dialect.has_strict_types() {
            return self.fields.result().map(|()| ValidationErrors::default());
        }
        self.fields.missing(name);
        self.fields.result().map(|()| ValidationErrors::default())
    }
}
