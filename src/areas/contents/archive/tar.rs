//! The pieces of a tar archive as git makes it, with an extra header for the hash of the commit.

use super::pieces::Pieces;
use super::plan::{Content, Plan};
use crate::areas::contents::reader::Reader;

const BLOCK: u64 = 512;
/// Bytes of a name in a header. A longer name needs an extra header.
const LONGEST: usize = 100;

struct Header<'a> {
    name: &'a [u8],
    mode: u32,
    size: u64,
    kind: u8,
    link: &'a [u8],
}

pub fn pieces(plan: &Plan, reader: &Reader<'_>) -> Pieces {
    let mut pieces = Pieces::default();
    let comment = record(b"comment", plan.sha.as_bytes());
    extension(&mut pieces, b'g', b"pax_global_header", &comment, plan.seconds);
    for (name, content) in plan.named() {
        member(&mut pieces, plan, &name, content);
        match content {
            Content::File { id, size, .. } => _ = pieces.object(reader, id, *size),
            Content::Made { bytes, .. } => pieces.bytes(bytes),
            Content::Directory | Content::Link(_) => {}
        }
        pad(&mut pieces);
    }
    let end = pieces.length() + 2 * BLOCK;
    pieces.bytes(&[0; 2 * BLOCK as usize]);
    // tar writes records of twenty blocks
    let record = 20 * BLOCK;
    pieces.bytes(&vec![0; (end.div_ceil(record) * record - end) as usize]);
    pieces
}

fn member(pieces: &mut Pieces, plan: &Plan, name: &[u8], content: &Content) {
    let (size, kind, link): (u64, u8, &[u8]) = match content {
        Content::Directory => (0, b'5', b""),
        Content::File { size, .. } => (*size, b'0', b""),
        Content::Made { bytes, .. } => (bytes.len() as u64, b'0', b""),
        Content::Link(target) => (0, b'2', target),
    };
    let mut long = Vec::new();
    for (key, text) in [(&b"path"[..], name), (b"linkpath", link)] {
        if text.len() > LONGEST {
            long.extend(record(key, text));
        }
    }
    if !long.is_empty() {
        extension(pieces, b'x', b"long.paxheader", &long, plan.seconds);
    }
    let cut = |text: &'_ [u8]| text.get(..LONGEST).unwrap_or(text).to_vec();
    let (name, link, mode) = (cut(name), cut(link), content.mode() & 0o777);
    pieces.bytes(&Header { name: &name, mode, size, kind, link: &link }.block(plan.seconds));
}

fn pad(pieces: &mut Pieces) {
    let over = pieces.length() % BLOCK;
    if over > 0 {
        pieces.bytes(&vec![0; (BLOCK - over) as usize]);
    }
}

fn extension(pieces: &mut Pieces, kind: u8, name: &[u8], records: &[u8], seconds: i64) {
    let header = Header { name, mode: 0o666, size: records.len() as u64, kind, link: b"" };
    pieces.bytes(&header.block(seconds));
    pieces.bytes(records);
    pad(pieces);
}

/// `LENGTH KEY=VALUE`, where the length counts itself.
fn record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    [length.to_string().as_bytes(), b" ", key, b"=", value, b"\n"].concat()
}

impl Header<'_> {
    fn block(&self, seconds: i64) -> Vec<u8> {
        let octal = |number: u64, digits: usize| format!("{number:0digits$o}\0").into_bytes();
        // the field has eleven digits
        let seconds = seconds.clamp(0, 0o77_777_777_777).unsigned_abs();
        let fields: [(&[u8], usize); 16] = [
            (self.name, 100),
            (&octal(u64::from(self.mode), 7), 8),
            (&octal(0, 7), 8),
            (&octal(0, 7), 8),
            (&octal(self.size, 11), 12),
            (&octal(seconds, 11), 12),
            (b"        ", 8),
            (&[self.kind], 1),
            (self.link, 100),
            (b"ustar", 6),
            (b"00", 2),
            (b"root", 32),
            (b"root", 32),
            (&octal(0, 7), 8),
            (&octal(0, 7), 8),
            (b"", 167),
        ];
        let mut block = Vec::with_capacity(BLOCK as usize);
        for (value, length) in fields {
            let end = block.len() + length;
            block.extend_from_slice(value);
            block.resize(end, 0);
        }
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        let sum = format!("{sum:06o}\0 ");
        if let Some(field) = block.get_mut(148..156) {
            field.copy_from_slice(sum.as_bytes());
        }
        block
    }
}
