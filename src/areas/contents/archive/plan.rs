//! The members of an archive, after all checks.

use super::attributes::{Attributes, files};
use super::ends::Ends;
use super::limits::*;
use super::reading::{is_link, links, made, sizes};
use crate::areas::contents::reader::{Node, Reader};
use crate::areas::contents::tree::{Kind, Listing, PathEntry};
use crate::kernel::text::fold::folded;
use crate::kernel::{Error, Result};
use edgeforge_wire::text::lossy;
use std::collections::HashSet;

pub enum Content {
    /// A submodule is an empty directory, too.
    Directory,
    File {
        id: String,
        size: u64,
        is_executable: bool,
    },
    /// A file whose bytes differ from the stored ones.
    Made {
        bytes: Vec<u8>,
        is_executable: bool,
    },
    Link(Vec<u8>),
}

impl Content {
    /// The mode as git has it.
    pub fn mode(&self) -> u32 {
        match self {
            Content::Directory => 0o40_755,
            Content::File { is_executable: true, .. } | Content::Made { is_executable: true, .. } => 0o100_755,
            Content::File { .. } | Content::Made { .. } => 0o100_644,
            Content::Link(_) => 0o120_777,
        }
    }
}

pub struct Member {
    /// The path from the root of the repository.
    pub path: Vec<u8>,
    pub content: Content,
}

pub struct Plan {
    /// The directory that all members are in.
    pub name: String,
    pub sha: String,
    /// The time of the commit in seconds since 1970.
    pub seconds: i64,
    pub members: Vec<Member>,
    /// How many names Windows reads otherwise.
    pub others_on_windows: usize,
}

impl Plan {
    pub async fn of(reader: &Reader<'_>, path: &str, excluded: HashSet<Vec<u8>>, name: String) -> Result<Plan> {
        let mut steps = Steps::default();
        let mut found = listed(reader, path, &excluded, name.len()).await?;
        found.extend(above(path));
        found.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        // files of attributes count even if they are excluded
        let files = files(&found);
        let found = without_excluded(found, excluded, &mut steps);
        check_size(&found, name.len())?;
        let attributes = Attributes::read(reader, path, files).await?;
        let found = without_ignored(found, &attributes, &mut steps);
        reader.call.store.work(steps.work());
        let (found, ends): (Vec<PathEntry>, Vec<Ends>) = found?.into_iter().unzip();
        let others_on_windows = check_names(&found)?;
        let sizes = sizes(reader, &found).await?;
        let mut links = links(reader, &found).await?.into_iter();
        let mut made = made(reader, &found, &sizes, &ends).await?;
        let mut members = Vec::with_capacity(found.len());
        for (at, (entry, size)) in found.into_iter().zip(sizes).enumerate() {
            let content = match entry.kind {
                Kind::Tree | Kind::Commit => Content::Directory,
                Kind::Blob if entry.mode == LINK => Content::Link(links.next().unwrap_or_default()),
                Kind::Blob => {
                    let is_executable = entry.mode & 0o111 != 0;
                    match made.remove(&at) {
                        Some(bytes) => Content::Made { bytes, is_executable },
                        None => Content::File { id: entry.id, size, is_executable },
                    }
                }
            };
            members.push(Member { path: entry.path, content });
        }
        Ok(Plan { name, sha: reader.at.sha.clone(), seconds: reader.at.committed_at, members, others_on_windows })
    }

    /// The names of all members and their contents, first the directory that they are in.
    pub fn named(&self) -> impl Iterator<Item = (Vec<u8>, &Content)> {
        let root = [self.name.as_bytes(), b"/"].concat();
        let first = (root.clone(), &Content::Directory);
        let others = self.members.iter().map(move |Member { path, content }| {
            let end: &[u8] = if matches!(content, Content::Directory) { b"/" } else { b"" };
            ([&root, path.as_slice(), end].concat(), content)
        });
        std::iter::once(first).chain(others)
    }
}

/// What is below the path, or the file there. Without what is below excluded directories, and refused as soon as it is
/// too much: 100,000 entries would take 49 MB.
async fn listed(reader: &Reader<'_>, path: &str, excluded: &HashSet<Vec<u8>>, name: usize) -> Result<Vec<PathEntry>> {
    let node = reader.find(path).await?.ok_or_else(|| Error::missing("File"))?;
    if node.is_tree() {
        let mut size = Size::default();
        let mut keeps = |entry: (Kind, u32), path: [&[u8]; 3]| {
            let path = path.concat();
            let is_out = excluded.contains(&path);
            // an excluded file of attributes counts
            if is_out { Ok(entry.0 == Kind::Blob) } else { size.add(entry, &path, name).map(|()| true) }
        };
        let listing = Listing::read(reader, (&node.id, path), true, &mut keeps).await?;
        let mut found: Vec<PathEntry> = listing.iter().collect();
        found.extend((!path.is_empty()).then(|| directory(path)));
        return Ok(found);
    }
    let kind = if node.is_submodule() { Kind::Commit } else { Kind::Blob };
    let Node { mode, id } = node;
    Ok(vec![PathEntry { kind, path: path.as_bytes().to_vec(), mode, id }])
}

fn directory(path: &str) -> PathEntry {
    PathEntry { kind: Kind::Tree, path: path.as_bytes().to_vec(), mode: 0o40_000, id: String::new() }
}

/// The directories above a path.
fn above(path: &str) -> impl Iterator<Item = PathEntry> + '_ {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(directory)
}

/// Removes the excluded entries. `found` is in the order of paths, so a directory comes before its entries.
fn without_excluded(found: Vec<PathEntry>, mut excluded: HashSet<Vec<u8>>, steps: &mut Steps) -> Vec<PathEntry> {
    let mut kept = Vec::with_capacity(found.len());
    for entry in found {
        steps.add(2);
        let is_out = |path: &[u8]| excluded.contains(path);
        if !is_out(&entry.path) && !parent(&entry.path).is_some_and(is_out) {
            kept.push(entry);
        } else if entry.kind == Kind::Tree {
            excluded.insert(entry.path);
        }
    }
    kept
}

/// Removes what `export-ignore` excludes from entries in the order of their paths, with everything below an excluded
/// directory. As in git, a directory without any file is removed, and one whose files are all ignored stays, empty.
fn without_ignored(
    found: Vec<PathEntry>,
    attributes: &Attributes,
    steps: &mut Steps,
) -> Result<Vec<(PathEntry, Ends)>> {
    let (mut ignored, mut filled): (HashSet<Vec<u8>>, HashSet<Vec<u8>>) = Default::default();
    let mut kept = Vec::with_capacity(found.len());
    for entry in found {
        let is_below = parent(&entry.path).is_some_and(|parent| ignored.contains(parent));
        let ends = if is_below { None } else { attributes.of(&entry, steps)? };
        if ends.is_none() && entry.kind == Kind::Tree {
            ignored.insert(entry.path);
            continue;
        }
        if !is_below && entry.kind != Kind::Tree {
            let mut path = entry.path.as_slice();
            while let Some(above) = parent(path).filter(|above| !filled.contains(*above)) {
                filled.insert(above.to_vec());
                path = above;
            }
        }
        kept.extend(ends.map(|ends| (entry, ends)));
    }
    kept.retain(|(entry, _)| entry.kind != Kind::Tree || filled.contains(&entry.path));
    Ok(kept)
}

fn parent(path: &[u8]) -> Option<&[u8]> {
    path.iter().rposition(|byte| *byte == b'/').and_then(|at| path.get(..at))
}

/// A path as Windows and macOS compare it: in one form of Unicode, without case, and without letters that they ignore.
fn compared(path: &[u8]) -> String {
    if path.is_ascii() {
        return lossy(path).to_ascii_lowercase();
    }
    let is_ignored = |letter: &char| matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    folded(&lossy(path)).chars().filter(|letter| !is_ignored(letter)).collect()
}

/// Whether Windows takes the name for a device. Names with an extension, such as `aux.c`, are allowed: only old
/// versions of Windows refuse them, and repositories have such files.
fn is_of_a_device(name: &str) -> bool {
    let port = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt")).unwrap_or_default();
    matches!(name, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || port.chars().count() == 1 && "0123456789\u{b9}\u{b2}\u{b3}".contains(port)
}

/// Whether Windows reads the last name of a path otherwise, or not at all: it takes the part after a colon for a stream
/// of a file, a backslash for a slash, and cuts off dots and blanks at the end.
fn is_other_on_windows(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_other = |letter: char| letter.is_ascii_control() || "<>:\"\\|?*".contains(letter);
    name.contains(is_other) || name.ends_with(['.', ' ']) || is_of_a_device(name)
}

/// Refuses names that lead out of the archive's directory or into `.git`, as Windows and macOS read them, too: git
/// checks out none of these. `path`: as [`compared`] returns it.
fn is_safe(path: &str) -> bool {
    let is_absolute = |name: &str| name.is_empty() || name.starts_with('\\') || name.get(1..3) == Some(":\\");
    let leads_away = |part: &str| {
        let read = part.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
        matches!(read, ".git" | "git~1") || matches!(part.trim_end_matches(' '), "." | "..")
    };
    !path.split('/').any(is_absolute) && !path.split(['/', '\\']).any(leads_away)
}

/// What an archive comes to.
#[derive(Default)]
struct Size {
    files: usize,
    members: usize,
    links: usize,
    paths: usize,
}

impl Size {
    /// `above`: bytes of the directory that all members are in.
    fn add(&mut self, (kind, mode): (Kind, u32), path: &[u8], above: usize) -> Result<()> {
        self.files += usize::from(kind == Kind::Blob);
        self.members += 1;
        self.links += usize::from(kind == Kind::Blob && mode == LINK);
        self.paths += above + path.len();
        match () {
            () if self.files > MOST_FILES => Err(too_many(format!("{MOST_FILES} files"))),
            () if self.members > MOST_MEMBERS => Err(too_many(format!("{MOST_MEMBERS} files and directories"))),
            () if self.links > MOST_LINKS => Err(too_many(format!("{MOST_LINKS} symbolic links"))),
            () if self.paths > MOST_OF_PATHS => Err(too_many(format!("{MOST_OF_PATHS} bytes of paths"))),
            () if path.len() > LONGEST_PATH => Err(unfit(path)),
            () => Ok(()),
        }
    }
}

fn check_size(found: &[PathEntry], above: usize) -> Result<()> {
    let mut size = Size::default();
    found.iter().try_for_each(|entry| size.add((entry.kind, entry.mode), &entry.path, above))
}

fn unfit(path: &[u8]) -> Error {
    Error::unprocessable(format!("an archive cannot hold the name {}: leave it out with exclude_paths", shown(path)))
}

/// How many names Windows reads otherwise.
fn check_names(found: &[PathEntry]) -> Result<usize> {
    let links: HashSet<String> = found.iter().filter(is_link).map(|entry| compared(&entry.path)).collect();
    let mut directories: HashSet<&[u8]> = HashSet::new();
    let mut before: Option<&[u8]> = None;
    let mut others = 0;
    for entry in found {
        let path = entry.path.as_slice();
        let is_below = parent(path).is_none_or(|parent| directories.contains(parent));
        // if a file system takes the two names for one, it would write the directory's files through the link
        let name = compared(path);
        let is_a_link = entry.kind == Kind::Tree && links.contains(&name);
        if before == Some(path) || !is_below || is_a_link || !is_safe(&name) {
            return Err(unfit(path));
        }
        others += usize::from(is_other_on_windows(&name));
        before = Some(path);
        if entry.kind == Kind::Tree {
            directories.insert(path);
        }
    }
    Ok(others)
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/contents/archive.rs"]
mod tests;
