//! Runs a command of CI, and posts its status. Whatever the server does, the command runs to its end, and its exit code
//! is that of the program.

use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::environment::{build, project};
use super::files::gather;
use super::job::{Job, Posted, description, send};
use crate::args::{Ci, Options};
use crate::console::Console;
use crate::error::{Error, Result};
use crate::settings::TOKEN;

const FIRST_POST: Duration = Duration::from_secs(5);
/// How long the end may take, without --wait.
pub const END: Duration = Duration::from_secs(60);
/// GitHub kills 7.5 seconds after an interrupt, and 2.5 after a termination; docker 10 after the first signal.
const GRACE: Duration = Duration::from_secs(7);
const CANCELED: Duration = Duration::from_secs(2);
/// How often to ask for a commit that the mirror has not sent yet.
const PAUSE: Duration = Duration::from_secs(5);

/// The exit code of the command, and whether it was canceled.
type Ended = (u8, bool);

/// Waits for no thread, because one may hang in a request.
pub fn run(options: &'static Options, console: &'static Console) -> Result<u8> {
    let (Some(name), [program, arguments @ ..]) = (options.ci.last("name"), &*options.ci.command) else {
        return Err(Error::Usage("run needs --name NAME and -- COMMAND".to_owned()));
    };
    let job = project(options, console)
        .and_then(|project| Ok(Job { project, build: build(options)?, name: name.to_owned() }))
        .inspect_err(|error| console.warn(&format!("nothing is sent: {error}")));
    let job: Option<&'static Job<'static>> = job.ok().map(|job| &*Box::leak(Box::new(job)));
    let since = Some(SystemTime::now()).filter(|_| options.ci.last("old").is_none());
    let mut command = Command::new(program);
    command.args(arguments).env_remove(TOKEN);
    let (stop, stopped) = mpsc::channel::<()>();
    let (to, first) = mpsc::channel();
    if let Some(job) = job {
        thread::spawn(move || to.send(begin(job, &stopped)));
    }
    let (code, is_canceled) = watch(&mut command).unwrap_or_else(|error| {
        console.warn(&format!("{} cannot be started: {error}", program.display()));
        (127, false)
    });
    drop(stop);
    let unsent = |error: Error| {
        console.warn(&error.to_string());
        false
    };
    let finish = |job| finish(job, (code, is_canceled), since, &first, (&options.ci, console));
    let is_whole = job.is_some_and(|job| finish(job).unwrap_or_else(unsent));
    Ok(if code == 0 && options.ci.last("strict").is_some() && !is_whole { 4 } else { code })
}

/// Posts `running`, if need be when the commit has come.
fn begin(job: &Job<'_>, stopped: &Receiver<()>) -> Result<Posted> {
    loop {
        let posted = job.post("running", None, None, Instant::now() + FIRST_POST)?;
        if posted != Posted::NoCommit || stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout) {
            return Ok(posted);
        }
    }
}

/// Returns whether there was a file of tests, and the server has all.
fn finish(
    job: &Job<'_>,
    (code, is_canceled): Ended,
    since: Option<SystemTime>,
    first: &Receiver<Result<Posted>>,
    (ci, console): (&Ci, &Console),
) -> Result<bool> {
    // the end must not overtake the begin
    let (first_post, end) = (|most| first.recv_timeout(most), ci.time("wait").unwrap_or(END));
    if is_canceled {
        let until = Instant::now() + CANCELED;
        let _ = first_post(CANCELED / 2);
        return job.post("canceled", None, None, until).map(|_| true);
    }
    let found = gather(ci, since, console);
    let until = Instant::now() + end;
    let first = first_post(FIRST_POST.min(end / 2)).unwrap_or(Ok(Posted::NoCommit));
    let first = first.inspect_err(|error| console.warn(&error.to_string()));
    let send = |id, until| send(&job.project, id, &found, until, console);
    // a third is left for the status
    let sent = if let Ok(Posted::Taken(id)) = first { Some(send(id, until - end / 3)) } else { None };
    let state = if code == 0 { "success" } else { "failed" };
    let text = description(&found).or_else(|| (code > 0).then(|| format!("exit code {code}")));
    let posted = loop {
        match job.post(state, text.as_deref(), found.coverage, until)? {
            Posted::NoCommit if Instant::now() + PAUSE < until => thread::sleep(PAUSE),
            Posted::NoCommit => {
                let sha = &job.build.sha;
                return Err(Error::Server(format!("the server does not have the commit {sha}; --wait gives it time")));
            }
            posted => break posted,
        }
    };
    let sent = match (sent, posted) {
        (None, Posted::Taken(id)) => send(id, Instant::now() + END),
        (sent, _) => sent.unwrap_or(false),
    };
    Ok(sent && (found.tests.is_some() || ci.last("junit").is_none()))
}

#[cfg(unix)]
fn watch(command: &mut Command) -> std::io::Result<Ended> {
    use rustix::process::{Pid, Signal, getpgrp, kill_process};
    use rustix::termios::tcgetpgrp;
    use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    use std::os::unix::process::ExitStatusExt;

    // the command could read the token in /proc
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let mut signals = signal_hook::iterator::Signals::new([SIGCHLD, SIGHUP, SIGINT, SIGTERM])?;
    let mut child = command.spawn()?;
    let (to, from) = mpsc::channel();
    thread::spawn(move || {
        for signal in signals.forever() {
            // once the command has ended, only this program is left to end
            if to.send(signal).is_err() && signal != SIGCHLD {
                std::process::exit(128 + signal);
            }
        }
    });
    let mut kill: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            let code = status.code().or_else(|| Some(128 + status.signal()?)).and_then(|code| u8::try_from(code).ok());
            return Ok((code.unwrap_or(1), kill.is_some()));
        }
        match from.recv_timeout(kill.map_or(Duration::MAX, |kill| kill.saturating_duration_since(Instant::now()))) {
            Ok(SIGCHLD) => {}
            Ok(signal) => {
                kill.get_or_insert_with(|| Instant::now() + GRACE);
                // a terminal interrupts all that run in its foreground
                let by_terminal = tcgetpgrp(std::io::stdin()).is_ok_and(|group| group == getpgrp());
                if let Some(signal) = Signal::from_named_raw(signal).filter(|of| *of != Signal::INT || !by_terminal) {
                    let _ = kill_process(Pid::from_child(&child), signal);
                }
            }
            Err(_) => {
                child.kill()?;
                kill = Some(Instant::now() + GRACE);
            }
        }
    }
}

#[cfg(not(unix))]
fn watch(command: &mut Command) -> std::io::Result<Ended> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok((code.unwrap_or(1), false))
}
