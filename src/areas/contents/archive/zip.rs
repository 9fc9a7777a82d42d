//! The pieces of a zip archive. Files are not compressed, and their checksums follow them, because they are sent while they
//! are read.

use super::pieces::Pieces;
use super::plan::{Content, Plan};
use crate::areas::contents::reader::Reader;
use chrono::{DateTime, Datelike, Timelike};
use flate2::Crc;

/// The checksum of a member: known already, or that of an object by its number.
#[derive(Clone, Copy)]
enum Sum {
    Known(u32),
    Of(Option<u32>),
}

struct DirectoryEntry {
    name: Vec<u8>,
    mode: u32,
    size: u32,
    sum: Sum,
    at: u32,
}

impl DirectoryEntry {
    /// Bit 3: the checksum follows the file. Bit 11: the name is UTF-8.
    fn flags(&self) -> u16 {
        let follows = if matches!(self.sum, Sum::Of(_)) { 1 << 3 } else { 0 };
        let is_text = !self.name.is_ascii() && std::str::from_utf8(&self.name).is_ok();
        follows | if is_text { 1 << 11 } else { 0 }
    }

    fn known_sum(&self) -> u32 {
        if let Sum::Known(sum) = self.sum { sum } else { 0 }
    }
}

pub fn pieces(plan: &Plan, reader: &Reader<'_>) -> Pieces {
    let mut pieces = Pieces::default();
    let changed = MemberTime::at(plan.seconds);
    let mut add = |(name, content)| member(&mut pieces, reader, &changed, name, content);
    let listed: Vec<DirectoryEntry> = plan.named().map(&mut add).collect();
    let begin = pieces.length();
    for one in &listed {
        central(&mut pieces, &changed, one);
    }
    let (number, length) = (listed.len() as u16, pieces.length() - begin);
    pieces.bytes(b"PK\x05\x06\0\0\0\0");
    pieces.bytes(&[number.to_le_bytes(), number.to_le_bytes()].concat());
    pieces.bytes(&[(length as u32).to_le_bytes(), (begin as u32).to_le_bytes()].concat());
    pieces.bytes(&(plan.sha.len() as u16).to_le_bytes());
    pieces.bytes(plan.sha.as_bytes());
    pieces
}

/// The time of all members of an archive: that of their commit.
struct MemberTime {
    dos: [u8; 4],
    /// An extra field with the seconds since 1970. MS-DOS has no time zone, and readers without this field assume their own.
    extra: [u8; 9],
}

impl MemberTime {
    fn at(seconds: i64) -> MemberTime {
        let [a, b, c, d] = i32::try_from(seconds).unwrap_or_default().to_le_bytes();
        // five bytes follow, of which the first says that there is one time
        MemberTime { dos: dos_time(seconds), extra: [b'U', b'T', 5, 0, 1, a, b, c, d] }
    }
}

/// Time and date as MS-DOS has them, in UTC.
fn dos_time(seconds: i64) -> [u8; 4] {
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    let (year, is_known) = (time.year() - 1980, (1980..=2107).contains(&time.year()));
    if !is_known {
        return [0, 0, 0x21, 0];
    }
    let clock = time.hour() << 11 | time.minute() << 5 | (time.second() / 2);
    let day = (year as u32) << 9 | time.month() << 5 | time.day();
    (day << 16 | clock).to_le_bytes()
}

fn member(
    pieces: &mut Pieces,
    reader: &Reader<'_>,
    changed: &MemberTime,
    name: Vec<u8>,
    content: &Content,
) -> DirectoryEntry {
    let at = pieces.length() as u32;
    let (size, sum) = match content {
        Content::Directory => (0, Sum::Known(0)),
        Content::File { size, .. } => (*size as u32, Sum::Of(None)),
        Content::Link(bytes) | Content::Made { bytes, .. } => {
            let mut crc = Crc::new();
            crc.update(bytes);
            (bytes.len() as u32, Sum::Known(crc.sum()))
        }
    };
    let mut listed = DirectoryEntry { name, mode: content.mode(), size, sum, at };
    pieces.bytes(b"PK\x03\x04");
    start(pieces, changed, &listed);
    pieces.bytes(&listed.known_sum().to_le_bytes());
    rest(pieces, changed, &listed);
    pieces.bytes(&listed.name);
    pieces.bytes(&changed.extra);
    match content {
        Content::Directory => {}
        Content::Link(bytes) | Content::Made { bytes, .. } => pieces.bytes(bytes),
        Content::File { id, size: whole, .. } => {
            let object = pieces.object(reader, id, *whole);
            listed.sum = Sum::Of(object);
            pieces.bytes(b"PK\x07\x08");
            pieces.sum(object);
            pieces.bytes(&[size.to_le_bytes(), size.to_le_bytes()].concat());
        }
    }
    listed
}

/// The beginning of both headers of a member, up to the checksum.
fn start(pieces: &mut Pieces, changed: &MemberTime, listed: &DirectoryEntry) {
    // version 2.0, stored
    pieces.bytes(&[20, 0]);
    pieces.bytes(&listed.flags().to_le_bytes());
    pieces.bytes(&[0, 0]);
    pieces.bytes(&changed.dos);
}

/// What both headers have after the checksum, up to the lengths of name and extra field.
fn rest(pieces: &mut Pieces, changed: &MemberTime, listed: &DirectoryEntry) {
    pieces.bytes(&[listed.size.to_le_bytes(), listed.size.to_le_bytes()].concat());
    pieces.bytes(&(listed.name.len() as u16).to_le_bytes());
    pieces.bytes(&(changed.extra.len() as u16).to_le_bytes());
}

fn central(pieces: &mut Pieces, changed: &MemberTime, listed: &DirectoryEntry) {
    // made by Unix, whose modes are in the attributes
    pieces.bytes(b"PK\x01\x02\x14\x03");
    start(pieces, changed, listed);
    match listed.sum {
        Sum::Known(sum) => pieces.bytes(&sum.to_le_bytes()),
        Sum::Of(object) => pieces.sum(object),
    }
    rest(pieces, changed, listed);
    // comment, disk, internal attributes
    pieces.bytes(&[0; 6]);
    let is_directory = u32::from(listed.mode & 0o40_000 != 0) << 4;
    pieces.bytes(&(listed.mode << 16 | is_directory).to_le_bytes());
    pieces.bytes(&listed.at.to_le_bytes());
    pieces.bytes(&listed.name);
    pieces.bytes(&changed.extra);
}
