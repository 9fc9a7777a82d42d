//! `export` writes a project to an archive, `import` writes an archive to a project. The archive is GitLab's, with a
//! folder `edgeforge` for what that has no place for.

mod api;
mod archive;
mod check;
mod common;
mod export;
mod fields;
mod files;
mod foresight;
mod import;
mod issues;
mod json;
mod lines;
mod packages;
mod parts;
mod people;
mod reading;
mod records;
mod report;
mod send;
mod source;
mod survey;
mod tarball;
mod target;
mod texts;
mod time;
mod verify;

pub use export::export;
pub use import::import;
