//! Reads from `.gitattributes` which files an archive leaves out (`export-ignore`), and how their lines end
//! (<https://git-scm.com/docs/gitattributes>). Macros that a file defines, `export-subst`, `ident` and encodings have
//! no effect.

use super::ends::Ends;
use super::glob::Glob;
use super::limits::Steps;
use crate::areas::contents::reader::{Reader, levels, named, unpack};
use crate::areas::contents::tree::{Kind, PathEntry};
use crate::kernel::limits::spending::Work;
use crate::kernel::{Error, Result};
use edgeforge_wire::text::lossy;

const NAME: &str = ".gitattributes";

/// Files of attributes, the bytes of one, and how many are read together.
const MOST_FILES: usize = 200;
const LONGEST: u64 = 100_000;
const AT_ONCE: usize = 50;
/// Bytes of all of them, and of a line.
const MOST_BYTES: usize = 500_000;
const LONGEST_LINE: usize = 2048;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Text {
    #[default]
    Unknown,
    Yes,
    No,
    Auto,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Setting {
    Ignored(bool),
    Text(Text),
    /// The former name of `text`.
    Crlf(Text),
    EndsWithCrlf(bool),
    /// A macro of git that unsets `text`.
    Binary(bool),
}

impl Setting {
    /// An error if the word is not an attribute, None if it is one without effect here.
    fn of(word: &[u8]) -> Result<Option<Setting>, ()> {
        let (sign, word) = match word {
            [sign @ (b'-' | b'!'), rest @ ..] => (Some(*sign), rest),
            word => (None, word),
        };
        let equals = word.iter().position(|byte| *byte == b'=').unwrap_or(word.len());
        let (name, value) = word.split_at(equals);
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
        if name.is_empty() || name.starts_with(b"-") || name.starts_with(b"builtin_") || !name.iter().all(is_letter) {
            return Err(());
        }
        let is_set = sign.is_none() && value.is_empty();
        let text = match (sign, value) {
            (None, b"" | b"=input") => Text::Yes,
            (None, b"=auto") => Text::Auto,
            (Some(b'-'), _) => Text::No,
            _ => Text::Unknown,
        };
        Ok(match name {
            b"export-ignore" => Some(Setting::Ignored(is_set)),
            b"text" => Some(Setting::Text(text)),
            b"crlf" => Some(Setting::Crlf(text)),
            b"eol" => Some(Setting::EndsWithCrlf(sign.is_none() && value == b"=crlf")),
            b"binary" => Some(Setting::Binary(is_set)),
            _ => None,
        })
    }
}

/// The attributes of a file. None if no rule sets one.
#[derive(Default)]
struct Values {
    is_ignored: Option<bool>,
    text: Option<Text>,
    crlf: Option<Text>,
    ends_with_crlf: Option<bool>,
    is_binary: Option<bool>,
}

impl Values {
    /// A setting of the same attribute that was added before takes precedence.
    fn add(&mut self, setting: Setting) {
        match setting {
            Setting::Ignored(value) => _ = self.is_ignored.get_or_insert(value),
            Setting::Text(value) => _ = self.text.get_or_insert(value),
            Setting::Crlf(value) => _ = self.crlf.get_or_insert(value),
            Setting::EndsWithCrlf(value) => _ = self.ends_with_crlf.get_or_insert(value),
            Setting::Binary(value) => {
                if *self.is_binary.get_or_insert(value) && value {
                    self.text.get_or_insert(Text::No);
                }
            }
        }
    }

    fn ends(&self) -> Ends {
        let text = self.text.filter(|text| *text != Text::Unknown).or(self.crlf).unwrap_or_default();
        match text {
            _ if self.ends_with_crlf != Some(true) => Ends::AsStored,
            Text::No => Ends::AsStored,
            Text::Auto => Ends::CrlfIfText,
            Text::Yes | Text::Unknown => Ends::Crlf,
        }
    }
}

struct Rule {
    glob: Glob,
    settings: Vec<Setting>,
}

/// A file of attributes: its directory, with a slash at its end unless it is the root, and its hash.
pub type File = (Vec<u8>, String);

pub fn files(found: &[PathEntry]) -> Vec<File> {
    let file = |entry: &PathEntry| {
        let above = entry.path.strip_suffix(NAME.as_bytes())?;
        (above.is_empty() || above.ends_with(b"/")).then(|| (above.to_vec(), entry.id.clone()))
    };
    found.iter().filter(|entry| entry.kind == Kind::Blob).filter_map(file).collect()
}

/// The rules of each directory, whose path ends with a slash. A later entry takes precedence.
#[derive(Default)]
pub struct Attributes(Vec<(Vec<u8>, Vec<Rule>)>);

impl Attributes {
    /// Reads the attributes that apply to the archive of a path. `below`: the files of attributes below that path.
    pub async fn read(reader: &Reader<'_>, path: &str, below: Vec<File>) -> Result<Attributes> {
        let mut files = above(reader, path).await?;
        files.extend(below);
        if files.len() > MOST_FILES {
            return Err(Error::unprocessable(format!("an archive is made of at most {MOST_FILES} files {NAME}")));
        }
        // an inner directory takes precedence over an outer one
        files.sort_unstable_by_key(|(above, _)| above.len());
        let (mut attributes, mut bytes) = (Attributes::default(), 0);
        for some in files.chunks(AT_ONCE) {
            let packed = reader.packed(some.iter().map(|(_, id)| id.as_str()).collect(), LONGEST as usize);
            for ((above, id), packed) in some.iter().zip(packed.await?) {
                let path = || lossy(&[above, NAME.as_bytes()].concat());
                let Some(packed) = packed else { return Err(reader.missing(id, &path()).await) };
                let text = unpack(&packed.bytes, LONGEST)
                    .ok_or_else(|| Error::unprocessable(format!("{} has more than {LONGEST} bytes", path())))?;
                reader.call.store.work(Work::Bytes(text.len() as u64));
                bytes += text.len();
                if bytes > MOST_BYTES {
                    return Err(Error::unprocessable(format!("all files {NAME} have more than {MOST_BYTES} bytes")));
                }
                attributes.add(above.clone(), &text);
            }
        }
        Ok(attributes)
    }

    /// The text of a file in this directory.
    pub fn add(&mut self, above: Vec<u8>, text: &[u8]) {
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        self.0.push((above, text.split(|byte| *byte == b'\n').filter_map(rule).collect()));
    }

    fn values(&self, entry: &PathEntry, steps: &mut Steps) -> Result<Values> {
        let mut values = Values::default();
        for (above, rules) in self.0.iter().rev() {
            // bytes are compared by words
            steps.add(1 + above.len() as u64 / 8);
            let Some(below) = entry.path.strip_prefix(above.as_slice()) else { continue };
            for Rule { glob, settings } in rules.iter().rev() {
                // submodules are directories, too
                if glob.fits(below, entry.kind != Kind::Blob, steps) {
                    steps.add(settings.len() as u64);
                    settings.iter().rev().for_each(|setting| values.add(*setting));
                }
                if steps.are_too_many() {
                    break;
                }
            }
        }
        if steps.are_too_many() {
            return Err(Error::unprocessable(format!("the patterns of {NAME} take too long to compare")));
        }
        Ok(values)
    }

    /// How the lines of the entry end. None if the archive leaves the entry out.
    pub fn of(&self, entry: &PathEntry, steps: &mut Steps) -> Result<Option<Ends>> {
        let values = self.values(entry, steps)?;
        Ok((values.is_ignored != Some(true)).then(|| values.ends()))
    }
}

/// The files of attributes in the directories above a path.
async fn above(reader: &Reader<'_>, path: &str) -> Result<Vec<File>> {
    let (mut node, mut files) = (reader.root()?, Vec::new());
    for (above, name) in levels(path) {
        let tree = reader.tree(&node.id, above).await?;
        let hash = node.id.len() / 2;
        let directory = if above.is_empty() { Vec::new() } else { format!("{above}/").into_bytes() };
        let file = named(&tree, hash, NAME).filter(|file| !file.is_tree() && !file.is_submodule());
        files.extend(file.map(|file| (directory, file.id)));
        node = named(&tree, hash, name).ok_or_else(|| Error::missing("File"))?;
    }
    Ok(files)
}

fn is_blank(byte: &u8) -> bool {
    b" \t\r".contains(byte)
}

/// The rule of a line. None if the line has none, or only one without effect here. Git ignores long lines, and those
/// with a word that is no attribute.
fn rule(line: &[u8]) -> Option<Rule> {
    let line = line.get(line.iter().position(|byte| !is_blank(byte))?..)?;
    if line.starts_with(b"#") || line.len() >= LONGEST_LINE {
        return None;
    }
    let (pattern, rest) = unquoted(line).unwrap_or_else(|| {
        let (pattern, rest) = line.split_at(line.iter().position(is_blank).unwrap_or(line.len()));
        (pattern.to_vec(), rest)
    });
    if pattern.starts_with(b"!") || pattern.starts_with(b"[attr]") {
        return None;
    }
    let words = rest.split(is_blank).filter(|word| !word.is_empty());
    let settings: Vec<Option<Setting>> = words.map(Setting::of).collect::<Result<_, ()>>().ok()?;
    let settings: Vec<Setting> = settings.into_iter().flatten().collect();
    (!settings.is_empty()).then(|| Rule { glob: Glob::new(&pattern), settings })
}

/// A pattern in quotes, as git prints odd names, and the rest of the line.
fn unquoted(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut pattern, mut rest) = (Vec::new(), line.strip_prefix(b"\"")?);
    loop {
        let (byte, behind) = match rest {
            [b'"', behind @ ..] => return Some((pattern, behind)),
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', behind @ ..] => {
                ((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'), behind)
            }
            [b'\\', escaped, behind @ ..] => {
                let (_, byte) = ESCAPED.iter().find(|(letter, _)| letter == escaped)?;
                (*byte, behind)
            }
            [byte, behind @ ..] => (*byte, behind),
            [] => return None,
        };
        pattern.push(byte);
        rest = behind;
    }
}

const ESCAPED: [(u8, u8); 9] = [
    (b'a', 7),
    (b'b', 8),
    (b't', b'\t'),
    (b'n', b'\n'),
    (b'v', 11),
    (b'f', 12),
    (b'r', b'\r'),
    (b'"', b'"'),
    (b'\\', b'\\'),
];

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/archive/attributes.rs"]
mod tests;
