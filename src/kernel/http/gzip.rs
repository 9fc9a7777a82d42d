//! Gzip at a bounded cost. The platform's `CompressionStream` has one level alone, 6, which takes 150 ms for a megabyte
//! of four letters drawn at random, and its `DecompressionStream` unpacks all its input before any of it is read.
//!
//! Measured in wasm, milliseconds a megabyte and packed size of these sources, of four random letters, of noise:
//! level 3: 9 (28 %), 9 (30 %), 20; level 6: 16 (26 %), 76 (29 %), 22; stored: 0.1.

use flate2::{Compress, CompressError, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use std::mem::take;

/// Bytes that packing may send, which are 28 MiB of text, or 8 of noise. What follows is stored as it is, in the same
/// stream.
const MOST_PACKED: u64 = 8 << 20;
const LEVEL: u32 = 3;
/// The window of deflate, as a power of two.
const WINDOW: u8 = 15;
/// Bytes by which the packed text grows.
const PIECE: usize = 64 << 10;
/// The head of a stream without a name or a time (RFC 1952, section 2.3). Its last byte: of an unknown system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Packs a long body while it is sent.
pub struct Gzip {
    /// None: the bytes are stored.
    state: Option<Compress>,
    sum: Crc,
    /// What is packed and not taken.
    packed: Vec<u8>,
}

impl Default for Gzip {
    fn default() -> Gzip {
        let state = Some(Compress::new(Compression::new(LEVEL), false));
        Gzip { state, sum: Crc::new(), packed: HEAD.to_vec() }
    }
}

impl Gzip {
    /// Packs the next bytes of the body. Returns what is ready, which may be nothing.
    pub fn pack(&mut self, bytes: &[u8]) -> Result<Vec<u8>, CompressError> {
        self.sum.update(bytes);
        if let Some(state) = self.state.as_mut().filter(|state| state.total_out() < MOST_PACKED) {
            compress(state, bytes, FlushCompress::None, &mut self.packed)?;
        } else {
            if let Some(mut state) = self.state.take() {
                // its end is the end of a byte, where stored blocks begin
                compress(&mut state, &[], FlushCompress::Sync, &mut self.packed)?;
            }
            for block in bytes.chunks(u16::MAX.into()) {
                self.store(block, false);
            }
        }
        if self.packed.is_empty() { Ok(Vec::new()) } else { Ok(take(&mut self.packed)) }
    }

    /// The end of the stream.
    pub fn finish(&mut self) -> Result<Vec<u8>, CompressError> {
        match &mut self.state {
            Some(state) => compress(state, &[], FlushCompress::Finish, &mut self.packed)?,
            None => self.store(&[], true),
        }
        self.packed.extend(self.sum.sum().to_le_bytes());
        self.packed.extend(self.sum.amount().to_le_bytes());
        Ok(take(&mut self.packed))
    }

    /// A block of at most 65,535 bytes as they are (RFC 1951, section 3.2.4).
    fn store(&mut self, block: &[u8], is_last: bool) {
        let length = block.len() as u16;
        self.packed.push(is_last.into());
        self.packed.extend(length.to_le_bytes());
        self.packed.extend((!length).to_le_bytes());
        self.packed.extend(block);
    }
}

pub(crate) fn compress(
    state: &mut Compress,
    mut bytes: &[u8],
    flush: FlushCompress,
    packed: &mut Vec<u8>,
) -> Result<(), CompressError> {
    loop {
        packed.reserve(PIECE);
        let before = state.total_in();
        let status = state.compress_vec(bytes, packed, flush)?;
        bytes = bytes.get((state.total_in() - before) as usize..).unwrap_or_default();
        // where room is left, nothing waits for it
        let is_done = bytes.is_empty() && packed.len() < packed.capacity();
        if is_done || status == Status::StreamEnd {
            return Ok(());
        }
    }
}

/// Unpacks a body while it arrives.
pub struct Gunzip {
    state: Decompress,
    /// The most bytes, packed and unpacked.
    most: usize,
    body: Vec<u8>,
    is_whole: bool,
}

/// Why a body cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpackable {
    TooLarge,
    Broken,
}

impl Gunzip {
    pub fn new(most: usize) -> Gunzip {
        Gunzip { state: Decompress::new_gzip(WINDOW), most, body: Vec::new(), is_whole: false }
    }

    /// Adds the next packed bytes. Returns how many bytes they became.
    pub fn add(&mut self, mut packed: &[u8]) -> Result<usize, Unpackable> {
        let length = self.body.len();
        while !packed.is_empty() {
            if self.is_whole {
                return Err(Unpackable::Broken);
            }
            // one byte more than allowed shows that the body is too long
            let room = (self.most as u64 + 1).saturating_sub(self.state.total_out()) as usize;
            self.body.reserve(PIECE.min(room));
            let before = self.state.total_in();
            match self.state.decompress_vec(packed, &mut self.body, FlushDecompress::None) {
                Ok(Status::Ok) => {}
                Ok(Status::StreamEnd) => self.is_whole = true,
                Ok(Status::BufError) | Err(_) => return Err(Unpackable::Broken),
            }
            packed = packed.get((self.state.total_in() - before) as usize..).unwrap_or_default();
            if self.state.total_out().max(self.state.total_in()) > self.most as u64 {
                return Err(Unpackable::TooLarge);
            }
        }
        Ok(self.body.len() - length)
    }

    /// Takes what has been unpacked.
    pub fn take(&mut self) -> Vec<u8> {
        take(&mut self.body)
    }

    pub fn finish(self) -> Result<Vec<u8>, Unpackable> {
        if self.is_whole { Ok(self.body) } else { Err(Unpackable::Broken) }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/http/gzip.rs"]
mod tests;
