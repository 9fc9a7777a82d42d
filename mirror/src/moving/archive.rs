//! Reads archives. The error about what is wrong in one has its file and line.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::common::{VERSION, files_below, unusable};
use super::fields::{id_in, text};
use super::json;
use super::tarball::unpack;
use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::count;

/// Files of lines.
pub const ISSUES: &str = "tree/project/issues.ndjson";
pub const LABELS: &str = "tree/project/labels.ndjson";
pub const MILESTONES: &str = "tree/project/milestones.ndjson";
pub const RELEASES: &str = "tree/project/releases.ndjson";
pub const MEMBERS: &str = "tree/project/project_members.ndjson";
pub const COMMIT_NOTES: &str = "tree/project/commit_notes.ndjson";
pub const PIPELINES: &str = "tree/project/ci_pipelines.ndjson";
pub const CONTRIBUTIONS: &str = "tree/project/user_contributions.ndjson";
pub const USERS: &str = "edgeforge/users.ndjson";
pub const LINKS: &str = "edgeforge/links.ndjson";
pub const ENVIRONMENTS: &str = "edgeforge/environments.ndjson";
pub const DEPLOYMENTS: &str = "edgeforge/deployments.ndjson";
pub const STATUSES: &str = "edgeforge/statuses.ndjson";
/// Where an archive comes from.
pub const MANIFEST: &str = "edgeforge/manifest.json";
const FORMAT: i64 = 1;

const LONGEST_LINE: u64 = 64 << 20;

#[derive(Debug)]
pub struct Archive {
    pub root: PathBuf,
    /// What people call it.
    name: String,
    is_unpacked: bool,
}

impl Drop for Archive {
    fn drop(&mut self) {
        if self.is_unpacked {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

impl Archive {
    /// A `.tar.gz` is unpacked beside itself, until the archive is dropped.
    pub fn open(path: &Path, console: &Console) -> Result<Archive> {
        let name = path.display().to_string();
        let about = fs::metadata(path).map_err(unusable(path))?;
        let archive = if about.is_dir() {
            Archive { root: path.to_owned(), name, is_unpacked: false }
        } else {
            let root = PathBuf::from(format!("{name}.unpacked-{}", std::process::id()));
            fs::create_dir(&root).map_err(unusable(&root))?;
            let archive = Archive { root, name, is_unpacked: true };
            let passed_over = unpack(path, &archive.root)?;
            if passed_over > 0 {
                console.warn(&format!("{} of {} passed over", count(passed_over, "link or device"), archive.name));
            }
            archive
        };
        archive.check().map(|()| archive)
    }

    fn check(&self) -> Result<()> {
        let Archive { root, name, .. } = self;
        let wrong = |text: String| Err(Error::Repository(text));
        let version = match fs::read(root.join("VERSION")) {
            Ok(bytes) => String::from_utf8_lossy(bytes.get(..100).unwrap_or(&bytes)).into_owned(),
            Err(_) => return wrong(format!("{name} has no VERSION, so it is no export of a project")),
        };
        let version = version.lines().next().unwrap_or_default().trim();
        if version != VERSION {
            return wrong(format!("{name} was written by an export of version {version}; {VERSION} is read"));
        }
        match (root.join("tree/project.json").is_file(), root.join("project.json").is_file()) {
            (true, _) => self.object("tree/project.json").map(drop),
            (_, true) => {
                wrong(format!("{name} has one project.json, an older form; export it with GitLab 13 or later"))
            }
            _ => wrong(format!("{name} has no tree/project.json, so it is no whole export of a project")),
        }
    }

    /// An object in a file. Null if there is no file.
    pub fn object(&self, path: &str) -> Result<Value> {
        let file = self.root.join(path);
        if !file.exists() {
            return Ok(Value::Null);
        }
        let size = fs::metadata(&file).map_err(unusable(&file))?.len();
        let bytes =
            if size > LONGEST_LINE { Err(too_long()) } else { fs::read(&file).map_err(|error| error.to_string()) };
        bytes.and_then(|bytes| object(&bytes)).map_err(|why| broken(path, 1, &why))
    }

    /// The lines of a file, with their numbers. None if there is no file.
    pub fn lines(&self, path: &str, mut each: impl FnMut(u64, Value) -> Result<()>) -> Result<()> {
        let file = self.root.join(path);
        if !file.exists() {
            return Ok(());
        }
        let mut from = BufReader::new(File::open(&file).map_err(unusable(&file))?);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read =
                from.by_ref().take(LONGEST_LINE + 2).read_until(b'\n', &mut line).map_err(unusable(&file))? as u64;
            let is_last = from.fill_buf().map_err(unusable(&file))?.is_empty();
            // GitLab writes `null` alone where the project has none, such as no contributions
            if read == 0 || number == 1 && is_last && line.trim_ascii() == b"null" {
                break;
            }
            let value = if read > LONGEST_LINE + 1 { Err(too_long()) } else { object(&line) };
            each(number, value.map_err(|why| broken(path, number, &why))?)?;
        }
        Ok(())
    }

    /// The line that begins there.
    pub fn line_at(&self, path: &str, at: u64) -> Result<Value> {
        let file = self.root.join(path);
        let mut from = BufReader::new(File::open(&file).map_err(unusable(&file))?);
        let mut line = Vec::new();
        from.seek(SeekFrom::Start(at)).and_then(|_| from.read_until(b'\n', &mut line)).map_err(unusable(&file))?;
        object(&line).map_err(|why| broken(path, at, &why))
    }

    /// The files below a folder: their paths from there, with `/`, and sizes.
    pub fn files(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        let folder = self.root.join(folder);
        let shown = |path: PathBuf| {
            let size = path.metadata().map_err(unusable(&path))?.len();
            let inner = path.strip_prefix(&folder).unwrap_or(&path).to_str().map(str::to_owned);
            Ok(inner.map(|inner| (inner, size)))
        };
        files_below(&folder)?.into_iter().map(shown).filter_map(Result::transpose).collect()
    }
}

pub fn broken(path: &str, line: u64, why: &str) -> Error {
    Error::Repository(format!("{path}, line {line}: {why}"))
}

fn too_long() -> String {
    format!("it has more than {LONGEST_LINE} bytes")
}

fn object(line: &[u8]) -> std::result::Result<Value, String> {
    std::str::from_utf8(line).map_err(|_| "it is no UTF-8".to_owned())?;
    match json::parse(line)? {
        object @ Value::Object(_) => Ok(object),
        _ => Err("it is no object".to_owned()),
    }
}

#[derive(Debug)]
pub struct Manifest {
    pub of: Value,
    /// The web address of the project there.
    pub source: String,
    pub project_id: Option<i64>,
}

impl Manifest {
    pub fn read(archive: &Archive, options: &Options) -> Result<Manifest> {
        let of = archive.object(MANIFEST)?;
        let format = of.get("format").and_then(Value::as_i64);
        if !of.is_null() && format != Some(FORMAT) {
            return Err(Error::Repository(format!("{MANIFEST} has the format {format:?}; {FORMAT} is read")));
        }
        let project = of.get("project").unwrap_or(&Value::Null);
        let given = options.ci.last("source-url").or(text(project, "web_url"));
        let source = given.map(|address| address.trim_end_matches('/')).filter(|address| address.contains("://"));
        let missing = "it is an archive of GitLab, which does not say where it comes from; give --source-url and the web \
                       address of the project there";
        let source = source.ok_or_else(|| Error::Usage(missing.to_owned()))?.to_owned();
        if of.get("complete").is_some_and(|complete| *complete == json!(false)) {
            return Err(Error::Repository("its export has not ended; run that again".to_owned()));
        }
        Ok(Manifest { project_id: id_in(&of, "project"), source, of })
    }
}
