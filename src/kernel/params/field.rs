use std::ops::RangeInclusive;

/// What parameters are read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Filters of a list: blank is absent. Errors are reported in `error`.
    Query,
    /// A new record: null and blank are absent.
    Create,
    /// A change: null and blank clear a [`Patch`].
    Edit,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub enum Patch<T> {
    /// Not sent.
    #[default]
    Keep,
    /// Sent null or blank.
    Clear,
    Set(T),
}

impl<T> Patch<T> {
    pub fn is_keep(&self) -> bool {
        matches!(self, Patch::Keep)
    }

    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(value) => Patch::Set(of(value)),
        }
    }

    pub fn set(&self) -> Option<&T> {
        if let Patch::Set(value) = self { Some(value) } else { None }
    }

    /// The value after the change, where `before` is the value until now.
    pub fn over(&self, before: &Option<T>) -> Option<T>
    where
        T: Clone,
    {
        if self.is_keep() { before.clone() } else { self.set().cloned() }
    }

    /// Becomes `Keep` if the field already has the value that it would be set to.
    pub fn keep_if(&mut self, now: Option<&T>)
    where
        T: PartialEq,
    {
        if self.set() == now {
            *self = Patch::Keep;
        }
    }
}

/// A number for a field that has its own errors for bad numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Integer {
    /// A number beyond 64 bits becomes the nearest one.
    Number(i64),
    Fraction,
    #[default]
    NoNumber,
}

impl Integer {
    /// The number, if it is in the range.
    pub fn among(self, known: RangeInclusive<i64>) -> Option<i64> {
        if let Integer::Number(number) = self { Some(number).filter(|it| known.contains(it)) } else { None }
    }
}

/// An id that may belong to no record. A number beyond 2^53 becomes 2^53, which no record has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RecordId(pub i64);

/// Whether the parameter was sent and is not blank, in any form.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sent(pub bool);

/// Reads a finite number as in JSON, where `+`, leading zeros and `.5` are allowed, too.
pub fn real(text: &str) -> Option<f64> {
    let text = text.trim();
    let real: f64 = text.parse().ok()?;
    let is_whole = text.split_once('.').is_none_or(|(_, rest)| rest.starts_with(|first: char| first.is_ascii_digit()));
    (real.is_finite() && is_whole).then_some(real)
}

impl From<&str> for Integer {
    fn from(text: &str) -> Self {
        let text = text.trim();
        match (text.parse::<i64>(), real(text)) {
            (Ok(number), _) => Integer::Number(number),
            (_, Some(real)) if real.fract() == 0.0 => Integer::Number(real as i64),
            (_, Some(_)) => Integer::Fraction,
            (_, None) => Integer::NoNumber,
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params/field.rs"]
mod tests;
