//! The parts of an archive in their order.

use crate::areas::contents::reader::Reader;
use crate::kernel::store::Piece;

#[derive(Default)]
pub struct Pieces {
    pieces: Vec<Piece>,
    bytes: Vec<u8>,
    length: u64,
    objects: u32,
}

impl Pieces {
    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            self.pieces.push(Piece::Bytes(std::mem::take(&mut self.bytes)));
        }
    }

    /// Adds an object. Returns its number for [`Pieces::sum`]. None for an empty file, whose sum is 0.
    pub fn object(&mut self, reader: &Reader<'_>, id: &str, size: u64) -> Option<u32> {
        if size == 0 {
            return None;
        }
        self.flush();
        let (key, other) = reader.keys(id);
        self.pieces.push(Piece::Object { key, other, size });
        self.length += size;
        self.objects += 1;
        Some(self.objects - 1)
    }

    /// Adds the CRC-32 of an object that was added before.
    pub fn sum(&mut self, object: Option<u32>) {
        match object {
            None => self.bytes(&[0; 4]),
            Some(number) => {
                self.flush();
                self.pieces.push(Piece::Sum(number));
                self.length += 4;
            }
        }
    }

    pub fn finish(mut self) -> (Vec<Piece>, u64) {
        self.flush();
        (self.pieces, self.length)
    }
}
