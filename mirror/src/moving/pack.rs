//! An archive as one file: two of equal folders have the same bytes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use super::common::{files_below, unusable};
use crate::error::Result;

/// Packs a folder beside the file, and renames it at the end.
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
