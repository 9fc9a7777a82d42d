//! The lenient reader: text is read as whatever the field asks for, and every failing field is reported at once.
//!
//! A struct of parameters derives `Parameters`, and so does an enum that one of its fields is. The derived code
//! (`row/src/lib.rs`) is one call for each field.

use super::field::Reading;
use super::problems::Problems;
use super::scalar::{Parameter, Scalar};
use super::{Param, Params};
use crate::error::{Result, ValidationErrors};
use std::cell::RefCell;

#[diagnostic::on_unimplemented(message = "no parameters are read as `{Self}`: it has to derive `Parameters`")]
pub trait Parameters: Sized {
    const NAMES: &'static [&'static str];
    fn read_fields(from: &Fields<'_>) -> Self;
}

impl Params {
    pub fn read<T: Parameters>(&self, reading: Reading) -> Result<T> {
        let (value, errors) = self.read_and_errors(reading)?;
        errors.result().map(|()| value)
    }

    /// The same for an endpoint with more to say about the fields: a field of another type is among the errors, and
    /// its value is a default that nobody sent.
    pub fn read_and_errors<T: Parameters>(&self, reading: Reading) -> Result<(T, ValidationErrors)> {
        self.know(T::NAMES);
        let problems = RefCell::new(Problems { dialect: self.dialect, ..Problems::default() });
        let fields = Fields { params: self, reading, problems };
        let value = T::read_fields(&fields);
        Ok((value, fields.judged()?))
    }
}

/// The parameters of a request while a struct is read from them. What no struct makes different is there once.
pub struct Fields<'a> {
    params: &'a Params,
    reading: Reading,
    problems: RefCell<Problems>,
}

impl Fields<'_> {
    /// A field that has to be sent, unless its type is one of those that may be absent.
    pub fn required<T: Parameter>(&self, name: &'static str) -> T {
        match self.find(name) {
            Some(sent) => T::read(sent),
            None if T::IS_OPTIONAL => T::nothing(),
            None => {
                self.miss(name, T::IS_WORD);
                T::nothing()
            }
        }
    }

    /// A field that need not be sent.
    pub fn optional<T: Parameter>(&self, name: &'static str) -> T {
        match self.find(name) {
            Some(sent) => T::read(sent),
            None => T::nothing(),
        }
    }

    pub fn flattened<T: Parameters>(&self) -> T {
        self.params.know(T::NAMES);
        T::read_fields(self)
    }

    /// A parameter, if it counts as sent.
    fn find(&self, name: &'static str) -> Option<Scalar<'_>> {
        let param = self.params.sent.get(name)?;
        let is_blank = match param {
            Param::List(items) if self.reading == Reading::Query => items.iter().all(Param::is_blank),
            param => param.is_blank(),
        };
        let counts = self.reading == Reading::Edit || !is_blank;
        let scalar = Scalar { name, param, reading: self.reading, problems: &self.problems };
        counts.then_some(scalar)
    }

    fn miss(&self, name: &'static str, is_word: bool) {
        self.problems.borrow_mut().missing.push((name, is_word));
    }

    fn judged(self) -> Result<ValidationErrors> {
        self.problems.into_inner().judged(|name| self.params.sent.contains_key(name))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/params/read.rs"]
mod tests;
