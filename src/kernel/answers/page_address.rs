//! Addresses of pages, as answers and events have them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

/// Formats of archives.
const FORMATS: [&str; 3] = ["zip", "tar.gz", "tar"];

/// A name, percent-encoded as one segment of a path.
pub fn segment(text: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// The same for a path, whose slashes stay.
pub fn in_path(text: &str) -> String {
    segment(text).replace("%2F", "/")
}

#[derive(Debug, Serialize)]
pub struct Source {
    format: &'static str,
    url: String,
}

/// The archives of a tag, in each format. `page`: the address of the project's pages.
pub fn sources(tag: &str, page: &str) -> Vec<Source> {
    let project = page.rsplit('/').next().unwrap_or_default();
    let name = segment(&format!("{project}-{}", tag.replace('/', "-")));
    let path = in_path(tag);
    let url = |format: &str| format!("{page}/-/archive/{path}/{name}.{format}");
    FORMATS.iter().map(|format| Source { format, url: url(format) }).collect()
}
