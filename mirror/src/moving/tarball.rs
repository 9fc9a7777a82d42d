//! Archives as one file, `.tar.gz`. What may be wrong with one from elsewhere ends it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use tar::EntryType;

use super::common::{files_below, unusable};
use crate::error::{Error, Result};

const MOST_BYTES: u64 = 10 << 30;
const MOST_TIMES: u64 = 1000;
/// Bytes of a path, and of a block with the path of the next file.
const LONGEST_PATH: usize = 4096;
const LONGEST_BLOCK: u64 = 64 << 10;

/// Ends with an error behind so many bytes.
struct Limited<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!("it unpacks to more than {MOST_BYTES} bytes or {MOST_TIMES} times its size"))
        })?;
        Ok(read)
    }
}

/// Packs a folder beside the file, and renames it at the end. Two of equal folders have the same bytes.
pub fn pack(folder: &Path, file: &Path) -> Result<()> {
    let new = PathBuf::from(format!("{}.new", file.display()));
    let packer =
        GzBuilder::new().write(BufWriter::new(File::create(&new).map_err(unusable(&new))?), Compression::default());
    let mut archive = tar::Builder::new(packer);
    for path in &files_below(folder)? {
        let mut from = File::open(path).map_err(unusable(path))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(from.metadata().map_err(unusable(path))?.len());
        header.set_mode(0o644);
        let inner = path.strip_prefix(folder).unwrap_or(path);
        archive.append_data(&mut header, inner, &mut from).map_err(unusable(path))?;
    }
    let whole = archive.into_inner().and_then(|packer| packer.finish()).and_then(|mut file| file.flush());
    whole.and_then(|()| fs::rename(&new, file)).map_err(unusable(&new))
}

/// Returns how many links, devices and the like were passed over.
pub fn unpack(file: &Path, to: &Path) -> Result<u64> {
    let size = fs::metadata(file).map_err(unusable(file))?.len();
    let most = MOST_BYTES.min(size.saturating_mul(MOST_TIMES));
    let open = File::open(file).map_err(unusable(file))?;
    let from = Limited { from: MultiGzDecoder::new(BufReader::new(open)), left: most };
    entries(from, to).map_err(|why| Error::Repository(format!("{}: {why}", file.display())))
}

fn entries(from: impl Read, to: &Path) -> std::result::Result<u64, String> {
    let mut archive = tar::Archive::new(from);
    let (mut known, mut passed_over) = (HashSet::new(), 0);
    // from blocks before the file: a path, and more of it
    let mut announced = None;
    // raw, because a block with the path of the next file may be of any length
    for entry in archive.entries().map_err(|error| error.to_string())?.raw(true) {
        let mut entry = entry.map_err(|error| format!("it is broken: {error}"))?;
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            if entry.size() > LONGEST_BLOCK {
                return Err(format!("a path has more than {LONGEST_PATH} bytes"));
            }
            let mut block = Vec::new();
            entry.read_to_end(&mut block).map_err(|error| format!("it is broken: {error}"))?;
            let named = if kind.is_gnu_longname() {
                block.pop_if(|last| *last == 0);
                Some(block)
            } else {
                let mut pairs = tar::PaxExtensions::new(&block).filter_map(std::result::Result::ok);
                pairs.find(|pair| pair.key_bytes() == b"path").map(|pair| pair.value_bytes().to_vec())
            };
            announced = named.or(announced);
            continue;
        }
        let path = announced.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let is_folder = kind == EntryType::Directory || kind.is_file() && path.ends_with(b"/");
        if !is_folder && !kind.is_file() && kind != EntryType::Continuous {
            passed_over += u64::from(!kind.is_pax_global_extensions());
            continue;
        }
        let path = String::from_utf8(path).map_err(|_| "a path is no UTF-8".to_owned())?;
        check(&path)?;
        let inner: PathBuf = Path::new(&path).components().filter(|part| *part != Component::CurDir).collect();
        let place = to.join(&inner);
        let failed = |error: io::Error| format!("{path} cannot be unpacked: {error}");
        if is_folder {
            fs::create_dir_all(&place).map_err(failed)?;
            continue;
        }
        if !known.insert(inner) {
            return Err(format!("it has two entries of the path {path}"));
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = BufWriter::new(File::create_new(&place).map_err(failed)?);
        let size = entry.size();
        let copied = io::copy(&mut entry, &mut file).and_then(|copied| file.flush().map(|()| copied));
        if copied.map_err(failed)? != size {
            return Err(format!("{path} is cut off"));
        }
    }
    // the checksum is behind the last file
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|error| format!("it is broken: {error}"))?;
    if known.is_empty() { Err("it has no files".to_owned()) } else { Ok(passed_over) }
}

fn check(path: &str) -> std::result::Result<(), String> {
    let escapes = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    if path.len() > LONGEST_PATH {
        Err(format!("a path has more than {LONGEST_PATH} bytes"))
    } else if path.contains('\0') {
        Err("a path has a NUL".to_owned())
    } else if Path::new(path).components().any(escapes) || path.is_empty() {
        Err(format!("the path {path:?} leads out of it"))
    } else {
        Ok(())
    }
}
