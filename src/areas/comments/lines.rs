//! Finds the line of a diff that a comment names. Only added and removed lines can have comments.

use serde::Deserialize;

#[derive(Debug, PartialEq)]
pub struct Anchor {
    /// The new path of the file.
    pub path: String,
    /// The number on the side of the line. A removed line may also have the number on the new side.
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
    /// `diff` is the JSON array of a stored diff.
    pub fn found_in(&self, diff: &str) -> bool {
        let entries: Vec<Entry> = serde_json::from_str(diff).unwrap_or_default();
        entries.iter().any(|entry| entry.new_path == self.path && self.found_in_patch(&entry.diff))
    }

    fn found_in_patch(&self, patch: &str) -> bool {
        let mut sides = None;
        for line in patch.split('\n') {
            if let Some(starts) = hunk_starts(line) {
                sides = Some(starts);
                continue;
            }
            let Some((old, new)) = sides.as_mut() else { continue };
            let kind = line.as_bytes().first();
            let here = match kind {
                Some(b'+') => self.line_type == "new" && *new == self.line,
                Some(b'-') => self.line_type == "old" && (*old == self.line || *new == self.line && *new > 0),
                _ => false,
            };
            if here {
                return true;
            }
            *new = new.saturating_add(i64::from(matches!(kind, Some(b'+' | b' '))));
            *old = old.saturating_add(i64::from(matches!(kind, Some(b'-' | b' '))));
        }
        false
    }
}

/// The first line of both sides of `@@ -a,b +c,d @@`.
fn hunk_starts(line: &str) -> Option<(i64, i64)> {
    let (old, new) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let first = |side: &str| side.split([',', ' ']).next()?.parse().ok();
    Some((first(old)?, first(new)?))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/comments/lines.rs"]
mod tests;
