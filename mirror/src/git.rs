//! The repository, and git run in it so that nobody's configuration can change what it says.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::thread;

use crate::error::{Error, Result};

/// Configuration of the repository that would change what git prints or how much memory it takes.
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

/// What a repository may say of files without attributes, and git's own words for it.
const DEFAULT_DRIVER: &[&str] = &["diff.default.binary=auto", "diff.default.xfuncname=^([[:alpha:]$_].*)$"];

/// Environment that isolates git: no configuration of user or system, no replaced, grafted or fetched objects, no
/// attributes but the repository's own `info/attributes` (the empty tree stands for the work tree's).
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

/// `--diff-merges=first-parent` came with it.
const OLDEST_GIT: (u32, u32) = (2, 31);

/// A repository on this machine.
#[derive(Debug)]
pub struct Repository {
    directory: PathBuf,
    /// The directory that all its work trees share.
    common: PathBuf,
    bare: bool,
    /// Does it configure how files without attributes are compared?
    has_default_driver: bool,
    /// The empty tree's hash in this repository's format.
    empty_tree: &'static str,
}

impl Repository {
    /// Finds the repository at `path`; git's own check of its owner applies, with the user's configuration.
    pub fn open(path: &Path) -> Result<Repository> {
        check_version()?;
        let mut find = Command::new("git");
        clean(&mut find, |name| name.starts_with("GIT_CONFIG"));
        // whoever names a repository means it, bare or not
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
            return Err(failure("rev-parse", &found));
        }
        // paths are bytes and may hold line feeds: the two are of one repository, so one begins the other or is it
        let mut words =
            found.stdout.strip_suffix(b"\n").unwrap_or(&found.stdout).splitn(4, |byte| *byte == b'\n');
        let (bare, shallow) = (words.next() == Some(b"true"), words.next() == Some(b"true"));
        let format = words.next().unwrap_or_default();
        let paths: Vec<&[u8]> = words.next().unwrap_or_default().split(|byte| *byte == b'\n').collect();
        let (directory, common) = paths.split_at(paths.len() / 2);
        let (directory, common) = (path_of(&directory.join(&b'\n')), path_of(&common.join(&b'\n')));
        let empty_tree = match format {
            b"sha1" => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            b"sha256" => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            _ => {
                let text = format!("{} has objects of an unknown format", path.display());
                return Err(Error::Repository(text));
            }
        };
        if shallow {
            return Err(Error::Repository(format!(
                "{} is a shallow clone, its history is incomplete; run: git fetch --unshallow",
                path.display()
            )));
        }
        let mut repository = Repository { directory, common, bare, has_default_driver: false, empty_tree };
        let keys = ["--local", "--get-regexp", r"^diff\.default\."];
        repository.has_default_driver = repository.ask_whether("config", &keys)?.is_some();
        Ok(repository)
    }

    /// The git directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The directory that all work trees of this repository share.
    pub fn common(&self) -> &Path {
        &self.common
    }

    /// Has no work tree?
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// A git command in this repository, whichever of its work trees was named, sealed against configuration.
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

    /// The value of `key` for this repository, its user or the system, as a path.
    pub fn user_configures(&self, key: &str) -> Result<Option<PathBuf>> {
        let mut git = Command::new("git");
        clean(&mut git, |name| name.starts_with("GIT_CONFIG"));
        let output = run(
            git.arg("--git-dir").arg(&self.directory).args(["config", "-z", "--type=path", "--get", key]),
            &[],
        )?;
        let value = output.stdout.strip_suffix(&[0]).map(path_of);
        Ok(value.filter(|_| output.status.success()))
    }

    /// The same as [`Repository::ask`], and what git complained about though it went on.
    pub fn ask_and_listen<A: AsRef<OsStr>>(
        &self,
        subcommand: &str,
        arguments: &[A],
    ) -> Result<(Vec<u8>, String)> {
        let output = run(self.git(subcommand).args(arguments), &[])?;
        match output.status.success() {
            true => Ok((output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())),
            false => Err(failure(subcommand, &output)),
        }
    }

    /// Runs git to its end with `input` on its standard input: what it printed.
    pub fn ask<A: AsRef<OsStr>>(&self, subcommand: &str, arguments: &[A], input: &[u8]) -> Result<Vec<u8>> {
        let output = run(self.git(subcommand).args(arguments), input)?;
        if output.status.success() { Ok(output.stdout) } else { Err(failure(subcommand, &output)) }
    }

    /// Runs git whose exit code 1 means no: what it printed, or nothing for no.
    pub fn ask_whether<A: AsRef<OsStr>>(&self, subcommand: &str, arguments: &[A]) -> Result<Option<Vec<u8>>> {
        let output = run(self.git(subcommand).args(arguments), &[])?;
        match output.status.code() {
            Some(0) => Ok(Some(output.stdout)),
            Some(1) => Ok(None),
            _ => Err(failure(subcommand, &output)),
        }
    }
}

/// Takes git's own variables out of the environment, except where to find its programs and those to `keep`.
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
        return Err(Error::Repository(format!("git {version} is too old, {major}.{minor} is needed")));
    }
    Ok(())
}

/// Starts a command with all three streams piped.
pub fn start(command: &mut Command) -> Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| Error::Repository(format!("git cannot be run: {error}")))
}

/// Reads all that a command complains about, of much only the beginning.
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
            // a command that ends before it has read all tells by its exit code
            let _ = stdin.map(|mut stdin| stdin.write_all(input));
        });
        child.wait_with_output().map_err(|error| Error::Repository(format!("git cannot be read: {error}")))
    })
}

fn failure(subcommand: &str, output: &Output) -> Error {
    failed(subcommand, &String::from_utf8_lossy(&output.stderr))
}

/// git's complaints as an error, with what to do where that is known.
pub fn failed(subcommand: &str, complaints: &str) -> Error {
    let text = complaints.trim_end();
    let text = text.strip_prefix("fatal: ").unwrap_or(text);
    // what git says where an object is missing that a partial clone left out
    if ["promisor", "lazy fetching", "could not fetch"].iter().any(|word| text.contains(word)) {
        return Error::Repository(format!(
            "the repository is a partial clone and lacks objects; git fetch --refetch --no-filter brings them ({text})"
        ));
    }
    Error::Repository(format!("git {subcommand}: {text}"))
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
