//! Runs git so that no configuration of the machine, the user or the repository changes its output.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::thread;

use crate::error::{Error, Result};

/// Overrides settings of the repository that change git's output or its use of memory.
const SETTINGS: &[&str] = &[
    "advice.graftFileDeprecated=false",
    "core.attributesFile=/dev/null",
    "core.bigFileThreshold=512m",
    "core.deltaBaseCacheLimit=64m",
    "core.packedGitLimit=64m",
    "core.packedGitWindowSize=8m",
    "core.quotePath=true",
    "core.useReplaceRefs=false",
    "diff.suppressBlankEmpty=false",
];

/// git's defaults. They override a `diff.default` driver in the repository's configuration.
const DEFAULT_DRIVER: &[&str] = &["diff.default.binary=auto", "diff.default.xfuncname=^([[:alpha:]$_].*)$"];

/// Excludes configuration of the user and the system, replaced and grafted objects, and fetching. The only
/// attributes are those in the repository's `info/attributes`. The empty tree replaces the work tree as their
/// source.
const SURROUNDINGS: &[(&str, &str)] = &[
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_FLUSH", "0"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
];

/// The first version with `--diff-merges=first-parent`.
const OLDEST_GIT: (u32, u32) = (2, 31);

#[derive(Debug)]
pub struct Repository {
    directory: PathBuf,
    /// The directory that all work trees share.
    common: PathBuf,
    bare: bool,
    /// Whether the repository's configuration sets `diff.default.*`.
    has_default_driver: bool,
    /// Whether it is a clone with `--filter`, which may lack objects.
    is_partial: bool,
    empty_tree: &'static str,
}

impl Repository {
    /// git checks the owner of the repository, with the user's `safe.directory`.
    pub fn open(path: &Path) -> Result<Repository> {
        check_version()?;
        if is_bundle(path) {
            let path = path.display();
            return Err(Error::Repository(format!(
                "{path} is a bundle; run git clone --mirror {path} DIRECTORY, and give that"
            )));
        }
        let mut find = Command::new("git");
        clean(&mut find, |name| name.starts_with("GIT_CONFIG"));
        // the user named the path, so a bare repository is safe here
        find.args(["-c", "safe.bareRepository=all", "-C"]).arg(path).args([
            "rev-parse",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--path-format=absolute",
            "--absolute-git-dir",
            "--git-common-dir",
        ]);
        let found = run(&mut find, &[])?;
        if !found.status.success() {
            return Err(failed("rev-parse", &String::from_utf8_lossy(&found.stderr)));
        }
        // a path may contain line feeds; both have the same number, because they are equal or one is a prefix
        // of the other
        let mut words = found.stdout.strip_suffix(b"\n").unwrap_or(&found.stdout).splitn(4, |byte| *byte == b'\n');
        let (bare, shallow) = (words.next() == Some(b"true"), words.next() == Some(b"true"));
        let format = words.next().unwrap_or_default();
        let paths: Vec<&[u8]> = words.next().unwrap_or_default().split(|byte| *byte == b'\n').collect();
        let (directory, common) = paths.split_at(paths.len() / 2);
        let (directory, common) = (path_of(&directory.join(&b'\n')), path_of(&common.join(&b'\n')));
        let empty_tree = match format {
            b"sha1" => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            b"sha256" => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            _ => {
                let text = format!(
                    "{} uses an object format that edgeforge-mirror does not support; update edgeforge-mirror",
                    path.display()
                );
                return Err(Error::Repository(text));
            }
        };
        if shallow {
            return Err(Error::Repository(format!(
                "{} is a shallow clone and its history is incomplete; run git fetch --unshallow",
                path.display()
            )));
        }
        let mut repository =
            Repository { directory, common, bare, has_default_driver: false, is_partial: false, empty_tree };
        let has =
            |keys| Ok::<_, Error>(repository.ask_whether("config", &["--local", "--get-regexp", keys])?.is_some());
        let found = (has(r"^diff\.default\.")?, has(r"^remote\..*\.promisor$")?);
        (repository.has_default_driver, repository.is_partial) = found;
        Ok(repository)
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn common(&self) -> &Path {
        &self.common
    }

    pub fn is_bare(&self) -> bool {
        self.bare
    }

    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// A git command that runs in the common directory, whichever work tree the user named.
    pub fn git(&self, subcommand: &str) -> Command {
        let mut git = Command::new("git");
        clean(&mut git, |_| false);
        git.envs(SURROUNDINGS.iter().copied())
            .env("GIT_ATTR_SOURCE", self.empty_tree)
            .arg("--git-dir")
            .arg(&self.common)
            .arg("--no-pager");
        for setting in SETTINGS {
            git.args(["-c", setting]);
        }
        for setting in DEFAULT_DRIVER.iter().filter(|_| self.has_default_driver) {
            git.args(["-c", setting]);
        }
        git.arg(subcommand);
        git
    }

    /// Reads a path from the configuration of the repository, the user and the system.
    pub fn user_configures(&self, key: &str) -> Result<Option<PathBuf>> {
        let mut git = Command::new("git");
        clean(&mut git, |name| name.starts_with("GIT_CONFIG"));
        let output =
            run(git.arg("--git-dir").arg(&self.directory).args(["config", "-z", "--type=path", "--get", key]), &[])?;
        let value = output.stdout.strip_suffix(&[0]).map(path_of);
        Ok(value.filter(|_| output.status.success()))
    }

    /// Returns git's output and its warnings.
    pub fn ask_and_listen<A: AsRef<OsStr>>(&self, subcommand: &str, arguments: &[A]) -> Result<(Vec<u8>, String)> {
        let output = run(self.git(subcommand).args(arguments), &[])?;
        match output.status.success() {
            true => Ok((output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())),
            false => Err(self.failure(subcommand, &output)),
        }
    }

    /// Returns git's output after it ends.
    pub fn ask<A: AsRef<OsStr>>(&self, subcommand: &str, arguments: &[A], input: &[u8]) -> Result<Vec<u8>> {
        let output = run(self.git(subcommand).args(arguments), input)?;
        if output.status.success() { Ok(output.stdout) } else { Err(self.failure(subcommand, &output)) }
    }

    fn failure(&self, subcommand: &str, output: &Output) -> Error {
        self.failed(subcommand, &String::from_utf8_lossy(&output.stderr))
    }

    /// Adds a command that mends the repository, if one is known.
    pub fn failed(&self, subcommand: &str, complaints: &str) -> Error {
        // git's messages about an object that a partial clone left out
        let missing = ["promisor", "lazy fetching", "could not fetch", "unable to read"];
        if self.is_partial && missing.iter().any(|word| complaints.contains(word)) {
            return Error::Repository(format!(
                "the repository is a partial clone and lacks objects; run git fetch --refetch --no-filter ({})",
                message(complaints)
            ));
        }
        match complaints.lines().find_map(gone_alternate) {
            None => failed(subcommand, complaints),
            Some(gone) => Error::Repository(format!(
                "objects of this repository are in {gone}, which is not there; restore that directory, which objects/info/alternates names"
            )),
        }
    }

    /// Runs a git command whose exit code 1 means no. Returns its output, or `None` for no.
    pub fn ask_whether<A: AsRef<OsStr>>(&self, subcommand: &str, arguments: &[A]) -> Result<Option<Vec<u8>>> {
        let output = run(self.git(subcommand).args(arguments), &[])?;
        match output.status.code() {
            Some(0) => Ok(Some(output.stdout)),
            Some(1) => Ok(None),
            _ => Err(self.failure(subcommand, &output)),
        }
    }
}

/// The directory with objects of other repositories that git misses, in the words of its versions.
fn gone_alternate(complaint: &str) -> Option<&str> {
    let newer = complaint.split_once("unable to normalize alternate object path: ").map(|(_, path)| path);
    newer.or_else(|| {
        complaint.split_once("object directory ")?.1.split_once(" does not exist; check ").map(|(path, _)| path)
    })
}

fn is_bundle(path: &Path) -> bool {
    let mut begin = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && [*b"# v2", *b"# v3"].contains(&begin)
}

/// Removes git's variables from the environment, except GIT_EXEC_PATH and those to `keep`.
fn clean(command: &mut Command, keep: fn(&str) -> bool) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("GIT_") && text != "GIT_EXEC_PATH" && !keep(&text) {
            command.env_remove(&name);
        }
    }
    command.env_remove("LANGUAGE");
}

fn check_version() -> Result<()> {
    let output = run(Command::new("git").arg("version"), &[])?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.split_whitespace().nth(2).unwrap_or_default();
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST_GIT {
        let (major, minor) = OLDEST_GIT;
        return Err(Error::Repository(format!("git {version} is too old; install git {major}.{minor} or newer")));
    }
    Ok(())
}

pub fn start(command: &mut Command) -> Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
        .spawn()
        .map_err(|error| Error::Repository(format!("git cannot be started: {error}; check that git is installed")))
}

/// Reads standard error to its end and returns the first 16 KiB.
pub fn complaints(stream: Option<ChildStderr>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut text = Vec::new();
    let _ = stream.by_ref().take(16 * 1024).read_to_end(&mut text);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn run(command: &mut Command, input: &[u8]) -> Result<Output> {
    let mut child = start(command)?;
    let stdin = child.stdin.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            // if git ends before it has read its input, the exit code shows why
            let _ = stdin.map(|mut stdin| stdin.write_all(input));
        });
        child
            .wait_with_output()
            .map_err(|error| Error::Repository(format!("the output of git cannot be read: {error}")))
    })
}

fn failed(subcommand: &str, complaints: &str) -> Error {
    Error::Repository(format!("git {subcommand}: {}", message(complaints)))
}

/// git's message on one line, without `fatal: `.
fn message(complaints: &str) -> String {
    let lines = complaints.trim_end().lines().map(|line| line.strip_prefix("fatal: ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
