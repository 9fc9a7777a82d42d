//! To-do items (behaviour 6.7).

mod v3;
mod v4;
