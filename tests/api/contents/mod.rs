//! Trees and files of repositories (behaviour 15).

mod agreement;
mod archives;
mod attributes;
mod bounds;
mod compare;
mod contributors;
mod merge_bases;
mod modes;
mod unread;
mod v3;
mod v4;
