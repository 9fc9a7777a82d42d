//! Members of an answer that are the same whatever is shown: of what v4 tells and this server does not have.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A value that many members have.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Constant {
    Null,
    Bool(bool),
    Number(i64),
    Text(&'static str),
    /// `[]`
    Nothing([(); 0]),
}

/// Names of members, beside the value that all of them have. Written into an answer by `#[serde(flatten)]`: a loop over
/// a table is far smaller than a field of a struct for each.
#[derive(Debug, Clone, Copy)]
pub struct Constants(pub &'static [(Constant, &'static [&'static str])]);

impl Serialize for Constants {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut members = to.serialize_map(None)?;
        for (value, names) in self.0 {
            for name in *names {
                members.serialize_entry(name, value)?;
            }
        }
        members.end()
    }
}
