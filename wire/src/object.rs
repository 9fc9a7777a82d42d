use crate::contents::{Hash, Kind};
use crate::limits;
use crate::text::{cut, cut_escaped, is_hash, lossy};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object {
    /// The hash of the root tree. Empty if it is not one.
    pub tree: String,
    pub parents: Vec<String>,
    pub texts: Texts,
    pub authored: Date,
    pub committed: Date,
    /// The declared encoding of the texts if it is not UTF-8. The texts are then decoded as far as possible.
    pub encoding: Option<String>,
}

/// UTF-8, cut to the limits of the database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Texts {
    pub author_name: String,
    pub author_email: String,
    pub committer_name: String,
    pub committer_email: String,
    pub message: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Date {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Minutes east of UTC.
    pub zone: i32,
}

/// Whether `id` is the hash of this commit: SHA-1 or SHA-256, by its length.
pub fn hashes_to(object: &[u8], id: &str) -> bool {
    let mut hash = Hash::new(Kind::Commit, object.len() as u64, id);
    hash.update(object);
    hash.finish() == id
}

impl crate::Commit {
    /// None if the commit has no object, or invalid base64.
    pub fn object(&self) -> Option<Vec<u8>> {
        match (&self.object, &self.object_base64) {
            (Some(text), None) => Some(text.clone().into_bytes()),
            (None, Some(packed)) => STANDARD.decode(packed).ok(),
            _ => None,
        }
    }

    /// Stores the object as text or base64, whichever is shorter.
    pub fn set_object(&mut self, bytes: Vec<u8>) {
        let packed = bytes.len().div_ceil(3) * 4;
        match String::from_utf8(bytes) {
            Ok(text) if crate::text::escaped_len(&text) <= packed => self.object = Some(text),
            Ok(text) => self.object_base64 = Some(STANDARD.encode(text)),
            Err(error) => self.object_base64 = Some(STANDARD.encode(error.into_bytes())),
        }
    }
}

impl Object {
    /// `bytes`: the object without git's own header.
    pub fn read(bytes: &[u8]) -> Result<Object, &'static str> {
        let (head, message) = match find(bytes, b"\n\n") {
            Some(at) => (bytes.get(..at).unwrap_or_default(), bytes.get(at + 2..).unwrap_or_default()),
            None => (bytes, &[][..]),
        };
        let mut lines = head.split(|byte| *byte == b'\n').peekable();
        let tree = lines.next().and_then(|line| line.strip_prefix(b"tree ")).ok_or("it has no tree")?;
        let tree = Some(lossy(tree)).filter(|tree| is_hash(tree)).unwrap_or_default();
        let mut object = Object { tree, ..Object::default() };
        while let Some(parent) = lines.peek().and_then(|line| line.strip_prefix(b"parent ")) {
            let parent = String::from_utf8(parent.to_vec()).ok().filter(|parent| is_hash(parent));
            object.parents.push(parent.ok_or("a parent is not a commit's hash")?);
            lines.next();
        }
        let (mut author, mut committer, mut encoding) = (&[][..], &[][..], None);
        for line in lines {
            if let Some(rest) = line.strip_prefix(b"author ") {
                author = rest;
            } else if let Some(rest) = line.strip_prefix(b"committer ") {
                committer = rest;
            } else if let Some(rest) = line.strip_prefix(b"encoding ") {
                // of several the first counts
                encoding.get_or_insert_with(|| lossy(rest));
            }
        }
        object.encoding = encoding.filter(|named| !is_utf8(named));
        // git ends a message at a NUL, and a name
        let message = until_nul(message);
        let name = |bytes: &[u8]| cut(&lossy(until_nul(bytes)), limits::NAME).to_owned();
        let ((author_name, author_email), (committer_name, committer_email)) = (who(author), who(committer));
        object.texts = Texts {
            author_name: name(author_name),
            author_email: name(author_email),
            committer_name: name(committer_name),
            committer_email: name(committer_email),
            message: lossy(message),
        };
        object.texts.cut();
        (object.authored, object.committed) = (Date::of(author), Date::of(committer));
        Ok(object)
    }
}

impl Texts {
    pub fn cut(&mut self) {
        let names =
            [&mut self.author_name, &mut self.author_email, &mut self.committer_name, &mut self.committer_email];
        for name in names {
            name.truncate(cut(name, limits::NAME).len());
        }
        self.message.truncate(cut_escaped(&self.message, limits::MESSAGE_AS_JSON).len());
    }

    /// No text of the database may hold a NUL.
    pub fn has_nul(&self) -> bool {
        let Texts { author_name, author_email, committer_name, committer_email, message } = self;
        [author_name, author_email, committer_name, committer_email, message]
            .into_iter()
            .any(|text| text.contains('\0'))
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// git's `is_encoding_utf8`.
fn is_utf8(encoding: &str) -> bool {
    encoding.eq_ignore_ascii_case("utf-8") || encoding.eq_ignore_ascii_case("utf8")
}

/// As git defines blanks.
fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Name and email address (git's `split_ident_line`). Empty if the line is malformed.
fn who(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(open) = line.iter().position(|byte| *byte == b'<') else { return (&[], &[]) };
    let (name, rest) = line.split_at(open);
    let rest = rest.get(1..).unwrap_or_default();
    let Some(close) = rest.iter().position(|byte| *byte == b'>') else { return (&[], &[]) };
    let end = name.iter().rposition(|byte| !is_space(byte)).map_or(0, |at| at + 1);
    (name.get(..end).unwrap_or_default(), rest.get(..close).unwrap_or_default())
}

/// Years of four digits. Dates beyond them are clamped, which keeps their order against all others.
const FIRST: i64 = -62_135_596_800;
pub const LAST: i64 = 253_402_300_799;

impl Date {
    /// Reads the date after the address, as git does to order commits. 1970 if there is no date.
    pub fn of(line: &[u8]) -> Date {
        let line = line.rsplit(|byte| *byte == b'>').next().filter(|rest| rest.len() < line.len());
        let text = lossy(line.unwrap_or_default());
        let text = text.trim_start_matches(|letter: char| u8::try_from(letter).is_ok_and(|byte| is_space(&byte)));
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let (number, rest) = rest.split_at_checked(digits).unwrap_or_default();
        let size = if number.is_empty() { 0 } else { number.parse().unwrap_or(i64::MAX) };
        let zone = zone(rest.trim_ascii());
        // the local year has four digits, too
        let east = i64::from(zone) * 60;
        let seconds = if negative { -size } else { size }.clamp(FIRST - east.min(0), LAST - east.max(0));
        Date { seconds, zone }
    }

    /// `+0545`.
    pub fn zone_text(&self) -> String {
        let (sign, minutes) = (if self.zone < 0 { '-' } else { '+' }, self.zone.abs());
        format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
    }
}

/// `+0545` as 345. A zone that no clock shows is UTC.
fn zone(text: &str) -> i32 {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => match text.strip_prefix('+') {
            Some(rest) => (1, rest),
            None => return 0,
        },
    };
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number: i32 =
        rest.get(..digits).filter(|digits| digits.len() <= 4).map_or(0, |digits| digits.parse().unwrap_or(0));
    if number / 100 <= 23 && number % 100 <= 59 { sign * (number / 100 * 60 + number % 100) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    fn read(rest: &[u8]) -> Object {
        Object::read(&[format!("tree {EMPTY_TREE}\n").as_bytes(), rest].concat()).unwrap_or_default()
    }

    #[test]
    fn an_object_is_known_by_its_hash() {
        let object =
            |tree: &str| format!("tree {tree}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nx\n").into_bytes();
        // git hash-object -t commit --stdin
        assert!(hashes_to(&object(EMPTY_TREE), "ac92dec5fbcf2cde6564f7c9ef601de89bdb4d25"));
        assert!(!hashes_to(&object(EMPTY_TREE), "ac92dec5fbcf2cde6564f7c9ef601de89bdb4d26"));
        assert!(!hashes_to(&object(EMPTY_TREE), ""));
        let tree = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
        assert!(hashes_to(&object(tree), "8a5b129e0d536aa3a6637c232d6d43cfbdfc32458e402444a92ff3a8de39173b"));
    }

    #[test]
    fn names_are_split_as_git_splits_them() {
        let who = |line: &str| {
            let (name, address) = super::who(line.as_bytes());
            (lossy(name), lossy(address))
        };
        let text = |name: &str, address: &str| (name.to_owned(), address.to_owned());
        assert_eq!(who("Ann B <a@x> 1 +0000"), text("Ann B", "a@x"));
        assert_eq!(who("  <> 1 +0000"), text("", ""));
        assert_eq!(who("Ann\u{a0} <a@x> 1"), text("Ann\u{a0}", "a@x"));
        assert_eq!(who("Ann<a@x>"), text("Ann", "a@x"));
        assert_eq!(who("Ann"), text("", ""));
        assert_eq!(who("Ann <a"), text("", ""));
        assert_eq!(who("Ann <a<b> c> 1"), text("Ann", "a<b"));
    }

    #[test]
    fn dates_order_as_git_orders_them() {
        let date = |text: &str| {
            let date = Date::of(format!("A <a@x> {text}").as_bytes());
            (date.seconds, date.zone)
        };
        assert_eq!(date("1500000000 +0545"), (1_500_000_000, 345));
        assert_eq!(date("1500000005-0330"), (1_500_000_005, -210));
        assert_eq!(date("123foo"), (123, 0));
        assert_eq!(date("-86400 +0530"), (-86_400, 330));
        // the local year has four digits, too
        assert_eq!(date("99999999999999999999 +0100"), (LAST - 3600, 60));
        assert_eq!(date("253402300799 +1400"), (LAST - 14 * 3600, 840));
        assert_eq!(date("-99999999999999999999 -0100"), (FIRST + 3600, -60));
        assert_eq!(date("253402300799 -0100"), (LAST, -60));
        assert_eq!(date("253402300800 +0000"), (LAST, 0));
        assert_eq!(date("12 +051800"), (12, 0));
        assert_eq!(date("12 +9900"), (12, 0));
        assert_eq!(date(""), (0, 0));
        assert_eq!(Date::of(b"A"), Date::default());
    }

    #[test]
    fn headers_end_at_the_first_blank_line_and_the_message_at_a_nul() {
        let object = read(b"parent 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@x> 1 +0000\ncommitter B <b@x> 2 +0000\nencoding ISO-8859-1\ngpgsig -----BEGIN\n author X <x@x> 9 +0000\n\n\nbody\n\0cut");
        assert_eq!(object.parents, [EMPTY_TREE]);
        assert_eq!((object.texts.author_name.as_str(), object.texts.message.as_str()), ("A", "\nbody\n"));
        assert_eq!(object.encoding.as_deref(), Some("ISO-8859-1"));
        assert!(Object::read(b"author A <a@x> 1 +0000\n\nx").is_err());
        let object = read(b"author A\0 <a@x> 1 +0000\ncommitter B <b@x> 2 +0000\nodd a\0b\n\nbody\0cut");
        assert_eq!((object.texts.author_name.as_str(), object.texts.message.as_str()), ("A", "body"));
        let object = read(b"encoding ISO-8859-1\nencoding UTF-8\n\nx");
        assert_eq!(object.encoding.as_deref(), Some("ISO-8859-1"));
        assert_eq!(read(b"encoding UTF-8\nencoding ISO-8859-1\n\nx").encoding, None);
    }
}
