//! The people and files that an export has met. They stand in a file beside the issues until the export is whole, because a
//! run that goes on after a kill does not read those issues again.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::fields::number;
use super::lines;
use crate::error::Result;

pub const PATH: &str = "edgeforge/met.ndjson";

#[derive(Default)]
pub struct Met {
    pub users: BTreeMap<i64, Value>,
    /// Secrets and names.
    pub files: BTreeSet<(String, String)>,
    /// The lines of what the file lacks.
    new: Vec<Value>,
}

impl Met {
    pub fn user(&mut self, id: i64, user: &Value) {
        if let Entry::Vacant(place) = self.users.entry(id) {
            place.insert(user.clone());
            self.new.push(json!({"user": user}));
        }
    }

    pub fn file(&mut self, secret: &str, name: &str) {
        if self.files.insert((secret.to_owned(), name.to_owned())) {
            self.new.push(json!({"file": [secret, name]}));
        }
    }

    /// Appends what is new to the file.
    pub fn write(&mut self, folder: &Path) -> Result<()> {
        let new = std::mem::take(&mut self.new);
        if new.is_empty() { Ok(()) } else { lines::append(&folder.join(PATH), &new).map(|_| ()) }
    }

    /// Meets again what a killed run has met. A last line that is cut off goes.
    pub fn read(&mut self, folder: &Path) -> Result<()> {
        let path = folder.join(PATH);
        for of in lines::all(&path) {
            if let Some((id, user)) = of.get("user").and_then(|user| Some((number(user, "id")?, user))) {
                self.user(id, user);
            }
            self.file_in(of.get("file").unwrap_or(&Value::Null));
        }
        lines::write(&path, &std::mem::take(&mut self.new))
    }

    /// `of`: a list of secret and name.
    pub fn file_in(&mut self, of: &Value) {
        let text = |at: usize| of.get(at).and_then(Value::as_str);
        if let (Some(secret), Some(name)) = (text(0), text(1)) {
            self.file(secret, name);
        }
    }
}
