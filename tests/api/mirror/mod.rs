//! The push hook: its requests, and the index that they make (behaviour 8.2).

mod histories;
mod lost;
mod objects;
mod push;
mod references;
