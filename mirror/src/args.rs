use std::ffi::OsString;
use std::path::PathBuf;

use edgeforge_wire::contents::Extent;
use lexopt::prelude::*;

use crate::error::{Error, Result};

pub const HELP: &str = "\
Keeps the index of a git repository on an edgeforge server up to date.

Usage:
  edgeforge-mirror sync     send the missing commits, then update the server's refs
  edgeforge-mirror status   show what sync would do
  edgeforge-mirror verify   compare the server's refs, tags, commits and their branches with git
  edgeforge-mirror install  make pushes to a bare repository call sync
  edgeforge-mirror uninstall  remove the hook and the settings that install wrote

Options:
  --repository PATH   the repository (default: the current directory)
  --server URL        the server, such as https://forge.example.com
  --project ID        the project: its number, or NAMESPACE/PATH
  --token-file FILE   a file that contains only the token
  --verbose           print every request
  --quiet             print only errors and warnings
  --retries N         how often to retry a failed request (default: 8)
  --jobs N            number of parallel requests (default: 3)
  --no-gzip           sync: send commits uncompressed
  --dry-run           sync: show the changes without making them
  --replace           sync: replace the server's refs even if they share no commit with this repository
  --recheck           sync: make the server assign every commit to its branch again, send changed tag messages, and send what the
                      server's object store has lost: diffs, trees and files
  --ca-file FILE      PEM certificates to trust instead of the default ones (or SSL_CERT_FILE, SSL_CERT_DIR)
  --sync              install: also send the commits of before
  --sample N          verify: number of random commits to compare (default: 100)
  --contents WHAT     install, sync: which trees and files to send: of the tips of branches and tags (tips, the default), of all
                      commits (history), or none
  --contents          verify: also compare trees and files
  --lists             verify: also compare the branches' lists of commits, 2500 pages of them
  --help, --version

The token comes from --token-file, or else from the environment variable EDGEFORGE_TOKEN, or else from the file in
the repository's configuration. `install` sets the configuration: edgeforge.server, edgeforge.project,
edgeforge.tokenFile, edgeforge.contents and edgeforge.caFile.

Exit codes: 0 done, 1 status or verify found a difference, 2 wrong use, 3 the repository cannot be read, or sync left
something out, 4 the server cannot be reached or refused a request, 5 the server's refs changed during every attempt.
";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Sync,
    Status,
    Verify,
    Install,
    Uninstall,
    Help,
    Version,
}

#[derive(Debug)]
pub struct Options {
    pub repository: PathBuf,
    pub server: Option<String>,
    pub project: Option<String>,
    pub token_file: Option<PathBuf>,
    pub verbose: bool,
    pub quiet: bool,
    pub retries: u32,
    pub jobs: usize,
    pub gzip: bool,
    pub dry_run: bool,
    pub replace: bool,
    pub recheck: bool,
    pub ca_file: Option<PathBuf>,
    pub sync: bool,
    pub sample: usize,
    pub lists: bool,
    /// None if the configuration decides.
    pub contents: Option<Extent>,
    pub verifies_contents: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            repository: PathBuf::from("."),
            server: None,
            project: None,
            token_file: None,
            verbose: false,
            quiet: false,
            retries: 8,
            jobs: 3,
            gzip: true,
            dry_run: false,
            replace: false,
            recheck: false,
            ca_file: None,
            sync: false,
            sample: 100,
            lists: false,
            contents: None,
            verifies_contents: false,
        }
    }
}

pub fn read<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Result<(Command, Options)> {
    let mut command = None;
    let mut options = Options::default();
    let mut parser = lexopt::Parser::from_args(arguments.into_iter().map(Into::into));
    while let Some(argument) = parser.next()? {
        match argument {
            Long("repository") => options.repository = parser.value()?.into(),
            Long("server") => options.server = Some(parser.value()?.string()?),
            Long("project") => options.project = Some(parser.value()?.string()?),
            Long("token-file") => options.token_file = Some(parser.value()?.into()),
            Short('v') | Long("verbose") => options.verbose = true,
            Short('q') | Long("quiet") => options.quiet = true,
            Long("retries") => options.retries = parser.value()?.parse()?,
            Long("jobs") => options.jobs = parser.value()?.parse_with(at_least_one)?,
            Long("no-gzip") => options.gzip = false,
            Short('n') | Long("dry-run") => options.dry_run = true,
            Long("replace") => options.replace = true,
            Long("recheck") => options.recheck = true,
            Long("ca-file") => options.ca_file = Some(parser.value()?.into()),
            Long("sync") => options.sync = true,
            Long("sample") => options.sample = parser.value()?.parse_with(at_least_one)?,
            Long("lists") => options.lists = true,
            Long("contents") if command == Some(Command::Verify) => options.verifies_contents = true,
            Long("contents") => options.contents = Some(parser.value()?.parse_with(extent)?),
            Short('h') | Long("help") => return Ok((Command::Help, options)),
            Short('V') | Long("version") => return Ok((Command::Version, options)),
            Value(word) if command.is_none() => command = Some(command_named(&word.string()?)?),
            argument => return Err(argument.unexpected().into()),
        }
    }
    match command {
        Some(command) => Ok((command, options)),
        None => Err(Error::Usage("the command is missing; run edgeforge-mirror --help".to_owned())),
    }
}

fn command_named(word: &str) -> Result<Command> {
    match word {
        "sync" => Ok(Command::Sync),
        "status" => Ok(Command::Status),
        "verify" => Ok(Command::Verify),
        "install" => Ok(Command::Install),
        "uninstall" => Ok(Command::Uninstall),
        "help" => Ok(Command::Help),
        _ => Err(Error::Usage(format!("{word:?} is not a command; run edgeforge-mirror --help"))),
    }
}

fn extent(text: &str) -> std::result::Result<Extent, &'static str> {
    Extent::read(text).ok_or("give tips, history or none")
}

fn at_least_one(text: &str) -> std::result::Result<usize, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("give a number of at least 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_before_or_after_the_command() {
        let (command, options) = read(["--jobs=2", "sync", "--project", "a/b", "-n"]).unwrap();
        assert_eq!(command, Command::Sync);
        assert_eq!((options.jobs, options.project.as_deref(), options.dry_run), (2, Some("a/b"), true));
    }

    #[test]
    fn a_token_on_the_command_line_is_refused() {
        let error = read(["sync", "--token", "secret"]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(!error.to_string().contains("secret"));
    }

    #[test]
    fn wrong_use_ends_with_exit_code_two() {
        for wrong in [&["sync", "--jobs", "0"][..], &["sink"], &[], &["sync", "more"], &["sync", "--sample", "x"]] {
            assert_eq!(read(wrong.iter().copied()).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
