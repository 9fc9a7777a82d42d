//! Reads objects from one `git cat-file` process.

use std::io::{BufRead, BufReader, Read, Take, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};

use crate::error::{Error, Result};
use crate::git::{self, Repository};

#[derive(Debug)]
pub struct Objects {
    child: Child,
    /// None if git has the hashes already.
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Objects {
    pub fn start(repository: &Repository) -> Result<Objects> {
        Objects::run(repository.git("cat-file").arg("--batch"))
    }

    /// Reads these objects, a hash in each line, in their order. git does not wait for each question, which takes a
    /// tenth of the time.
    pub fn listed(repository: &Repository, hashes: Vec<u8>) -> Result<Objects> {
        let mut objects = Objects::run(repository.git("cat-file").args(["--batch", "--buffer"]))?;
        let to = objects.to.take();
        // if git ends before it has read them, an answer is missing
        std::thread::spawn(move || to.map(|mut to| to.write_all(&hashes)));
        Ok(objects)
    }

    fn run(git: &mut Command) -> Result<Objects> {
        let mut child = git::start(git)?;
        let errors = child.stderr.take();
        // an unread pipe would block git
        std::thread::spawn(move || git::complaints(errors));
        match (child.stdin.take(), child.stdout.take()) {
            (to @ Some(_), Some(from)) => Ok(Objects { child, to, from: BufReader::new(from) }),
            _ => Err(Error::Repository("the output of git cat-file cannot be opened".to_owned())),
        }
    }

    /// Asks for an object. Returns its size.
    fn ask(&mut self, hash: &str) -> Result<usize> {
        if let Some(to) = &mut self.to {
            to.write_all(format!("{hash}\n").as_bytes()).map_err(broken)?;
        }
        let mut head = String::new();
        self.from.read_line(&mut head).map_err(broken)?;
        // `<hash> <type> <size>`, or `<hash> missing`
        let rest = head.strip_prefix(hash).unwrap_or_default();
        let size: Option<usize> = rest.split_ascii_whitespace().nth(1).and_then(|size| size.parse().ok());
        size.ok_or_else(|| Error::Repository(format!("git cat-file: {}", head.trim_end())))
    }

    /// The bytes of one object as they arrive.
    pub fn stream(mut self, hash: &str) -> Result<Take<Objects>> {
        let size = self.ask(hash)? as u64;
        Ok(self.take(size))
    }

    pub fn object(&mut self, hash: &str) -> Result<Vec<u8>> {
        let size = self.ask(hash)?;
        let mut bytes = vec![0; size + 1];
        self.from.read_exact(&mut bytes).map_err(broken)?;
        bytes.pop();
        Ok(bytes)
    }
}

impl Read for Objects {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.from.read(buffer)
    }
}

fn broken(error: std::io::Error) -> Error {
    Error::Repository(format!("git cat-file cannot be read: {error}"))
}

impl Drop for Objects {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
