//! What a request sends.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Read;

use crate::error::Result;

pub struct Body<'a> {
    pub bytes: Content<'a>,
    pub gzip: bool,
}

/// Opens the bytes of a request, once for each attempt.
pub type Opening<'a> = &'a dyn Fn() -> Result<Box<dyn Read>>;

pub enum Content<'a> {
    Json(Cow<'a, [u8]>),
    Objects(&'a [u8]),
    /// `kind`: the header Content-Type. `size`: at most about so many bytes.
    Stream {
        kind: &'a str,
        size: u64,
        open: Opening<'a>,
        sent: &'a Cell<u64>,
    },
}

impl Content<'_> {
    pub(super) fn size(&self) -> u64 {
        match self {
            Content::Json(bytes) => bytes.len() as u64,
            Content::Objects(bytes) => bytes.len() as u64,
            Content::Stream { size, .. } => *size,
        }
    }
}

/// Counts what it reads.
pub(super) struct Counted<'a> {
    pub from: Box<dyn Read>,
    pub count: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}
