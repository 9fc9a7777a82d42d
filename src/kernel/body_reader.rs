//! Reads a body that may arrive in pieces: whole lines, or as many bytes as an object has.

use crate::kernel::error::{Error, Result};
use crate::kernel::http::{ArrivingPieces, Body, NoPiece};
use edgeforge_wire::contents::LONGEST_HEADING;
use futures_util::StreamExt;

pub struct BodyReader {
    pieces: Option<ArrivingPieces>,
    bytes: Vec<u8>,
    /// Where the unread bytes begin.
    start: usize,
}

impl BodyReader {
    pub fn of(body: &Body) -> Result<BodyReader> {
        BodyReader::after(b"", body)
    }

    /// Reads `bytes` first, and then the body.
    pub fn after(bytes: &[u8], body: &Body) -> Result<BodyReader> {
        let (pieces, bytes) = match body {
            Body::Pieces(pieces) => (Some(pieces.0()), bytes.to_vec()),
            Body::Bytes(whole) => (None, [bytes, whole].concat()),
            _ => return Err(Error::message("body: not objects")),
        };
        Ok(BodyReader { pieces, bytes, start: 0 })
    }

    /// Bytes that have arrived and are not consumed.
    pub fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    pub fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Waits for the next piece. False at the end of the body.
    pub async fn more(&mut self) -> Result<bool> {
        let Some(pieces) = &mut self.pieces else { return Ok(false) };
        match pieces.next().await {
            None => Ok(false),
            Some(Err(NoPiece::Broken)) => Err(Error::message("body: it ends early")),
            Some(Err(NoPiece::Late)) => Err(Error::late()),
            Some(Ok(piece)) if self.unread().is_empty() => {
                (self.bytes, self.start) = (piece, 0);
                Ok(true)
            }
            Some(Ok(piece)) => {
                self.bytes.drain(..self.start);
                self.start = 0;
                self.bytes.extend(piece);
                Ok(true)
            }
        }
    }

    /// The next line without its line feed. None at the end of the body.
    pub async fn line(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            let unread = self.unread();
            if let Some(end) = unread.iter().take(LONGEST_HEADING).position(|byte| *byte == b'\n') {
                let line = unread.get(..end).map(<[u8]>::to_vec);
                self.consume(end + 1);
                return Ok(line);
            }
            if unread.len() >= LONGEST_HEADING {
                return Err(Error::message("body: not objects"));
            }
            if !self.more().await? {
                let is_end = self.unread().is_empty();
                return if is_end { Ok(None) } else { Err(Error::message("body: it ends early")) };
            }
        }
    }
}
