//! Groups and namespaces (behaviour 3.1).

mod v3;
mod v4;
