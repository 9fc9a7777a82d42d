use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use edgeforge_wire::contents::Extent;
use lexopt::prelude::*;

use crate::error::{Error, Result};

pub const HELP: &str = "\
Keeps the index of a git repository on an edgeforge server up to date, and tells the server what CI finds.

Usage:
  edgeforge-mirror sync     send the missing commits, then update the server's refs
  edgeforge-mirror status   show what sync would do
  edgeforge-mirror verify   compare the server's refs, tags, commits and their branches with git
  edgeforge-mirror install  make pushes to a bare repository call sync
  edgeforge-mirror uninstall  remove the hook and the settings that install wrote
  edgeforge-mirror run --name NAME [FILES] -- COMMAND ..   run a command of CI, post its status and send its reports
  edgeforge-mirror report --job ID FILES   send the reports of a status that is posted already
  edgeforge-mirror gate [--names A,B] [--wait 30m]   ask whether the commit may be deployed
  edgeforge-mirror export --from URL --project PATH --to FOLDER|FILE.tar.gz   write a project to an archive
  edgeforge-mirror import --archive FOLDER|FILE.tar.gz --server URL --project PATH   write an archive to a project

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

Options of run, report and gate:
  --name NAME         run: the name of the status, such as ci/test; gate: as --names, for a name with a comma
  --junit FILES, --sarif FILES, --code-quality FILES   run, report: a pattern, such as 'out/**/*.xml'; may be repeated
  --coverage FILES    run: a number, or files of LCOV or Cobertura
  --old               run: also take files that are older than the run
  --strict            exit with 4 where the exit code would be 0 if something was not sent or --junit found nothing
  --job ID            report: the id of the status
  --sha HASH, --ref REF   the commit and its branch or tag (default: those of the CI system, or HEAD)
  --url URL           run: the page of the build (default: that of the CI system)
  --names A,B, --except A,B   gate: the statuses that must be green, or those that need not be
  --users 1,-7        gate: the ids of the users whose statuses count
  --allow-skipped     gate: skipped is green, too
  --wait TIME         gate: how long to wait for an end; run, report: how long to try to send (default: 1m)
  --missing TIME      gate: how long to wait for a status that nobody has posted
TIME is a number of seconds, or has a unit: 90s, 30m, 2h. The server and the project are also read from EDGEFORGE_URL
and EDGEFORGE_PROJECT.

Options of export and import (docs/moving.md has them all):
  --from URL --to PLACE       the server to read, and the folder or file to write
  --without LIST, --with LIST  confidential, events, emoji, links, uploads, releases, deployments, statuses; note-emoji,
                              commit-comments, and for import members
  --rate N, --full            at most so many requests a minute; read all again
  --archive PLACE             the folder or file to read
  --map FILE, --create-users  who is who, and accounts for people with an address
  --create, --dry-run         make the project; send nothing
  --verify                    compare the archive with the project
  --source-url URL, --source-token-file FILE  where an archive of GitLab comes from
  --report FILE               the report, as JSON

The token comes from --token-file, or else from the environment variable EDGEFORGE_TOKEN, or else from the file in
the repository's configuration. `install` sets the configuration: edgeforge.server, edgeforge.project,
edgeforge.tokenFile, edgeforge.contents and edgeforge.caFile.

`run` exits as the command does, with 127 if it cannot be started, and with 128 + N after signal N. `gate` exits with
0 for green, 1 for red, 8 for undecided, 4 without an answer. Of the others:
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
    Run,
    Report,
    Gate,
    Export,
    Import,
    Help,
    Version,
}

#[derive(Debug)]
pub struct Options {
    pub repository: PathBuf,
    pub has_repository: bool,
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
    pub ci: Ci,
}

/// The options of `run`, `report`, `gate`, `export` and `import`, by their names.
#[derive(Debug, Default)]
pub struct Ci {
    given: Vec<(String, String)>,
    /// The program of `run`, and its arguments.
    pub command: Vec<OsString>,
}

/// They have no value.
const FLAGS_OF_CI: &[&str] = &["old", "strict", "allow-skipped", "full", "create", "create-users", "verify"];
const OPTIONS_OF_CI: &str = "name names except users job sha ref url junit sarif code-quality coverage wait missing \
    archive from to map with without rate report source-url source-token-file";

impl Ci {
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(move |(given, _)| given == name).map(|(_, value)| &**value)
    }

    pub fn last<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).last()
    }

    /// Values with commas between them.
    pub fn words<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.all(name).flat_map(|list| list.split(',').map(str::trim))
    }

    pub fn time(&self, name: &str) -> Option<Duration> {
        self.last(name).and_then(time)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            repository: PathBuf::from("."),
            has_repository: false,
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
            ci: Ci::default(),
        }
    }
}

pub fn read<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Result<(Command, Options)> {
    let mut command = None;
    let mut options = Options::default();
    let mut parser = lexopt::Parser::from_args(arguments.into_iter().map(Into::into));
    while let Some(argument) = parser.next()? {
        match argument {
            Long("repository") => {
                options.repository = parser.value()?.into();
                options.has_repository = true;
            }
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
            Long(name) if FLAGS_OF_CI.contains(&name) => options.ci.given.push((name.to_owned(), String::new())),
            Long(name) if OPTIONS_OF_CI.split(' ').any(|option| option == name) => {
                let name = name.to_owned();
                let value = parser.value()?.parse_with(|text| of_ci(&name, text))?;
                options.ci.given.push((name, value));
            }
            Value(word) if command == Some(Command::Run) => {
                options.ci.command = std::iter::once(word).chain(parser.raw_args()?).collect();
            }
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
        "run" => Ok(Command::Run),
        "report" => Ok(Command::Report),
        "gate" => Ok(Command::Gate),
        "export" => Ok(Command::Export),
        "import" => Ok(Command::Import),
        "help" => Ok(Command::Help),
        _ => Err(Error::Usage(format!("{word:?} is not a command; run edgeforge-mirror --help"))),
    }
}

fn extent(text: &str) -> std::result::Result<Extent, &'static str> {
    Extent::read(text).ok_or("give tips, history or none")
}

/// A value that a script has lost must not open a gate.
fn of_ci(name: &str, text: &str) -> std::result::Result<String, &'static str> {
    match name {
        "names" | "except" | "users" | "with" | "without" if text.split(',').any(|word| word.trim().is_empty()) => {
            Err("a word is empty")
        }
        "junit" | "sarif" | "code-quality" | "coverage" if glob::Pattern::new(text).is_err() => Err("it is no pattern"),
        "rate" if text.parse::<u32>().is_err() => Err("give a number of requests a minute"),
        "wait" | "missing" if time(text).is_none() => Err("give a time such as 90s, 30m or 2h"),
        _ if text.trim().is_empty() => Err("it is empty"),
        _ => Ok(text.trim().to_owned()),
    }
}

fn time(text: &str) -> Option<Duration> {
    let unit = [('s', 1), ('m', 60), ('h', 3600)].into_iter().find(|(unit, _)| text.ends_with(*unit));
    let number = text.trim_end_matches(['s', 'm', 'h']).parse::<u32>().ok()?;
    Some(Duration::from_secs(u64::from(number) * unit.map_or(1, |(_, seconds)| seconds)))
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
