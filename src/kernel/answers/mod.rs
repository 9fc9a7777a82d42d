//! Parts of answers that several areas share.

pub mod constants;
pub mod discussion;
pub mod page_address;
pub mod person;
