//! Reads git's output as fields and lines. Each is held in memory only up to its limit.

use std::io::{BufRead, BufReader, Read};

use crate::diff::{LONGEST_PATCH, Patch};
use crate::error::{Error, Result};

/// Lines of a patch outside its hunks are shorter.
const LONGEST_LINE: u64 = 256 * 1024;

#[derive(Debug)]
pub struct Stream<R> {
    from: BufReader<R>,
}

impl<R: Read> Stream<R> {
    pub fn new(from: R) -> Stream<R> {
        Stream { from: BufReader::with_capacity(256 * 1024, from) }
    }

    /// Returns the next byte without consuming it, or `None` at the end.
    pub fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.from.fill_buf().map_err(broken)?.first().copied())
    }

    pub fn expect(&mut self, wanted: u8) -> Result<()> {
        match self.peek()? {
            Some(byte) if byte == wanted => {
                self.from.consume(1);
                Ok(())
            }
            Some(byte) => Err(unexpected(&[byte])),
            None => Err(early()),
        }
    }

    /// Reads up to the next NUL and consumes it. Keeps at most `limit` bytes.
    pub fn field(&mut self, limit: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut part = self.from.by_ref().take(limit as u64);
        part.read_until(0, &mut bytes).map_err(broken)?;
        if bytes.last() == Some(&0) {
            bytes.pop();
        } else {
            let skipped = self.from.skip_until(0).map_err(broken)?;
            if skipped == 0 {
                return Err(early());
            }
        }
        Ok(bytes)
    }

    /// Reads a line with its line feed. Keeps at most LONGEST_LINE bytes.
    pub fn line(&mut self, line: &mut Vec<u8>) -> Result<()> {
        line.clear();
        self.from.by_ref().take(LONGEST_LINE).read_until(b'\n', line).map_err(broken)?;
        match line.last() {
            Some(b'\n') => Ok(()),
            Some(_) if line.len() as u64 == LONGEST_LINE => {
                self.from.skip_until(b'\n').map_err(broken)?;
                Ok(())
            }
            _ => Err(early()),
        }
    }

    /// Appends the next line to the patch. Marks the patch and skips the line if the patch becomes too long.
    pub fn line_into(&mut self, patch: &mut Patch) -> Result<()> {
        if !patch.too_long {
            let room = (LONGEST_PATCH + 1).saturating_sub(patch.text.len());
            let read = self.from.by_ref().take(room as u64).read_until(b'\n', &mut patch.text).map_err(broken)?;
            patch.too_long = patch.text.len() > LONGEST_PATCH;
            if read > 0 && patch.text.last() == Some(&b'\n') {
                return Ok(());
            }
        }
        match self.from.skip_until(b'\n').map_err(broken)? {
            0 => Err(early()),
            _ => Ok(()),
        }
    }
}

fn broken(error: std::io::Error) -> Error {
    Error::Repository(format!("git's output cannot be read: {error}"))
}

fn early() -> Error {
    Error::Repository("git's output ended early".to_owned())
}

pub fn unexpected(bytes: &[u8]) -> Error {
    let shown = bytes.get(..bytes.len().min(80)).unwrap_or_default();
    Error::Repository(format!("git printed something unexpected: {:?}", String::from_utf8_lossy(shown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_longer_than_its_limit_is_cut_and_the_next_one_whole() {
        let mut stream = Stream::new(&b"abcdef\0gh\0abc\0"[..]);
        assert_eq!(stream.field(3).unwrap(), b"abc");
        assert_eq!(stream.field(3).unwrap(), b"gh");
        assert_eq!(stream.field(3).unwrap(), b"abc");
        assert!(stream.field(3).is_err());
    }

    #[test]
    fn a_patch_of_exactly_the_limit_is_kept_and_one_byte_more_is_not() {
        for (length, kept) in [(LONGEST_PATCH, true), (LONGEST_PATCH + 1, false), (5 * LONGEST_PATCH, false)] {
            let mut bytes = vec![b'+'; length - 1];
            bytes.extend_from_slice(b"\nnext\n");
            let mut stream = Stream::new(&bytes[..]);
            let mut patch = Patch::default();
            stream.line_into(&mut patch).unwrap();
            assert_eq!(patch.too_long, !kept);
            let mut line = Vec::new();
            stream.line(&mut line).unwrap();
            assert_eq!(line, b"next\n");
        }
    }
}
