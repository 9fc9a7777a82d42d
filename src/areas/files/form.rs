//! Finds a file in a body of `multipart/form-data` (RFC 7578) as it arrives. Only a piece of the body and the headers
//! of one part are in memory. The crate `multer`, which reads forms without files, has no such bound: it buffers
//! everything that the stream has ready, and all bytes up to the end of a part's headers.

use crate::kernel::body_reader::BodyReader;
use crate::kernel::http::Body;
use crate::kernel::params::parsing::malformed;
use crate::kernel::{Error, Result};
use multer::parse_boundary;
use percent_encoding::percent_decode_str;

/// Bytes of the headers of a part.
const LONGEST_HEADERS: usize = 8 << 10;

/// Bytes of the fields that are not read.
const MOST_BESIDE: usize = 1 << 20;

/// Bytes. RFC 2046 allows 70.
const LONGEST_BOUNDARY: usize = 200;

/// The bytes of a file, as they arrive.
pub struct Content {
    from: BodyReader,
    /// The bytes that follow the file. Empty if the file ends with the body.
    end: Vec<u8>,
}

impl Content {
    /// A file that is the whole body.
    pub fn whole(body: &Body) -> Result<Content> {
        Ok(Content { from: BodyReader::of(body)?, end: Vec::new() })
    }

    /// The next bytes, which must be consumed. Empty at the end.
    pub async fn piece(&mut self) -> Result<&[u8]> {
        loop {
            let (length, is_end) = split(self.from.unread(), &self.end);
            if length > 0 || is_end {
                return Ok(self.from.unread().get(..length).unwrap_or_default());
            }
            if !self.from.more().await? {
                return if self.end.is_empty() { Ok(&[]) } else { Err(malformed()) };
            }
        }
    }

    /// Drops this many bytes.
    pub fn consume(&mut self, count: usize) {
        self.from.consume(count);
    }

    /// Drops the bytes before the end, at most `most`, and the end itself.
    async fn skip(&mut self, most: usize) -> Result<usize> {
        let mut skipped = 0;
        loop {
            let length = self.piece().await?.len();
            if length == 0 {
                self.consume(self.end.len());
                return Ok(skipped);
            }
            skipped += length;
            if skipped > most {
                return Err(Error::too_large());
            }
            self.consume(length);
        }
    }

    /// The headers of the part that begins here. None after the last part.
    async fn headers(&mut self) -> Result<Option<String>> {
        loop {
            let unread = self.from.unread();
            if unread.starts_with(b"--") {
                return Ok(None);
            }
            let start = unread.get(..LONGEST_HEADERS).unwrap_or(unread);
            if let Some(length) = start.windows(4).position(|four| four == b"\r\n\r\n") {
                let text = String::from_utf8_lossy(start.get(..length).unwrap_or_default()).into_owned();
                self.consume(length + 4);
                return Ok(Some(text));
            }
            if unread.len() >= LONGEST_HEADERS || !self.from.more().await? {
                return Err(malformed());
            }
        }
    }
}

/// How many bytes are certainly before `end`, and whether `end` follows them.
fn split(bytes: &[u8], end: &[u8]) -> (usize, bool) {
    let Some(first) = end.first() else { return (bytes.len(), false) };
    let mut from = 0;
    while let Some(rest) = bytes.get(from..)
        && let Some(at) = rest.iter().position(|byte| byte == first)
    {
        let found = rest.get(at..).unwrap_or_default();
        if found.starts_with(end) || end.starts_with(found) {
            return (from + at, found.starts_with(end));
        }
        from += at + 1;
    }
    (bytes.len(), false)
}

/// The file in the field `name` of a form, and its name as it was sent.
pub async fn find(body: &Body, content_type: Option<&str>, name: &str) -> Result<(String, Content)> {
    let missing = || Error::framework(format!("{name} is missing"));
    let boundary = content_type.and_then(|kind| parse_boundary(kind).ok()).ok_or_else(missing)?;
    if boundary.len() > LONGEST_BOUNDARY {
        return Err(malformed());
    }
    let end = format!("\r\n--{boundary}").into_bytes();
    // the first boundary may be the beginning of the body
    let mut content = Content { from: BodyReader::after(b"\r\n", body)?, end };
    let mut most = MOST_BESIDE;
    loop {
        most -= content.skip(most).await?;
        let headers = content.headers().await?.ok_or_else(missing)?;
        most = most.checked_sub(headers.len() + 1).ok_or_else(Error::too_large)?;
        let Some(disposition) = disposition(&headers) else { continue };
        if parameter(disposition, "name").as_deref() == Some(name) {
            let file = extended(disposition).or_else(|| parameter(disposition, "filename"));
            return Ok((file.ok_or_else(|| Error::invalid(name))?, content));
        }
    }
}

fn disposition(headers: &str) -> Option<&str> {
    headers.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })
}

/// A parameter of a header, such as `name` of `form-data; name="file"`. A backslash stands before a quotation mark in a value.
fn parameter(header: &str, name: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let (value, next) = after.split_once(';').unwrap_or((after, ""));
                (value.trim().to_owned(), next)
            }
        };
        if key.trim_matches([';', ' ', '\t']).eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = next;
    }
}

/// A quoted text up to its closing mark, and what follows.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut letters) = (String::new(), text.char_indices().peekable());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, text.get(at + 1..)?)),
            '\\' => match letters.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, escaped)) => value.push(escaped),
                None => value.push('\\'),
            },
            letter => value.push(letter),
        }
    }
    None
}

/// The parameter `filename*` (RFC 5987), which some clients send for names beyond ASCII.
fn extended(header: &str) -> Option<String> {
    let value = parameter(header, "filename*")?;
    let mut parts = value.splitn(3, '\'');
    let charset = parts.next()?;
    let text = parts.nth(1)?;
    let is_utf8 = charset.eq_ignore_ascii_case("utf-8");
    is_utf8.then(|| percent_decode_str(text).decode_utf8_lossy().into_owned())
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/files/form.rs"]
mod tests;
