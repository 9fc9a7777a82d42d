//! Whose JWTs count, and the keys that an instance remembers (behaviour 2.5). [`crate::kernel::call::jwt`] verifies them.

pub(crate) mod issuers;
pub(crate) mod keys;
pub(crate) mod trust;
