//! Answers with a file: headers that keep a browser from running it, and the header `Range`.

use crate::kernel::http::{Reply, Request};
use crate::kernel::store::Span;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The `Content-Security-Policy` of files that users sent: a browser may run nothing of them.
pub const SANDBOX: &str = "sandbox; default-src 'none'";

/// A file as the headers of an answer describe it.
pub struct File {
    /// Bytes.
    pub size: u64,
    pub tag: String,
    pub content_type: &'static str,
    pub disposition: String,
}

impl File {
    /// The answer with the whole file, without its bytes.
    pub fn whole(self) -> Reply {
        let size = self.size;
        self.headed(200, size)
    }

    /// The answer to a header `Range`, without its bytes, and the span of the bytes to send. No span with 416.
    pub fn part(self, range: Option<&str>) -> (Reply, Option<Span>) {
        let size = self.size;
        let Some(part) = range.and_then(|range| span(range, size)) else {
            return (self.whole(), Some(Span { skip: 0, length: size }));
        };
        let Some(span) = part else {
            let refusal = serde_json::json!({ "message": "416 Range Not Satisfiable" });
            return (Reply::json(416, &refusal).with("Content-Range", format!("bytes */{size}")), None);
        };
        let last = span.skip + span.length.saturating_sub(1);
        let content_range = format!("bytes {}-{last}/{size}", span.skip);
        (self.headed(206, span.length).with("Content-Range", content_range), Some(span))
    }

    fn headed(self, status: u16, length: u64) -> Reply {
        Reply::of(self.content_type, status, String::new())
            .with("Content-Disposition", self.disposition)
            .with("Content-Security-Policy", SANDBOX)
            .with("Accept-Ranges", "bytes")
            .with("Content-Length", length.to_string())
            .with("ETag", self.tag)
    }
}

/// `attachment` or `inline`, with the name of the file.
pub fn disposition(kind: &str, name: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');
    let is_plain = |letter: char| (' '..='~').contains(&letter) && !matches!(letter, '"' | '\\' | '%');
    let plain: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(name, ESCAPED))
}

/// The header `Range`. None if `If-Range` has another tag: the client then needs the whole file, because its part is of
/// an older one.
pub fn range_of<'a>(request: &'a Request, tag: &str) -> Option<&'a str> {
    let is_same = request.header("if-range").is_none_or(|known| known.trim() == tag);
    request.header("range").filter(|_| is_same)
}

/// The part that the header asks for. None if the header is invalid, or has several parts or another unit: the answer
/// is then the whole file. `Some(None)` if the part is beyond the end.
fn span(range: &str, size: u64) -> Option<Option<Span>> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.split_once('-').filter(|_| unit.eq_ignore_ascii_case("bytes"))?;
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // a number with too many digits is beyond the end of any file
    let number = |text: &str| Some(text.trim()).filter(is_number).map(|text| text.parse().unwrap_or(u64::MAX));
    let (skip, end) = match (first.trim().is_empty(), last.trim().is_empty()) {
        (true, true) => return None,
        (true, false) => (size.saturating_sub(number(last)?), size),
        (false, true) => (number(first)?, size),
        (false, false) => (number(first)?, number(last)?.saturating_add(1).min(size)),
    };
    if number(first).zip(number(last)).is_some_and(|(first, last)| first > last) {
        return None;
    }
    Some((skip < end).then(|| Span { skip, length: end - skip }))
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/byte_ranges.rs"]
mod tests;
