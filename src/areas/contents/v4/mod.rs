pub(super) mod address;
mod blobs;
pub(super) mod compare;
mod files;
mod tree;

pub use address::raw_at;
pub use blobs::{raw as raw_blob, show as show_blob};
pub use compare::{compare, merge_base};
pub use files::{blame, raw, show};
pub use tree::list as list_tree;
