//! Sets and maps of the items of an iterator.

use super::error::Result;

/// `collect` into a `BTreeMap` or `BTreeSet` sorts first, with 5 kB of wasm for each type of items.
pub trait Gather: Iterator + Sized {
    /// Inserts the items one by one.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }

    /// The same of items that may be errors: the first one, if there is one.
    fn try_gather<C: Default + Extend<T>, T>(self) -> Result<C>
    where
        Self: Iterator<Item = Result<T>>,
    {
        let mut all = C::default();
        for item in self {
            all.extend([item?]);
        }
        Ok(all)
    }
}

impl<I: Iterator> Gather for I {}
