//! Files of lines that a run writes, goes on with, and puts in order.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::common::unusable;
use crate::error::{Error, Result};

/// GitLab reads lines up to so many bytes.
const LONGEST: usize = 50 << 20;

/// Appends whole lines. Those over GitLab's limit are returned by their number from 0.
pub fn append(path: &Path, lines: &[Value]) -> Result<Vec<usize>> {
    let mut text = Vec::new();
    let mut long = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let before = text.len();
        serde_json::to_writer(&mut text, line).map_err(|error| Error::Repository(error.to_string()))?;
        text.push(b'\n');
        if text.len() - before > LONGEST {
            long.push(place);
        }
    }
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(&text)).map_err(unusable(path))?;
    Ok(long)
}

/// All lines of a file that are JSON. None if there is no file.
pub fn all(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Writes a file anew, all or nothing.
pub fn write<'v>(path: &Path, lines: impl IntoIterator<Item = &'v Value>) -> Result<()> {
    let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
    let new = beside(path);
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(unusable(path))
}

fn beside(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.new", path.display()))
}

/// Where the last line of each issue begins. A last line that is cut off goes.
pub fn index(path: &Path) -> Result<(BTreeMap<i64, u64>, Option<Value>)> {
    let (mut found, mut last) = (BTreeMap::new(), None);
    if !path.exists() {
        return Ok((found, last));
    }
    let mut from = BufReader::new(File::open(path).map_err(unusable(path))?);
    let (mut line, mut at) = (Vec::new(), 0);
    loop {
        line.clear();
        let read = from.read_until(b'\n', &mut line).map_err(unusable(path))? as u64;
        if read == 0 {
            return Ok((found, last));
        }
        let value = line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice::<Value>(line).ok());
        let Some((iid, value)) = value.and_then(|value| Some((super::fields::number(&value, "iid")?, value))) else {
            let file = OpenOptions::new().write(true).open(path);
            file.and_then(|file| file.set_len(at)).map_err(unusable(path))?;
            return Ok((found, last));
        };
        found.insert(iid, at);
        last = Some(value);
        at += read;
    }
}

/// Writes the last line of each issue in the order of their numbers. `each` may change it.
pub fn settle(path: &Path, mut each: impl FnMut(i64, &mut Value)) -> Result<u64> {
    let (found, _) = index(path)?;
    let new = beside(path);
    let mut to = BufWriter::new(File::create(&new).map_err(unusable(&new))?);
    if !found.is_empty() {
        let mut from = BufReader::new(File::open(path).map_err(unusable(path))?);
        let mut line = Vec::new();
        for (iid, at) in &found {
            line.clear();
            let read = from.seek(SeekFrom::Start(*at)).and_then(|_| from.by_ref().read_until(b'\n', &mut line));
            read.map_err(unusable(path))?;
            let mut value = serde_json::from_slice(&line).map_err(|error| Error::Repository(error.to_string()))?;
            each(*iid, &mut value);
            writeln!(to, "{value}").map_err(unusable(&new))?;
        }
    }
    to.flush().and_then(|()| fs::rename(&new, path)).map_err(unusable(path))?;
    Ok(found.len() as u64)
}
