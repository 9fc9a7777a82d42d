//! Members of v4's answers that have the same value for every record, because the server has no such data.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

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

/// Values with the names of their members, for `#[serde(flatten)]`. This loop compiles to far less code than a struct
/// with as many fields.
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
