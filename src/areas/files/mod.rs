//! Files that people send, as uploads or in packages (behaviour 19). Bytes are stored before their rows are written, so
//! that no row names a missing object. The sweep removes objects without a row.

pub mod form;
pub mod receiving;
pub mod sending;

use crate::kernel::Error;

edgeforge_row::statements!(pub mod sql: "src/areas/files/files.sql");

/// The error without an object store.
pub fn off() -> Error {
    Error::Refused(501, "501 Not Implemented - this server has no store for files".to_owned())
}
