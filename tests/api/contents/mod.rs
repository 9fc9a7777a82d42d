//! Trees and files of repositories (behaviour 15).

mod compare;
mod v3;
mod v4;
