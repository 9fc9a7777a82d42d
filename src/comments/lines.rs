//! Which lines of a diff a comment can stand on: those that were added or removed.

use serde::Deserialize;

/// A line of a file as a comment names it.
#[derive(Debug, PartialEq)]
pub struct Anchor {
    /// The file's new path.
    pub path: String,
    /// The line's number on the new side; for a removed line, that of the line after it.
    pub line: i64,
    /// `new` for an added line, `old` for a removed one.
    pub line_type: &'static str,
}

#[derive(Deserialize)]
struct Entry {
    new_path: String,
    diff: String,
}

impl Anchor {
    /// None if the type of line is none.
    pub fn new(path: &str, line: i64, line_type: &str) -> Option<Anchor> {
        let line_type = ["new", "old"].into_iter().find(|known| *known == line_type)?;
        Some(Anchor { path: path.to_owned(), line, line_type })
    }

    /// The number that answers show: a removed line has none on the new side.
    pub fn shown_line(&self) -> Option<i64> {
        (self.line_type == "new").then_some(self.line)
    }

    /// Whether a stored diff, the JSON text of an answer, has this line among its changed ones.
    pub fn is_in(&self, diff: &str) -> bool {
        let entries: Vec<Entry> = serde_json::from_str(diff).unwrap_or_default();
        entries
            .iter()
            .filter(|entry| entry.new_path == self.path)
            .any(|entry| self.is_changed_in(&entry.diff))
    }

    fn is_changed_in(&self, patch: &str) -> bool {
        let mut new_line = None;
        for line in patch.split('\n') {
            if let Some(start) = hunk_start(line) {
                new_line = Some(start);
                continue;
            }
            let Some(number) = new_line.as_mut() else { continue };
            let kind = match line.as_bytes().first() {
                Some(b'+') => "new",
                Some(b'-') => "old",
                _ => "",
            };
            if kind == self.line_type && *number == self.line {
                return true;
            }
            if matches!(line.as_bytes().first(), Some(b'+' | b' ')) {
                *number += 1;
            }
        }
        false
    }
}

/// The new side's first line of `@@ -a,b +c,d @@`.
fn hunk_start(line: &str) -> Option<i64> {
    let (_, new) = line.strip_prefix("@@ -")?.split_once(" +")?;
    new.split([',', ' ']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Anchor;
    use serde_json::json;

    #[test]
    fn only_added_and_removed_lines_match() {
        let patch =
            "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n\\ No newline at end of file\n";
        let diff = json!([{ "new_path": "f", "diff": patch }]).to_string();
        let fits = |path, line, kind| Anchor::new(path, line, kind).is_some_and(|anchor| anchor.is_in(&diff));
        assert!(fits("f", 2, "new"));
        assert!(fits("f", 2, "old"));
        for (path, line, kind) in
            [("f", 1, "new"), ("f", 3, "new"), ("f", 99, "new"), ("g", 2, "new"), ("f", 2, "odd")]
        {
            assert!(!fits(path, line, kind), "{path} {line} {kind}");
        }
    }
}
