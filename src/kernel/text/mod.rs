//! Texts: how they are compared and cut, and which are names and addresses.

pub mod bounded;
pub mod emoji;
pub mod fold;
pub mod names;
pub mod title;
pub mod web_address;
pub mod wildcard;
