//! Reads parameters into a struct and collects all errors.

use super::field::Reading;
use super::problems::Problems;
use super::scalar::{Parameter, Scalar};
use super::{Param, Params};
use crate::kernel::error::{Result, ValidationErrors};
use std::cell::RefCell;

#[diagnostic::on_unimplemented(message = "`{Self}` cannot be read from parameters: derive `Parameters` for it")]
pub trait Parameters: Sized {
    const NAMES: &'static [&'static str];
    fn read_fields(from: &Fields<'_>) -> Self;
}

impl Params {
    pub fn read<T: Parameters>(&self, reading: Reading) -> Result<T> {
        let (value, errors) = self.read_and_errors(reading)?;
        errors.result().map(|()| value)
    }

    /// For an endpoint that adds its own errors. A field with an error has a default value.
    pub fn read_and_errors<T: Parameters>(&self, reading: Reading) -> Result<(T, ValidationErrors)> {
        self.know(T::NAMES);
        let problems = RefCell::new(Problems { dialect: self.dialect, ..Problems::default() });
        let fields = Fields { params: self, reading, problems };
        let value = T::read_fields(&fields);
        Ok((value, fields.validated()?))
    }
}

/// The code here does not depend on the struct, so it is compiled once.
pub struct Fields<'a> {
    params: &'a Params,
    reading: Reading,
    problems: RefCell<Problems>,
}

impl Fields<'_> {
    /// A required field, unless its type may be absent.
    pub fn required<T: Parameter>(&self, name: &'static str) -> T {
        let sent = self.find(name);
        if sent.is_none() && !T::IS_OPTIONAL {
            self.miss(name, T::WORDS);
        }
        sent.map(T::read).unwrap_or_default()
    }

    pub fn optional<T: Parameter>(&self, name: &'static str) -> T {
        self.find(name).map(T::read).unwrap_or_default()
    }

    pub fn flattened<T: Parameters>(&self) -> T {
        self.params.know(T::NAMES);
        T::read_fields(self)
    }

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

    fn miss(&self, name: &'static str, words: &'static [&'static str]) {
        self.problems.borrow_mut().missing.push((name, words));
    }

    fn validated(self) -> Result<ValidationErrors> {
        self.problems.into_inner().validated(|name| self.params.sent.contains_key(name))
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params/read.rs"]
mod tests;
