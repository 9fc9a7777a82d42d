//! Packs archives with gzip while they are sent. The platform's `CompressionStream` takes its ordinary level alone, and a second of
//! processor time for 60 MB.

use flate2::{Compress, Compression, Crc, FlushCompress};
use wasm_bindgen::prelude::*;

/// Without a time and a name (RFC 1952).
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Bytes by which the room for packed ones grows.
const PIECE: usize = 64 << 10;

#[wasm_bindgen]
pub struct Deflater {
    state: Compress,
    sum: Crc,
    packed: Vec<u8>,
}

impl Deflater {
    pub fn new() -> Deflater {
        Deflater {
            state: Compress::new(Compression::fast(), false),
            sum: Crc::new(),
            packed: HEADER.to_vec(),
        }
    }

    fn pack(&mut self, bytes: &[u8], flush: FlushCompress) -> Result<(), JsError> {
        let mut rest = bytes;
        loop {
            self.packed.reserve(PIECE);
            let before = self.state.total_in();
            self.state.compress_vec(rest, &mut self.packed, flush)?;
            rest = rest.get((self.state.total_in() - before) as usize..).unwrap_or_default();
            // with room left there is no more
            if rest.is_empty() && self.packed.len() < self.packed.capacity() {
                return Ok(());
            }
        }
    }
}

#[wasm_bindgen]
impl Deflater {
    /// The packed bytes that are ready, which may be none.
    pub fn give(&mut self, bytes: &[u8]) -> Result<Vec<u8>, JsError> {
        self.sum.update(bytes);
        self.pack(bytes, FlushCompress::None)?;
        Ok(std::mem::take(&mut self.packed))
    }

    /// The last packed bytes.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsError> {
        self.pack(&[], FlushCompress::Finish)?;
        self.packed.extend(self.sum.sum().to_le_bytes());
        self.packed.extend(self.sum.amount().to_le_bytes());
        Ok(std::mem::take(&mut self.packed))
    }

    /// Frees it.
    pub fn end(self) {}
}
