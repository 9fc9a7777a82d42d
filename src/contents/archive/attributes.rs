//! What `.gitattributes` have of the files of an archive: `export-ignore`, and the ends of lines
//! (<https://git-scm.com/docs/gitattributes>). Macros of their own, `export-subst`, `ident` and encodings have no effect.

use super::glob::Glob;
use super::limits::refused;
use crate::contents::reader::{Reader, levels, named, unpack};
use crate::contents::tree::{Found, Kind};
use crate::error::{Error, Result};
use edgeforge_wire::text::lossy;

const NAME: &str = ".gitattributes";

/// Files of attributes, the bytes of one, and how many are read together.
const MOST_FILES: usize = 200;
const LONGEST: u64 = 100_000;
const AT_ONCE: usize = 50;
/// Steps of comparing paths with patterns.
const MOST_STEPS: u64 = 20_000_000;

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
    Crlf(bool),
}

impl Setting {
    fn of(word: &[u8]) -> Option<Setting> {
        Some(match word {
            b"export-ignore" => Setting::Ignored(true),
            b"-export-ignore" | b"!export-ignore" => Setting::Ignored(false),
            b"text" => Setting::Text(Text::Yes),
            // `binary` is a macro of git
            b"-text" | b"binary" => Setting::Text(Text::No),
            b"text=auto" => Setting::Text(Text::Auto),
            b"!text" => Setting::Text(Text::Unknown),
            b"eol=crlf" => Setting::Crlf(true),
            b"eol=lf" | b"-eol" | b"!eol" => Setting::Crlf(false),
            _ => return None,
        })
    }
}

struct Rule {
    /// The directory of the file, with a slash at its end unless it is the root.
    above: Vec<u8>,
    glob: Glob,
    settings: Vec<Setting>,
}

/// How the lines of a file end in an archive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ends {
    AsStored,
    Crlf,
    /// CRLF if git takes the file for a text of LF.
    CrlfIfText,
}

pub struct Attributes {
    /// A later one counts more.
    rules: Vec<Rule>,
    steps: u64,
}

impl Attributes {
    /// Those that count for the archive of a path.
    pub async fn read(reader: &Reader<'_>, path: &str, found: &[Found]) -> Result<Attributes> {
        let mut files = above(reader, path).await?;
        let is_one = |entry: &&Found| entry.kind == Kind::Blob && entry.mode >> 12 == 0o10;
        files.extend(found.iter().filter(is_one).filter_map(|entry| {
            let above = entry.path.strip_suffix(NAME.as_bytes())?;
            (above.is_empty() || above.ends_with(b"/")).then(|| (above.to_vec(), entry.id.clone()))
        }));
        if files.len() > MOST_FILES {
            return Err(refused(format!("an archive is made of at most {MOST_FILES} files {NAME}")));
        }
        // of one directory inside another, the inner one counts more
        files.sort_by_key(|(above, _)| above.len());
        let mut rules = Vec::new();
        for some in files.chunks(AT_ONCE) {
            let packed = reader.packed(some.iter().map(|(_, id)| id.as_str()).collect(), LONGEST as usize);
            for ((above, id), packed) in some.iter().zip(packed.await?) {
                let path = || lossy(&[above, NAME.as_bytes()].concat());
                let Some(packed) = packed else { return Err(reader.missing(id, &path()).await) };
                let text = unpack(&packed.bytes, LONGEST)
                    .ok_or_else(|| refused(format!("{} has more than {LONGEST} bytes", path())))?;
                rules.extend(text.split(|byte| *byte == b'\n').filter_map(|line| rule(above, line)));
            }
        }
        Ok(Attributes { rules, steps: 0 })
    }

    fn settings(&mut self, path: &[u8], is_directory: bool) -> Result<Vec<Setting>> {
        let mut settings = Vec::new();
        for Rule { above, glob, settings: of_rule } in &self.rules {
            let Some(below) = path.strip_prefix(above.as_slice()) else { continue };
            if glob.fits(below, is_directory, &mut self.steps) {
                settings.extend_from_slice(of_rule);
            }
            if self.steps > MOST_STEPS {
                return Err(refused(format!("the patterns of {NAME} take too long to compare")));
            }
        }
        Ok(settings)
    }

    pub fn is_ignored(&mut self, entry: &Found) -> Result<bool> {
        let settings = self.settings(&entry.path, entry.kind == Kind::Tree)?;
        Ok(settings.iter().rev().find_map(|setting| match setting {
            Setting::Ignored(is_ignored) => Some(*is_ignored),
            _ => None,
        }) == Some(true))
    }

    pub fn ends(&mut self, entry: &Found) -> Result<Ends> {
        let (mut text, mut is_crlf) = (Text::default(), false);
        for setting in self.settings(&entry.path, false)? {
            match setting {
                Setting::Text(set) => text = set,
                Setting::Crlf(set) => is_crlf = set,
                Setting::Ignored(_) => {}
            }
        }
        Ok(match text {
            _ if !is_crlf => Ends::AsStored,
            Text::No => Ends::AsStored,
            Text::Auto => Ends::CrlfIfText,
            Text::Yes | Text::Unknown => Ends::Crlf,
        })
    }
}

/// The files of attributes of the directories above a path, which are not below it.
async fn above(reader: &Reader<'_>, path: &str) -> Result<Vec<(Vec<u8>, String)>> {
    let (mut node, mut files) = (reader.root()?, Vec::new());
    for (above, name) in levels(path) {
        let tree = reader.tree(&node.id, above).await?;
        let hash = node.id.len() / 2;
        let directory = if above.is_empty() { Vec::new() } else { format!("{above}/").into_bytes() };
        let file = named(&tree, hash, NAME).filter(|file| file.mode >> 12 == 0o10);
        files.extend(file.map(|file| (directory, file.id)));
        node = named(&tree, hash, name).ok_or_else(|| Error::missing("File"))?;
    }
    Ok(files)
}

/// None for a line without a rule that counts here.
fn rule(above: &[u8], line: &[u8]) -> Option<Rule> {
    let line = line.trim_ascii();
    let (pattern, rest) = match line.strip_prefix(b"\"") {
        Some(quoted) => unquoted(quoted)?,
        None => line.split_at(line.iter().position(u8::is_ascii_whitespace)?),
    };
    let is_other = pattern.starts_with(b"#") || pattern.starts_with(b"!") || pattern.starts_with(b"[attr]");
    let settings: Vec<Setting> =
        rest.split(u8::is_ascii_whitespace).filter(|_| !is_other).filter_map(Setting::of).collect();
    (!settings.is_empty()).then(|| Rule { above: above.to_vec(), glob: Glob::new(pattern), settings })
}

/// A pattern in quotes, which may have blanks, and the rest. Escapes stay, because a pattern has the same.
fn unquoted(quoted: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut is_escaped = false;
    let end = quoted.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some((quoted.get(..end)?, quoted.get(end + 1..)?))
}

/// The bytes with CRLF at the ends of lines. None: they stay as they are.
pub fn with_crlf(bytes: &[u8], ends: Ends) -> Option<Vec<u8>> {
    let is_return = |at: usize| at.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'\r');
    let is_bare = |(at, byte): &(usize, &u8)| **byte == b'\n' && !is_return(*at);
    let bare = bytes.iter().enumerate().filter(is_bare).count();
    let is_kept = ends == Ends::CrlfIfText && (bytes.contains(&b'\r') || !is_text(bytes));
    if ends == Ends::AsStored || bare == 0 || is_kept {
        return None;
    }
    let mut made = Vec::with_capacity(bytes.len() + bare);
    for (at, byte) in bytes.iter().enumerate() {
        if is_bare(&(at, byte)) {
            made.push(b'\r');
        }
        made.push(*byte);
    }
    Some(made)
}

/// As git guesses: without NUL, and of 128 letters at most one is a sign for machines. There is no CR.
fn is_text(bytes: &[u8]) -> bool {
    let is_odd = |byte: &&u8| matches!(**byte, 0..=31 | 127) && !matches!(**byte, 8..=10 | 12 | 27);
    let odd = bytes.iter().filter(is_odd).count() - usize::from(bytes.last() == Some(&26));
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let plain = bytes.len() - lines - bytes.iter().filter(is_odd).count();
    !bytes.contains(&0) && plain >> 7 >= odd
}

#[cfg(test)]
#[path = "../../../tests/unit/contents/archive/attributes.rs"]
mod tests;
