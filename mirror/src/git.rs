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

/// Environment that isolates git: no configuration of user or system, no replaced, grafted or fetched objects, no
/// attributes but the repository's own `info/attributes` (the empty tree stands for the work tree's).
const SURROUNDINGS: &[(&str, &str)] = &[
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_ATTR_SOURCE", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
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
    bare: bool,
}

impl Repository {
    /// Finds the repository at `path`; git's own check of its owner applies, with the user's configuration.
    pub fn open(path: &Path) -> Result<Repository> {
        check_version()?;
        let mut find = Command::new("git");
        clean(&mut find, |name| name.starts_with("GIT_CONFIG"));
        find.arg("-C").arg(path).args([
            "rev-parse",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--absolute-git-dir",
        ]);
        let found = run(&mut find, &[])?;
        if !found.status.success() {
            return Err(failure("rev-parse", &found));
        }
        let text = String::from_utf8_lossy(&found.stdout);
        let mut words = text.strip_suffix('\n').unwrap_or(&text).splitn(4, '\n');
        let (bare, shallow) = (words.next() == Some("true"), words.next() == Some("true"));
        let (format, directory) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if format != "sha1" {
            return Err(Error::Repository(format!(
                "{} is a {format} repository; edgeforge indexes SHA-1 repositories only",
                path.display()
            )));
        }
        if shallow {
            return Err(Error::Repository(format!(
                "{} is a shallow clone, its history is incomplete; run: git fetch --unshallow",
                path.display()
            )));
        }
        Ok(Repository { directory: PathBuf::from(directory), bare })
    }

    /// The git directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Has no work tree?
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// A git command in this repository, sealed against configuration.
    pub fn git(&self, subcommand: &str) -> Command {
        let mut git = Command::new("git");
        clean(&mut git, |_| false);
        git.envs(SURROUNDINGS.iter().copied()).arg("--git-dir").arg(&self.directory).arg("--no-pager");
        for setting in SETTINGS {
            git.args(["-c", setting]);
        }
        git.arg(subcommand);
        git
    }

    /// Is `key` configured, for this repository, its user or the system?
    pub fn user_configures(&self, key: &str) -> Result<bool> {
        let mut git = Command::new("git");
        clean(&mut git, |name| name.starts_with("GIT_CONFIG"));
        let output = run(git.arg("--git-dir").arg(&self.directory).args(["config", "--get", key]), &[])?;
        Ok(output.status.success())
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
    let text = String::from_utf8_lossy(&output.stderr);
    let text = text.trim_end();
    let text = text.strip_prefix("fatal: ").unwrap_or(text);
    Error::Repository(format!("git {subcommand}: {text}"))
}
