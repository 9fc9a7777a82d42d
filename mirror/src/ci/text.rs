//! Texts of foreign files, without what a terminal would obey.

use std::borrow::Cow;

use edgeforge_wire::report::{PATH, is_path};
use edgeforge_wire::text::cut;
use percent_encoding::percent_decode_str;

const CUT: &str = "\n[..]\n";

/// A byte that is not UTF-8 is one letter of one byte, because a file of 100 MB may have no other.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let one = |invalid: &[u8]| if invalid.is_empty() { "" } else { "?" };
    let valid = || bytes.utf8_chunks().flat_map(|chunk| [chunk.valid(), one(chunk.invalid())]).collect::<String>();
    std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(valid()), Cow::Borrowed)
}

/// The begin and the end of a text, `most` bytes of each. What is added to one may be clipped again.
pub fn clip(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= 2 * most + CUT.len() {
        return Cow::Borrowed(text);
    }
    let end = text.get(text.ceil_char_boundary(text.len() - most)..).unwrap_or_default();
    Cow::Owned(format!("{}{CUT}{end}", cut(text, most)))
}

/// Without escapes of a terminal and control letters. pytest writes an escape as `#x1B`.
pub fn plain(text: &str) -> String {
    let text = text.replace("#x1B", "\u{1b}");
    let mut parts = text.split(['\u{1b}', '\u{9b}']);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.trim_start_matches('[').trim_start_matches(|of: char| of.is_ascii_digit() || ";?".contains(of));
        kept += code.strip_prefix(|of: char| of.is_ascii_alphabetic()).unwrap_or(code);
    }
    kept.retain(|letter| !letter.is_control() || letter == '\n' || letter == '\t');
    kept
}

/// On one line, and not too long.
pub fn name(text: &str) -> String {
    plain(cut(text, PATH)).replace(['\n', '\t'], " ")
}

/// A path of the project. `folder`: that of the work, without a slash at its end.
pub fn path(text: &str, folder: &str) -> Option<String> {
    let address = text.strip_prefix("file://").map(|path| percent_decode_str(path).decode_utf8_lossy());
    let path = address.as_deref().unwrap_or(text).replace('\\', "/");
    let path = path.strip_prefix(folder).and_then(|path| path.strip_prefix('/')).unwrap_or(&path);
    let path = path.trim_start_matches("./");
    is_path(path).then(|| path.to_owned())
}
