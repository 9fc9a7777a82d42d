//! Parses the output of `git log --raw --patch -z` after a commit.
//!
//! Nothing marks the end of a patch, and its lines may contain anything. But a hunk's header gives the number
//! of its lines, and between hunks git writes only lines of known form, with names in quotes.

use std::io::Read;

use crate::diff::{Change, Diff, MOST_FILES, Patch};
use crate::error::Result;
use crate::stream::{Stream, unexpected};
use crate::text::lossy;
use edgeforge_wire::limits;

/// git limits a path to 4 KiB. Each invalid byte becomes 3 bytes of UTF-8.
const LONGEST_PATH: usize = 16 * 1024;

#[derive(Debug, Default)]
pub struct Changes {
    pub diff: String,
    /// The changed paths that the diff leaves out, up to [`limits::MORE_PATHS`].
    pub more_paths: Vec<String>,
    pub additions: u64,
    pub deletions: u64,
    /// True if a file became a link or a submodule, or the reverse.
    pub changed_type: bool,
}

/// Paths up to [`limits::MORE_PATHS`]. Further ones are left out.
#[derive(Default)]
struct Paths {
    paths: Vec<String>,
    /// As JSON.
    bytes: usize,
}

impl Paths {
    fn add(&mut self, change: &Change) {
        self.add_path(change.new_path.clone());
        if change.old_path != change.new_path {
            self.add_path(change.old_path.clone());
        }
    }

    fn add_path(&mut self, path: String) {
        let size = serde_json::to_string(&path).map_or(0, |json| json.len() + 1);
        if self.bytes + size <= limits::MORE_PATHS {
            self.bytes += size;
            self.paths.push(path);
        }
    }
}

/// Reads up to the next commit. `around` is the size of the commit's other fields as JSON.
pub fn read<R: Read>(stream: &mut Stream<R>, around: usize) -> Result<Changes> {
    let mut changes = Changes::default();
    let mut rest = Paths::default();
    let mut diff = Diff::new(around);
    if stream.peek()? == Some(b'\n') {
        stream.expect(b'\n')?;
        let mut expected = 0;
        let mut files = Vec::new();
        while stream.peek()? == Some(b':') {
            let (change, letter) = raw(stream)?;
            // git's patch shows a changed type as a file deleted and another created
            let split = letter == b'T';
            changes.changed_type |= split;
            expected += if split { 2 } else { 1 };
            if files.len() >= MOST_FILES {
                rest.add(&change);
                continue;
            }
            if split {
                files.push(Change { b_mode: "0".to_owned(), ..change.clone() });
                files.push(Change { a_mode: "0".to_owned(), ..change });
            } else {
                files.push(change);
            }
        }
        stream.expect(0)?;
        // whatever the diff leaves out, its paths fit into the body
        let mut paths = Paths::default();
        files.iter().for_each(|change| paths.add(change));
        diff = Diff::new(around + paths.bytes + rest.bytes);
        patches(stream, &files, expected, &mut diff, &mut changes)?;
        let mut left_out = Paths::default();
        files.iter().skip(diff.files()).for_each(|change| left_out.add(change));
        rest.paths.into_iter().for_each(|path| left_out.add_path(path));
        changes.more_paths = left_out.paths;
    }
    changes.diff = diff.finish();
    Ok(changes)
}

/// `:100644 100755 <hash> <hash> R086`, then one path, or two for a rename.
fn raw<R: Read>(stream: &mut Stream<R>) -> Result<(Change, u8)> {
    let words = stream.field(256)?;
    let text = String::from_utf8_lossy(&words);
    let mut fields = text.strip_prefix(':').unwrap_or_default().split(' ');
    let (Some(a_mode), Some(b_mode), Some(_), Some(_), Some(status)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(unexpected(&words));
    };
    let mode = |mode: &str| if mode == "000000" { "0".to_owned() } else { mode.to_owned() };
    let letter = status.bytes().next().unwrap_or_default();
    let renamed = letter == b'R';
    if !matches!(letter, b'A' | b'D' | b'M' | b'R' | b'T') {
        return Err(unexpected(&words));
    }
    let old_path = lossy(&stream.field(LONGEST_PATH)?, LONGEST_PATH);
    let new_path = if renamed { lossy(&stream.field(LONGEST_PATH)?, LONGEST_PATH) } else { old_path.clone() };
    Ok((Change { old_path, new_path, a_mode: mode(a_mode), b_mode: mode(b_mode), renamed }, letter))
}

/// Reads to the NUL before the next commit, or to the end.
fn patches<R: Read>(
    stream: &mut Stream<R>,
    files: &[Change],
    expected: usize,
    diff: &mut Diff,
    changes: &mut Changes,
) -> Result<()> {
    let mut patch = Patch::default();
    let mut line = Vec::new();
    let mut seen = 0;
    while !matches!(stream.peek()?, None | Some(0)) {
        stream.line(&mut line)?;
        if line.starts_with(b"diff --git ") {
            if let Some(last) = usize::checked_sub(seen, 1) {
                files.get(last).inspect(|change| diff.push(change, &patch));
            }
            seen += 1;
            patch.text.clear();
            // a full list keeps no more patches
            patch.too_long = diff.is_full();
        } else if line.starts_with(b"@@ ") {
            patch.keep(&line);
            hunk(stream, &line, &mut patch, changes)?;
        } else if [&b"--- "[..], b"+++ ", b"Binary files ", b"\\ "].iter().any(|start| line.starts_with(start)) {
            patch.keep(&line);
        } else if !EXTENDED.iter().any(|start| line.starts_with(start)) {
            return Err(unexpected(&line));
        }
    }
    if let Some(last) = usize::checked_sub(seen, 1) {
        files.get(last).inspect(|change| diff.push(change, &patch));
    }
    if seen == expected { Ok(()) } else { Err(unexpected(b"number of patches")) }
}

/// Lines that the stored diff leaves out.
const EXTENDED: &[&[u8]] = &[
    b"index ",
    b"old mode ",
    b"new mode ",
    b"new file mode ",
    b"deleted file mode ",
    b"similarity index ",
    b"dissimilarity index ",
    b"rename from ",
    b"rename to ",
];

fn hunk<R: Read>(stream: &mut Stream<R>, header: &[u8], patch: &mut Patch, changes: &mut Changes) -> Result<()> {
    let Some((mut old, mut new)) = lengths(header) else { return Err(unexpected(header)) };
    while old > 0 || new > 0 {
        let left = match stream.peek()? {
            Some(b' ') => (old.checked_sub(1), new.checked_sub(1)),
            Some(b'-') => {
                changes.deletions += 1;
                (old.checked_sub(1), Some(new))
            }
            Some(b'+') => {
                changes.additions += 1;
                (Some(old), new.checked_sub(1))
            }
            Some(b'\\') => (Some(old), Some(new)),
            _ => (None, None),
        };
        let (Some(less_old), Some(less_new)) = left else { return Err(unexpected(header)) };
        (old, new) = (less_old, less_new);
        stream.line_into(patch)?;
    }
    Ok(())
}

/// The numbers of old and new lines in `@@ -1,5 +1 @@ name of the function`.
fn lengths(header: &[u8]) -> Option<(u64, u64)> {
    let mut words = header.split(|byte| *byte == b' ').skip(1);
    let mut length = |sign: u8| {
        let word = std::str::from_utf8(words.next()?.strip_prefix(&[sign])?).ok()?;
        word.split_once(',').map_or(Some(1), |(_, length)| length.parse().ok())
    };
    Some((length(b'-')?, length(b'+')?))
}

impl Patch {
    fn keep(&mut self, line: &[u8]) {
        self.too_long |= self.text.len() + line.len() > crate::diff::LONGEST_PATCH;
        if !self.too_long {
            self.text.extend_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(bytes: &[u8]) -> Result<Changes> {
        read(&mut Stream::new(bytes), 0)
    }

    #[test]
    fn the_header_of_a_hunk_gives_its_lengths() {
        assert_eq!(lengths(b"@@ -1,5 +7,0 @@ fn @@ -9,9 +9,9 @@\n"), Some((5, 0)));
        assert_eq!(lengths(b"@@ -1 +1 @@\n"), Some((1, 1)));
        assert_eq!(lengths(b"@@@ -1 -1 +1 @@@\n"), None);
    }

    #[test]
    fn a_commit_without_changes_has_an_empty_list() {
        assert_eq!(changes(b"").unwrap().diff, "[]");
        assert_eq!(changes(b"\0next").unwrap().diff, "[]");
    }

    #[test]
    fn paths_behind_a_thousand_files_are_kept_by_themselves() {
        let mut text = b"\n".to_vec();
        let names: Vec<String> = (0..1003).map(|number| format!("f{number}")).collect();
        for name in &names {
            text.extend(format!(":100644 100644 1 2 M\0{name}\0").bytes());
        }
        text.push(0);
        names.iter().for_each(|name| text.extend(format!("diff --git a/{name} b/{name}\n").bytes()));
        let changes = changes(&text).unwrap();
        assert_eq!(changes.more_paths, names[1000..]);
        let list: serde_json::Value = serde_json::from_str(&changes.diff).unwrap();
        assert_eq!(list.as_array().map(Vec::len), Some(1000));
    }

    #[test]
    fn paths_behind_five_mebibytes_are_kept_by_themselves() {
        let mut text = b"\n".to_vec();
        let names: Vec<String> = (0..30).map(|number| format!("f{number}")).collect();
        names.iter().for_each(|name| text.extend(format!(":100644 100644 1 2 R90\0{name}\0to {name}\0").bytes()));
        text.push(0);
        for name in &names {
            text.extend(format!("diff --git a/{name} b/{name}\n@@ -0,0 +1 @@\n+").bytes());
            text.extend([b'x'; 200_000]);
            text.push(b'\n');
        }
        let kept: Vec<String> = names[26..].iter().flat_map(|name| [format!("to {name}"), name.clone()]).collect();
        assert_eq!(changes(&text).unwrap().more_paths, kept);
    }

    #[test]
    fn lines_that_look_like_headers_inside_a_hunk_are_text() {
        let text = b"\n:100644 100644 1 2 M\0a\0\0diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n\
            @@ -1,2 +1,3 @@\n diff --git a/b b/b\n--- a/a\n+++ b/a\n+\0nonce\0\n\0rest";
        let changes = changes(text).unwrap();
        assert_eq!((changes.additions, changes.deletions), (2, 1));
        let list: serde_json::Value = serde_json::from_str(&changes.diff).unwrap();
        assert_eq!(
            list[0]["diff"],
            "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n diff --git a/b b/b\n--- a/a\n+++ b/a\n+\0nonce\0\n"
        );
    }

    #[test]
    fn what_git_never_prints_is_an_error() {
        assert!(changes(b"\n:100644 100644 1 2 M\0a\0\0diff --git a/a b/a\nsurprise\n").is_err());
        assert!(changes(b"\n:100644 100644 1 2 M\0a\0\0").is_err(), "a patch is missing");
        assert!(changes(b"\n:100644 100644 1 2 C100\0a\0b\0\0").is_err(), "copies are off");
        assert!(changes(b"\n:100644 100644 1 2 M\0a\0\0diff --git a/a b/a\n@@ -1 +1 @@\nx\n").is_err());
        assert!(changes(b"\n:100644 100644 1 2 M\0a\0\0diff --git a/a b/a\n@@ -1 +1 @@\n-x\n").is_err());
    }
}
