//! How similar two files are, as git estimates it: the share of the longer one whose lines are in the other one.

use std::collections::HashMap;

/// The greatest similarity.
pub const SAME: u64 = 60_000;

/// Bytes of a piece of a line.
const PIECE: usize = 64;

/// The bytes of each piece of a file.
#[derive(Debug)]
pub struct Pieces<'a> {
    counts: HashMap<Vec<u8>, u64>,
    bytes: &'a [u8],
}

impl<'a> Pieces<'a> {
    pub fn of(bytes: &'a [u8]) -> Pieces<'a> {
        let is_text = !bytes.iter().take(8000).any(|byte| *byte == 0);
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        let mut piece = Vec::with_capacity(PIECE);
        let mut next = bytes.iter().copied().peekable();
        while let Some(byte) = next.next() {
            // line ends count alike
            if is_text && byte == b'\r' && next.peek() == Some(&b'\n') {
                continue;
            }
            piece.push(byte);
            if piece.len() == PIECE || byte == b'\n' {
                let length = piece.len() as u64;
                *counts.entry(std::mem::take(&mut piece)).or_default() += length;
            }
        }
        if !piece.is_empty() {
            let length = piece.len() as u64;
            *counts.entry(piece).or_default() += length;
        }
        Pieces { counts, bytes }
    }

    /// Up to [`SAME`].
    pub fn similarity(&self, other: &Pieces<'_>) -> u64 {
        let longer = self.bytes.len().max(other.bytes.len()) as u64;
        if longer == 0 {
            return 0;
        }
        let common =
            |(piece, count): (&Vec<u8>, &u64)| other.counts.get(piece).map_or(0, |there| *count.min(there));
        self.counts.iter().map(common).sum::<u64>() * SAME / longer
    }
}
