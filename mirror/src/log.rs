use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};
use std::process::{Child, ChildStdout};
use std::thread::JoinHandle;

use crate::commit::Commit;
use crate::error::{Error, Result};
use crate::git::{self, Repository};
use crate::objects::Objects;
use crate::patch;
use crate::stream::{Stream, unexpected};
use crate::text::lossy;
use edgeforge_wire::limits;
use edgeforge_wire::object::{Object, Texts};

/// Overrides every setting that changes the output, together with the environment of [`Repository::git`].
const OPTIONS: &[&str] = &[
    "--stdin",
    "--encoding=UTF-8",
    "--no-mailmap",
    "--no-notes",
    "--no-show-signature",
    "--no-decorate",
    "--no-color",
    "-z",
    "--raw",
    "--patch",
    "--no-abbrev",
    "--full-index",
    "--root",
    "--diff-merges=first-parent",
    "--find-renames=50%",
    "-l1000",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--unified=3",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-O/dev/null",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--no-color-moved",
    "--ws-error-highlight=none",
    "--ignore-submodules=none",
    "--submodule=short",
];

#[derive(Debug, Clone, Copy)]
pub enum Range<'a> {
    /// The commits that `tips` reach and `known` do not, parents first. `tips` must not be empty, because git
    /// would take HEAD instead.
    Missing { tips: &'a BTreeSet<&'a str>, known: &'a BTreeSet<String> },
    /// These commits, in this order.
    These(&'a [String]),
}

impl Range<'_> {
    fn write(&self, to: impl Write) -> std::io::Result<()> {
        let mut to = BufWriter::new(to);
        match self {
            Range::Missing { tips, known } => {
                tips.iter().try_for_each(|tip| writeln!(to, "{tip}"))?;
                known.iter().try_for_each(|known| writeln!(to, "^{known}"))?;
            }
            Range::These(commits) => commits.iter().try_for_each(|commit| writeln!(to, "{commit}"))?,
        }
        to.flush()
    }

    pub fn input(&self) -> Vec<u8> {
        let mut input = Vec::new();
        // writing to memory cannot fail
        let _ = self.write(&mut input);
        input
    }

    pub fn count(&self, repository: &Repository) -> Result<u64> {
        if let Range::These(commits) = self {
            return Ok(commits.len() as u64);
        }
        let output = repository.ask("rev-list", &["--count", "--stdin"], &self.input())?;
        let number = String::from_utf8_lossy(&output).trim().parse();
        number.map_err(|_| Error::Repository("git rev-list --count printed no number".to_owned()))
    }
}

#[derive(Debug)]
pub struct Log<'a> {
    repository: &'a Repository,
    child: Child,
    complaints: Option<JoinHandle<String>>,
    stream: Stream<ChildStdout>,
    /// A random word before every commit. If it is missing, the patch before it was misread.
    nonce: String,
    objects: Objects,
    /// The commit that was read last.
    last: Option<String>,
}

impl<'a> Log<'a> {
    pub fn start(repository: &'a Repository, range: Range<'_>) -> Result<Log<'a>> {
        let nonce = format!("{:016x}", RandomState::new().hash_one("edgeforge"));
        let hashes = match range {
            // in the order of git log
            Range::Missing { .. } => {
                repository.ask("rev-list", &["--stdin", "--topo-order", "--reverse"], &range.input())?
            }
            Range::These(commits) => commits.iter().flat_map(|id| [id.as_bytes(), b"\n"].concat()).collect(),
        };
        let mut log = repository.git("log");
        log.args(OPTIONS).arg(format!("--format=tformat:%x00{nonce}%x00%H%x00%an%x00%ae%x00%cn%x00%ce%x00%B"));
        match range {
            Range::Missing { .. } => log.args(["--topo-order", "--reverse"]),
            Range::These(_) => log.arg("--no-walk=unsorted"),
        };
        let mut child = git::start(&mut log)?;
        let errors = child.stderr.take();
        let complaints = Some(std::thread::spawn(move || git::complaints(errors)));
        let output = child
            .stdout
            .take()
            .ok_or_else(|| Error::Repository("the output of git log cannot be opened".to_owned()))?;
        if let Some(stdin) = child.stdin.take() {
            // if git ends before it has read its input, the exit code shows why
            let _ = range.write(stdin);
        }
        Ok(Log {
            repository,
            child,
            complaints,
            stream: Stream::new(output),
            nonce,
            objects: Objects::listed(repository, hashes)?,
            last: None,
        })
    }

    /// Returns `None` after the last commit, if git succeeded.
    pub fn read(&mut self) -> Result<Option<Commit>> {
        let read = match self.stream.peek() {
            Ok(Some(_)) => self.commit(),
            Ok(None) => return self.end().map(|()| None),
            Err(error) => Err(error),
        };
        if let Ok(commit) = &read {
            self.last = Some(commit.id.clone());
        }
        read.map(Some).map_err(|error| {
            let _ = self.child.kill();
            // git's own message explains more than the place where its output ended
            match self.complained() {
                _ if matches!(error, Error::Unfit { .. }) => error,
                complaints if complaints.is_empty() => error,
                complaints => self.repository.failed("log", &complaints),
            }
        })
    }

    /// Which commit git cannot show, if that is why it failed: a tree or file of it is missing, or is of another kind.
    /// `range`: as at the start.
    pub fn blame(&self, range: Range<'_>, error: Error) -> Error {
        if !matches!(error, Error::Repository(_)) || self.repository.is_partial() {
            return error;
        }
        let listed = self.repository.ask("rev-list", &["--stdin", "--topo-order", "--reverse"], &range.input());
        let listed = String::from_utf8(listed.unwrap_or_default()).unwrap_or_default();
        // the patch of the last one may lack its end
        let from_last = listed.lines().skip_while(|id| self.last.as_ref().is_some_and(|last| last != id));
        let unreadable = from_last.take(2).find_map(|id| {
            let commit = id.to_owned();
            match Log::start(self.repository, Range::These(std::slice::from_ref(&commit))).and_then(Log::read_all) {
                Err(Error::Repository(reason)) => Some(Error::Unfit { commit, reason }),
                _ => None,
            }
        });
        unreadable.unwrap_or(error)
    }

    fn read_all(mut self) -> Result<()> {
        while self.read()?.is_some() {}
        Ok(())
    }

    fn commit(&mut self) -> Result<Commit> {
        self.stream.expect(0)?;
        let nonce = self.stream.field(64)?;
        if nonce != self.nonce.as_bytes() {
            return Err(unexpected(&nonce));
        }
        let mut field = |limit| Ok::<_, Error>(lossy(&self.stream.field(limit)?, limit));
        let id = field(64)?;
        let mut texts = Texts {
            author_name: field(limits::NAME)?,
            author_email: field(limits::NAME)?,
            committer_name: field(limits::NAME)?,
            committer_email: field(limits::NAME)?,
            message: field(limits::MESSAGE_AS_JSON)?,
        };
        texts.cut();
        let raw = self.objects.object(&id)?;
        let unfit = |reason: &str| Error::Unfit { commit: id.clone(), reason: reason.to_owned() };
        let object = Object::read(&raw).map_err(unfit)?;
        if object.parents.len() > limits::PARENTS {
            return Err(unfit(&format!("it has more than {} parents", limits::PARENTS)));
        }
        if raw.len() > limits::OBJECT {
            return Err(unfit(&format!("it is longer than {} bytes", limits::OBJECT)));
        }
        let commit = Commit { id, raw, object, texts, ..Commit::default() };
        let around = serde_json::to_string(&commit.clone().into_wire()).map_or(0, |json| json.len());
        let found = patch::read(&mut self.stream, around)?;
        let (additions, deletions) =
            if found.changed_type { self.count_lines(&commit)? } else { (found.additions, found.deletions) };
        Ok(Commit { additions, deletions, diff: found.diff, more_paths: found.more_paths, ..commit })
    }

    /// Lines added and deleted of a commit in which a file became a link or submodule. git's patch shows such
    /// a file as one deleted and one created, but git's statistics compare the two.
    fn count_lines(&self, commit: &Commit) -> Result<(u64, u64)> {
        let mut arguments = vec!["-r", "--root", "--no-commit-id", "--numstat", "--find-renames=50%", "-l1000"];
        arguments.extend(["--diff-algorithm=myers", "--no-textconv", "--ignore-submodules=none"]);
        arguments.extend(commit.object.parents.first().map(String::as_str));
        arguments.push(&commit.id);
        let output = self.repository.ask("diff-tree", &arguments, b"")?;
        let text = String::from_utf8_lossy(&output);
        let mut sums = (0, 0);
        for line in text.lines() {
            let mut numbers = line.split('\t').map(|number| number.parse().unwrap_or(0));
            sums.0 += numbers.next().unwrap_or(0);
            sums.1 += numbers.next().unwrap_or(0);
        }
        Ok(sums)
    }

    fn end(&mut self) -> Result<()> {
        let status = self.child.wait().map_err(|error| Error::Repository(format!("git log: {error}")))?;
        if status.success() {
            return Ok(());
        }
        Err(self.repository.failed("log", &format!("{} ({status})", self.complained())))
    }

    fn complained(&mut self) -> String {
        self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

impl Drop for Log<'_> {
    fn drop(&mut self) {
        // ends git if the caller stopped reading early
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
