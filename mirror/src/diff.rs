//! The limits are those of behaviour 7.3.

use serde::Serialize;

/// Further files are left out.
pub const MOST_FILES: usize = 1000;

/// Bytes of all patches. The list ends before the file that exceeds it.
const MOST_TEXT: usize = 5 * 1024 * 1024;

/// Bytes. A file with a longer patch is listed without the patch.
pub const LONGEST_PATCH: usize = 200 * 1024;

/// The largest body that the server accepts, less room for the JSON around a commit.
const MOST_JSON: usize = 8 * 1024 * 1024 - 16 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub old_path: String,
    pub new_path: String,
    /// Six octal digits. `0` for the old side of a new file and the new side of a deleted one.
    pub a_mode: String,
    pub b_mode: String,
    pub renamed: bool,
}

#[derive(Serialize)]
struct Entry<'a> {
    old_path: &'a str,
    new_path: &'a str,
    a_mode: &'a str,
    b_mode: &'a str,
    diff: &'a str,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
    /// Without it, an empty `diff` of a new file could be an empty file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_large: bool,
}

/// The text of one file's patch. It is discarded when it grows too long.
#[derive(Debug, Default)]
pub struct Patch {
    pub text: Vec<u8>,
    pub too_long: bool,
}

#[derive(Debug)]
pub struct Diff {
    json: Vec<u8>,
    files: usize,
    text: usize,
    /// Bytes left in the body. The array is a JSON string there, so quotes and backslashes count twice.
    room: usize,
    full: bool,
}

impl Diff {
    /// `around` is the size of the commit's other fields as JSON.
    pub fn new(around: usize) -> Diff {
        let room = MOST_JSON.saturating_sub(around);
        Diff { json: b"[".to_vec(), files: 0, text: 0, room, full: false }
    }

    /// The number of files in the list.
    pub fn files(&self) -> usize {
        self.files
    }

    pub fn is_full(&self) -> bool {
        self.full || self.files >= MOST_FILES
    }

    /// Adds a file. The first file that does not fit ends the list.
    pub fn push(&mut self, change: &Change, patch: &Patch) {
        if self.is_full() {
            return;
        }
        let diff = if patch.too_long { "".into() } else { String::from_utf8_lossy(&patch.text) };
        let entry = Entry {
            old_path: &change.old_path,
            new_path: &change.new_path,
            a_mode: &change.a_mode,
            b_mode: &change.b_mode,
            diff: &diff,
            new_file: change.a_mode == "0",
            renamed_file: change.renamed,
            deleted_file: change.b_mode == "0",
            too_large: patch.too_long,
        };
        let start = self.json.len();
        if self.files > 0 {
            self.json.push(b',');
        }
        // writing to memory cannot fail
        let _ = serde_json::to_writer(&mut self.json, &entry);
        let added = self.json.get(start..).map_or(0, size_as_string);
        self.text += diff.len();
        if self.text > MOST_TEXT || added > self.room {
            self.json.truncate(start);
            self.full = true;
        } else {
            self.room -= added;
            self.files += 1;
        }
    }

    pub fn finish(mut self) -> String {
        self.json.push(b']');
        // serde_json writes UTF-8
        String::from_utf8(self.json).unwrap_or_default()
    }
}

/// The size of JSON text as a JSON string. serde_json has escaped its control characters already.
fn size_as_string(json: &[u8]) -> usize {
    json.len() + json.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn change(path: &str) -> Change {
        Change {
            old_path: path.to_owned(),
            new_path: path.to_owned(),
            a_mode: "100644".to_owned(),
            b_mode: "100644".to_owned(),
            renamed: false,
        }
    }

    fn patch(text: &[u8]) -> Patch {
        Patch { text: text.to_vec(), too_long: false }
    }

    fn list(diff: Diff) -> Vec<Value> {
        serde_json::from_str(&diff.finish()).unwrap()
    }

    #[test]
    fn a_diff_ends_before_the_file_that_passes_five_mebibytes() {
        let mut diff = Diff::new(0);
        for number in 0..30 {
            diff.push(&change(&number.to_string()), &patch(&vec![b'x'; 200 * 1024]));
        }
        diff.push(&change("small"), &patch(b"x"));
        assert_eq!(list(diff).len(), 25);
    }

    #[test]
    fn a_diff_of_nothing_but_quotes_still_fits_a_body() {
        let mut diff = Diff::new(1000);
        for number in 0..30 {
            diff.push(&change(&number.to_string()), &patch(&vec![b'"'; 200 * 1024]));
        }
        let json = diff.finish();
        assert!(size_as_string(json.as_bytes()) < 8 * 1024 * 1024);
        assert!(serde_json::to_string(&json).unwrap().len() > 7 * 1024 * 1024);
    }

    #[test]
    fn a_diff_has_at_most_a_thousand_files() {
        let mut diff = Diff::new(0);
        for number in 0..1001 {
            diff.push(&change(&number.to_string()), &patch(b""));
        }
        assert_eq!(list(diff).len(), 1000);
    }

    #[test]
    fn a_patch_given_up_leaves_its_file_in_the_list() {
        let mut diff = Diff::new(0);
        diff.push(&change("a"), &Patch { text: b"--- a".to_vec(), too_long: true });
        diff.push(&change("b"), &patch(b""));
        let list = list(diff);
        assert_eq!((&list[0]["diff"], &list[0]["new_path"]), (&json!(""), &json!("a")));
        assert_eq!([&list[0]["too_large"], &list[1]["too_large"]], [&json!(true), &Value::Null]);
    }
}
