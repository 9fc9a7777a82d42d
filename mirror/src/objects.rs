//! Reads objects from one `git cat-file` process.

use std::io::{BufRead, BufReader, Read, Take, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use crate::error::{Error, Result};
use crate::git::{self, Repository};

#[derive(Debug)]
pub struct Objects {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Objects {
    pub fn start(repository: &Repository) -> Result<Objects> {
        let mut child = git::start(repository.git("cat-file").arg("--batch"))?;
        let errors = child.stderr.take();
        // an unread pipe would block git
        std::thread::spawn(move || git::complaints(errors));
        match (child.stdin.take(), child.stdout.take()) {
            (Some(to), Some(from)) => Ok(Objects { child, to, from: BufReader::new(from) }),
            _ => Err(Error::Repository("the output of git cat-file cannot be opened".to_owned())),
        }
    }

    /// Asks for an object. Returns its size.
    fn ask(&mut self, hash: &str) -> Result<usize> {
        self.to.write_all(format!("{hash}\n").as_bytes()).map_err(broken)?;
        let mut head = String::new();
        self.from.read_line(&mut head).map_err(broken)?;
        // `<hash> <type> <size>`, or `<hash> missing`
        let size: Option<usize> = head.split_ascii_whitespace().nth(2).and_then(|size| size.parse().ok());
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
