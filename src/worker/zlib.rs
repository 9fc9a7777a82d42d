//! Unpacks objects piece by piece, and packs archives. The platform's `DecompressionStream` unpacks all its input before
//! any of it is read, and a kilobyte may become a megabyte.

use crate::kernel::http::gzip::Gzip;
use flate2::{Crc, Decompress, FlushDecompress};
use wasm_bindgen::prelude::*;

/// Bytes of a piece at most.
const PIECE: usize = 64 << 10;

#[wasm_bindgen]
pub struct Inflater {
    state: Decompress,
    packed: Vec<u8>,
    /// How many of them are read.
    read: usize,
    /// None: nobody asks for it, and it takes a third of the time of unpacking.
    sum: Option<Crc>,
}

impl Inflater {
    pub fn new(sums: bool) -> Inflater {
        let sum = sums.then(Crc::new);
        Inflater { state: Decompress::new(true), packed: Vec::new(), read: 0, sum }
    }
}

#[wasm_bindgen]
impl Inflater {
    /// Begins another zlib stream.
    pub fn begin(&mut self) {
        self.state.reset(true);
        self.sum.iter_mut().for_each(Crc::reset);
        self.give(&[]);
    }

    /// Adds the next packed bytes. Call it when all pieces of the previous ones were taken.
    pub fn give(&mut self, packed: &[u8]) {
        self.packed.clear();
        self.packed.extend_from_slice(packed);
        self.read = 0;
    }

    /// The next piece. Empty if more packed bytes are needed.
    pub fn take(&mut self) -> Result<Vec<u8>, JsError> {
        let mut piece = Vec::with_capacity(PIECE);
        let (packed, before) = (self.packed.get(self.read..).unwrap_or_default(), self.state.total_in());
        self.state.decompress_vec(packed, &mut piece, FlushDecompress::None)?;
        self.read += (self.state.total_in() - before) as usize;
        self.sum.iter_mut().for_each(|sum| sum.update(&piece));
        Ok(piece)
    }

    /// Frees the memory: wasm-bindgen drops a value that is passed by value.
    pub fn end(self) {}

    /// The CRC-32 of all pieces of the stream, 0 without sums.
    pub fn sum(&self) -> u32 {
        self.sum.as_ref().map_or(0, Crc::sum)
    }
}

/// [`Gzip`] for JavaScript.
#[wasm_bindgen]
pub struct Packer(Gzip);

impl Packer {
    pub fn new() -> Packer {
        Packer(Gzip::default())
    }
}

#[wasm_bindgen]
impl Packer {
    pub fn pack(&mut self, bytes: &[u8]) -> Result<Vec<u8>, JsError> {
        Ok(self.0.pack(bytes)?)
    }

    pub fn finish(&mut self) -> Result<Vec<u8>, JsError> {
        Ok(self.0.finish()?)
    }

    /// Frees the memory, as [`Inflater::end`] does.
    pub fn end(self) {}
}
