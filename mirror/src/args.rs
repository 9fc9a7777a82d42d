use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use edgeforge_wire::contents::Extent;
use lexopt::prelude::*;

use crate::error::{Error, Result};

pub const HELP: &str = include_str!("help.txt");

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
    /// None: as often as the command usually does.
    pub retries: Option<u32>,
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
            retries: None,
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
            Long("retries") => options.retries = Some(parser.value()?.parse()?),
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
