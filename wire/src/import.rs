//! The answer and the limits of `POST /projects/:id/import_records`.

use serde::{Deserialize, Serialize};

/// Of a request.
pub const RECORDS: usize = 300;

/// Labels of all issues of a request, with the links and milestones of its releases.
pub const ITEMS: usize = 500;

/// Records and items: each is several rows.
pub const TOGETHER: usize = 550;

/// The fields of a record that have items.
pub const LISTS: [&str; 3] = ["labels", "links", "milestones"];

/// Bytes of a request, unpacked.
pub const BYTES: usize = 1_500_000;

/// Each record of the request is counted in one of these.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Imported {
    pub new: usize,
    pub changed: usize,
    pub same: usize,
    /// What is here stays, although the record differs: its place in the request, from 0.
    pub kept: Vec<usize>,
    /// The place, and why.
    pub refused: Vec<(usize, String)>,
}
