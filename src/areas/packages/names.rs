//! The names in the address of a file.

use super::sql;
use crate::areas::files::sending::FileRow;
use crate::kernel::answers::page_address::segment;
use crate::kernel::{Error, PreparedQuery, Query, Result};

/// Bytes of each name.
const LONGEST: usize = 255;

/// A file by its address. `file` may have a path in front.
#[derive(Debug, Clone)]
pub struct FileAddress {
    pub name: String,
    pub version: String,
    pub file: String,
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '+' | '-')
}

fn is_word(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.chars().all(is_plain) && text != "." && text != ".."
}

/// A name of a file or of a directory. It may have `~` and `@`, but not at its ends.
fn is_file_name(text: &str) -> bool {
    let plain = text.trim_matches(|letter: char| matches!(letter, '~' | '@'));
    !text.is_empty()
        && plain.len() == text.len()
        && text != "."
        && text.chars().all(|letter| is_plain(letter) || matches!(letter, '~' | '@'))
}

/// Whether the text leads to another directory, in any spelling.
fn leads_out(text: &str) -> bool {
    let plain = text.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
    plain.split(['/', '\\']).any(|part| part == "..")
}

impl FileAddress {
    /// 400 if a name is not valid.
    pub fn read(name: &str, version: &str, file: &str) -> Result<FileAddress> {
        if leads_out(file) {
            return Err(Error::framework("file_name should be a valid file path"));
        }
        if !is_word(name) {
            return Err(Error::invalid("package_name"));
        }
        if !is_word(version) || version.contains("..") {
            return Err(Error::invalid("package_version"));
        }
        if file.len() > LONGEST || !file.split('/').all(is_file_name) {
            return Err(Error::invalid("file_name"));
        }
        Ok(FileAddress { name: name.to_owned(), version: version.to_owned(), file: file.to_owned() })
    }

    pub fn query(&self) -> PreparedQuery<Option<FileRow>> {
        let FileAddress { name, version, file } = self;
        sql::file { name, version, file_name: file }.prepare()
    }

    /// The path below the project's address in the API.
    pub fn path(&self) -> String {
        let file: Vec<String> = self.file.split('/').map(segment).collect();
        format!("packages/generic/{}/{}/{}", segment(&self.name), segment(&self.version), file.join("/"))
    }

    /// The last part of the file's path.
    pub fn last(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/packages/names.rs"]
mod tests;
