//! Members of projects and groups (behaviour 3.2).

mod v3;
mod v4;
