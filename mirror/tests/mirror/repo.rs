use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use edgeforge_mirror::commit::Commit;
use edgeforge_mirror::git::Repository;
use edgeforge_mirror::log::{Log, Range};
use edgeforge_mirror::refs::Refs;

use crate::peer::{Peer, TOKEN};

pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub struct Repo {
    pub scratch: Scratch,
    pub path: PathBuf,
}

pub fn git_in(path: &Path) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.current_dir(path)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "1500000000 +0200")
        .env("GIT_COMMITTER_DATE", "1500000100 +0200")
        .args(["-c", "user.name=Ann Example", "-c", "user.email=ann@example.com", "-c", "protocol.file.allow=always"])
        .args(["-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"]);
    git
}

pub fn printed(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

impl Repo {
    pub fn new() -> Repo {
        Repo::with(&["init", "-q"])
    }

    pub fn bare() -> Repo {
        Repo::with(&["init", "-q", "--bare"])
    }

    pub fn with(init: &[&str]) -> Repo {
        let scratch = Scratch::new();
        let path = scratch.0.join("repo");
        printed(git_in(&scratch.0).args(init).arg(&path), b"");
        Repo { scratch, path }
    }

    pub fn command(&self) -> Command {
        git_in(&self.path)
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let output = String::from_utf8(printed(self.command().args(arguments), b"")).unwrap();
        output.strip_suffix('\n').unwrap_or(&output).to_owned()
    }

    pub fn git_bytes(&self, arguments: &[&str]) -> Vec<u8> {
        printed(self.command().args(arguments), b"")
    }

    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> String {
        let output = printed(self.command().args(arguments), input);
        String::from_utf8(output).unwrap().trim_end().to_owned()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Repo {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// An unchanged work tree makes an empty commit.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "--allow-empty", "--allow-empty-message", "--no-verify", "-m", message]);
        self.head()
    }

    /// Uses `git commit-tree` and moves the current branch.
    pub fn commit_at(&self, author: &str, committer: &str) -> String {
        self.git(&["add", "--all"]);
        let tree = self.git(&["write-tree"]);
        let parent = Command::output(self.command().args(["rev-parse", "--verify", "-q", "HEAD"])).unwrap();
        let parent = String::from_utf8(parent.stdout).unwrap();
        let mut git = self.command();
        git.env("GIT_AUTHOR_DATE", format!("@{author}")).env("GIT_COMMITTER_DATE", format!("@{committer}"));
        git.args(["commit-tree", &tree]);
        if !parent.trim().is_empty() {
            git.args(["-p", parent.trim()]);
        }
        let hash = String::from_utf8(printed(git.args(["-m", "dated"]), b"")).unwrap().trim().to_owned();
        self.git(&["reset", "-q", "--soft", &hash]);
        hash
    }

    /// No ref reaches this commit.
    pub fn orphan(&self, number: usize) -> String {
        let tree = self.git(&["rev-parse", "HEAD^{tree}"]);
        let text = format!("tree {tree}\nauthor A <a@x> {number} +0000\ncommitter A <a@x> {number} +0000\n\nroot\n");
        self.feed(&["hash-object", "-t", "commit", "-w", "--stdin"], text.as_bytes())
    }

    /// The bytes follow the lines `tree` and `parent`. The current branch moves to the commit.
    pub fn commit_raw(&self, rest: &[u8]) -> String {
        self.git(&["add", "--all"]);
        let mut bytes = format!("tree {}\n", self.git(&["write-tree"])).into_bytes();
        let parent = Command::output(self.command().args(["rev-parse", "--verify", "-q", "HEAD"])).unwrap();
        let parent = String::from_utf8(parent.stdout).unwrap();
        if !parent.trim().is_empty() {
            bytes.extend_from_slice(format!("parent {}\n", parent.trim()).as_bytes());
        }
        bytes.extend_from_slice(rest);
        let hash = self.feed(&["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], &bytes);
        self.git(&["reset", "-q", "--soft", &hash]);
        hash
    }

    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    pub fn grown(commits: usize) -> Repo {
        let repo = Repo::new();
        repo.grow(commits);
        repo
    }

    pub fn grow(&self, commits: usize) {
        let branch = self.git(&["symbolic-ref", "HEAD"]);
        let parent = Command::output(self.command().args(["rev-parse", "--verify", "-q", "HEAD"])).unwrap();
        let parent = String::from_utf8(parent.stdout).unwrap().trim().to_owned();
        let mut stream = String::new();
        for number in 0..commits {
            let text = format!("{parent} {number}");
            stream += &format!("commit {branch}\ncommitter B <b@c> {} +0000\ndata 4\ngrow\n", 1_500_000_000 + number);
            if number == 0 && !parent.is_empty() {
                stream += &format!("from {parent}\n");
            }
            stream += &format!("M 100644 inline number\ndata {}\n{text}\n", text.len());
        }
        self.feed(&["fast-import", "--quiet", "--force"], stream.as_bytes());
        if self.git(&["rev-parse", "--is-bare-repository"]) == "false" {
            self.git(&["reset", "-q", "--hard"]);
        }
    }

    pub fn read(&self) -> Vec<Commit> {
        let repository = Repository::open(&self.path).unwrap();
        let refs = Refs::read(&repository).unwrap();
        let tips: BTreeSet<_> = refs.tips.values().map(|tip| tip.commit.as_str()).collect();
        if tips.is_empty() {
            return Vec::new();
        }
        let mut log = Log::start(&repository, Range::Missing { tips: &tips, known: &Default::default() }).unwrap();
        let mut commits = Vec::new();
        while let Some(commit) = log.read().unwrap() {
            commits.push(commit);
        }
        commits
    }

    pub fn program(&self, peer: &Peer, command: &str) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_edgeforge-mirror"));
        program.arg(command).arg("--repository").arg(&self.path);
        program.args(["--server", &peer.address, "--project", "ann/proj"]);
        program.env("EDGEFORGE_TOKEN", TOKEN).env("GIT_CONFIG_GLOBAL", "/dev/null");
        program
    }

    pub fn sync(&self, peer: &Peer, options: &[&str]) -> String {
        let output = self.program(peer, "sync").args(options).output().unwrap();
        assert!(output.status.success(), "{}", messages(&output));
        messages(&output)
    }
}

pub fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
