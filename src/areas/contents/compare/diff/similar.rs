//! The similarity of two files as git estimates it: the part of the longer file whose lines are in the other one.

/// The greatest similarity.
pub const SAME: u64 = 60_000;

/// The least similarity of a renamed file: half of it.
pub const SIMILAR: u64 = SAME / 2;

/// Bytes of a piece of a line.
const PIECE: u32 = 64;

/// Steps for hashing and sorting a piece, and pieces that are compared in a step.
const STEPS_OF_A_PIECE: u64 = 4;
const COMPARED_IN_A_STEP: usize = 4;

/// The hash of each piece of a file, and the bytes of all pieces with this hash. In the order of the hashes.
#[derive(Debug)]
pub struct Pieces {
    counts: Vec<(u32, u32)>,
    length: u64,
}

impl Pieces {
    pub fn of(bytes: &[u8], steps: &mut u64) -> Pieces {
        let is_text = !bytes.iter().take(8000).any(|byte| *byte == 0);
        let mut counts: Vec<(u32, u32)> = Vec::new();
        let (mut hash, mut count) = (FNV, 0);
        let mut next = bytes.iter().copied().peekable();
        while let Some(byte) = next.next() {
            // line ends count alike
            if is_text && byte == b'\r' && next.peek() == Some(&b'\n') {
                continue;
            }
            (hash, count) = ((hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME), count + 1);
            if count == PIECE || byte == b'\n' || next.peek().is_none() {
                counts.push(((hash ^ (hash >> 32)) as u32, count));
                (hash, count) = (FNV, 0);
            }
        }
        *steps = steps.saturating_sub(counts.len() as u64 * STEPS_OF_A_PIECE);
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        counts.shrink_to_fit();
        Pieces { counts, length: bytes.len() as u64 }
    }

    /// Up to [`SAME`]. None if their lengths rule out that they are [`SIMILAR`].
    pub fn similarity(&self, other: &Pieces, steps: &mut u64) -> Option<u64> {
        let longer = self.length.max(other.length);
        if longer == 0 || self.length.min(other.length) * SAME / longer < SIMILAR {
            return None;
        }
        let compared = (self.counts.len() + other.counts.len()) / COMPARED_IN_A_STEP + 1;
        *steps = steps.saturating_sub(compared as u64);
        let (mut common, mut others) = (0, other.counts.iter().peekable());
        for (hash, count) in &self.counts {
            while others.next_if(|(other, _)| other < hash).is_some() {}
            common += others.next_if(|(other, _)| other == hash).map_or(0, |(_, there)| *count.min(there));
        }
        Some(u64::from(common) * SAME / longer)
    }
}

/// FNV-1a.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
