//! Two texts: their patch as git prints it, and how similar they are. Nothing here reads what is stored. Each function takes
//! the steps that it needs off those that are left.

mod lines;
mod patch;
mod search;
mod similar;
mod sliding;

pub use patch::{Side, patch};
pub use similar::{Pieces, SAME, SIMILAR};
