//! Facts about a file that follow from the end of its name.

use crate::areas::files::sending::Headers;
use crate::kernel::byte_ranges::disposition;

/// Types that browsers show and never run, by the end of the name. All other files are sent as bytes.
const TYPES: &[(&[&str], &str)] = &[
    (&["png"], "image/png"),
    (&["jpg", "jpeg"], "image/jpeg"),
    (&["gif"], "image/gif"),
    (&["bmp"], "image/bmp"),
    (&["tiff"], "image/tiff"),
    (&["ico"], "image/x-icon"),
    (&["webp"], "image/webp"),
    (&["mp4"], "video/mp4"),
    (&["m4v"], "video/x-m4v"),
    (&["mov"], "video/quicktime"),
    (&["webm"], "video/webm"),
    (&["ogv"], "video/ogg"),
    (&["mp3"], "audio/mpeg"),
    (&["oga", "ogg", "spx"], "audio/ogg"),
    (&["wav"], "audio/wav"),
    (&["flac"], "audio/flac"),
    (&["pdf"], "application/pdf"),
    (&["txt", "md", "log", "patch"], TEXT),
];
const TEXT: &str = "text/plain; charset=utf-8";
const BYTES: &str = "application/octet-stream";

/// The part before the last point, and the part after it in lower case. None if one of them is empty or missing.
fn parts(filename: &str) -> Option<(&str, String)> {
    let (stem, end) = filename.rsplit_once('.')?;
    (!stem.is_empty() && !end.is_empty()).then(|| (stem, end.to_ascii_lowercase()))
}

fn type_of(filename: &str) -> &'static str {
    let Some((_, end)) = parts(filename) else { return BYTES };
    TYPES.iter().find(|(ends, _)| ends.contains(&end.as_str())).map_or(BYTES, |(_, kind)| kind)
}

/// Whether browsers show it inside of a page.
pub fn is_media(filename: &str) -> bool {
    ["image/", "video/", "audio/"].iter().any(|kind| type_of(filename).starts_with(kind))
}

pub fn is_image(filename: &str) -> bool {
    type_of(filename).starts_with("image/") || is_svg(filename)
}

fn is_svg(filename: &str) -> bool {
    parts(filename).is_some_and(|(_, end)| end == "svg")
}

/// The name of the file in the Markdown that links to it.
pub fn alt(filename: &str) -> &str {
    match parts(filename) {
        Some((stem, _)) if is_media(filename) => stem,
        _ => filename,
    }
}

/// A link to the file, which shows it where it can be shown.
pub fn markdown(filename: &str, url: &str) -> String {
    let shown = if is_media(filename) || is_svg(filename) { "!" } else { "" };
    format!("{shown}[{}]({url})", alt(filename).replace(']', "\\]"))
}

/// A file that a browser could run is always saved.
pub fn headers(filename: &str) -> Headers {
    let disposition = if is_media(filename) { "inline".to_owned() } else { disposition("attachment", filename) };
    Headers { content_type: type_of(filename), disposition }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/uploads/kinds.rs"]
mod tests;
