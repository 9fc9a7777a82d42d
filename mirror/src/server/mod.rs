mod pages;

use std::cell::Cell;
use std::io::Write;

use edgeforge_wire::contents::{Contents, Lacking, Noted};
use edgeforge_wire::text::is_hash;
use edgeforge_wire::{Received, Swap, Swapped};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::text::printable;
use crate::transport::{Answer, Body, Content, Opening, Transport};

#[derive(Debug, PartialEq)]
pub enum Verdict {
    Done,
    /// The reason, such as an unknown parent.
    Refused(String),
}

#[derive(Debug, PartialEq)]
pub enum Swapping {
    /// `pending`: the server is still assigning commits to branches.
    /// `skipped`: commits whose messages it did not read.
    Done { pending: bool, skipped: usize },
    /// A ref has changed on the server.
    Refused(String),
}

/// What the server did with objects.
#[derive(Debug, PartialEq)]
pub enum Taken {
    Done,
    /// There is no room for more: which limit is reached.
    Full(String),
    /// It refused the object with this hash.
    Unfit(String),
    TooLong,
}

#[derive(Debug)]
pub struct Server<'a> {
    transport: Transport<'a>,
    gzip: bool,
}

impl<'a> Server<'a> {
    pub fn new(transport: Transport<'a>, gzip: bool) -> Self {
        Server { transport, gzip }
    }

    /// `body` is the finished JSON text.
    pub fn send_commits(&self, body: &[u8]) -> Result<Verdict> {
        let answer = self.transport.request("POST", "/mirror/commits", Some(&self.compressed(body)?))?;
        match answer.status {
            200 | 201 => self.parsed::<Received>(&answer).map(|_| Verdict::Done),
            400 => Ok(Verdict::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// The server changes all refs or none.
    pub fn swap_refs(&self, swap: &Swap) -> Result<Swapping> {
        let body = serde_json::to_vec(swap).map_err(|error| Error::Server(error.to_string()))?;
        let answer = self.transport.request(
            "PUT",
            "/mirror/refs",
            Some(&Body { bytes: Content::Json(body.into()), gzip: false }),
        )?;
        match answer.status {
            200 => self.parsed(&answer).map(|Swapped { pending, skipped, .. }| Swapping::Done { pending, skipped }),
            409 => Ok(Swapping::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    fn put<T: Serialize>(&self, method: &str, path: &str, value: &T) -> Result<Answer> {
        let body = serde_json::to_vec(value).map_err(|error| Error::Server(error.to_string()))?;
        let answer =
            self.transport.request(method, path, Some(&Body { bytes: Content::Json(body.into()), gzip: false }))?;
        if answer.status == 200 { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    /// The objects that the server lacks.
    pub fn lacking(&self, objects: &[&str]) -> Result<Vec<String>> {
        let objects = objects.iter().map(|id| (*id).to_owned()).collect();
        self.ask_for(&Lacking { objects, recheck: false })
    }

    /// Those of these objects that the server's object store has lost, and the commits whose diffs it has lost.
    pub fn lost(&self, hashes: &[String]) -> Result<Vec<String>> {
        self.ask_for(&Lacking { objects: hashes.to_vec(), recheck: true })
    }

    fn ask_for(&self, question: &Lacking) -> Result<Vec<String>> {
        let answer = self.put("POST", "/mirror/objects/lacking", question)?;
        let Lacking { objects, .. } = self.parsed(&answer)?;
        self.check(objects.iter())?;
        Ok(objects)
    }

    pub fn note(&self, contents: &Contents) -> Result<()> {
        let answer = self.put("PUT", "/mirror/contents", contents)?;
        self.parsed::<Noted>(&answer).map(drop)
    }

    /// `body`: records, as in `edgeforge_wire::contents`.
    pub fn send_objects(&self, body: &[u8]) -> Result<Taken> {
        self.send_content(Content::Objects(body))
    }

    /// Returns also the number of bytes that were sent.
    pub fn send_object(&self, size: u64, open: Opening<'_>) -> Result<(Taken, u64)> {
        let sent = Cell::new(0);
        let taken = self.send_content(Content::Stream { kind: "application/octet-stream", size, open, sent: &sent })?;
        Ok((taken, sent.get()))
    }

    fn send_content(&self, bytes: Content<'_>) -> Result<Taken> {
        let answer = self.transport.request("POST", "/mirror/objects", Some(&Body { bytes, gzip: false }))?;
        let refused = || {
            let message = answer.message();
            let id = message.strip_prefix("object ")?.split_once(" (")?.1.split_once("): ")?.0;
            is_hash(id).then(|| Taken::Unfit(id.to_owned()))
        };
        match answer.status {
            200 | 201 => self.parsed::<Received>(&answer).map(|_| Taken::Done),
            400 => refused().ok_or_else(|| self.refusal(&answer)),
            413 => Ok(Taken::TooLong),
            507 => Ok(Taken::Full(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// The bytes of a file by its hash.
    pub fn file(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let answer = self.transport.request("GET", &format!("/repository/raw_blobs/{id}"), None)?;
        match answer.status {
            200 => Ok(Some(answer.body)),
            404 | 422 => Ok(None),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Returns `None` for 404.
    pub fn read(&self, path: &str) -> Result<Option<Value>> {
        self.try_read(path)?.map_err(|answer| self.refusal(&answer))
    }

    /// Also returns the query of the next page. Null for 404.
    pub fn read_page(&self, path: &str) -> Result<(Value, Option<String>)> {
        let answer = self.transport.request("GET", &format!("/repository/{path}"), None)?;
        match answer.status {
            404 => Ok((Value::Null, None)),
            200 => Ok((self.parsed(&answer)?, next_query(&answer.link))),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Whether the token may read the repository. A hook's token may not.
    pub fn may_read(&self) -> Result<bool> {
        match self.try_read("branches")? {
            Err(answer) if answer.status == 403 => Ok(false),
            Err(answer) => Err(self.refusal(&answer)),
            Ok(_) => Ok(true),
        }
    }

    fn try_read(&self, path: &str) -> Result<std::result::Result<Option<Value>, Answer>> {
        let answer = self.transport.request("GET", &format!("/repository/{path}"), None)?;
        match answer.status {
            404 => Ok(Ok(None)),
            200 => self.parsed(&answer).map(|value| Ok(Some(value))),
            _ => Ok(Err(answer)),
        }
    }

    /// Reads the JSON of an answer. An error may mean that a proxy sent it.
    fn parsed<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T> {
        serde_json::from_slice(&answer.body).map_err(|error| {
            let begin = printable(&answer.message());
            Error::Server(format!(
                "{} answered {}, but not with the JSON of this API ({error}): {begin}",
                self.transport.project, answer.status
            ))
        })
    }

    /// A commit counts even if no ref reaches it.
    pub fn has(&self, commit: &str) -> Result<bool> {
        let answer = self.transport.request("GET", &format!("/mirror/commits/{commit}"), None)?;
        match answer.status {
            200 => Ok(true),
            404 => Ok(false),
            _ => Err(self.refusal(&answer)),
        }
    }

    fn compressed<'b>(&self, bytes: &'b [u8]) -> Result<Body<'b>> {
        if !self.gzip {
            return Ok(Body { bytes: Content::Json(bytes.into()), gzip: false });
        }
        Ok(Body { bytes: Content::Json(packed(bytes)?.into()), gzip: true })
    }

    fn refusal(&self, answer: &Answer) -> Error {
        let hint = match answer.status {
            301 | 302 | 303 | 307 | 308 => ": the server redirects; give the address that it redirects to",
            401 => ": the token is not valid; give another one",
            403 => ": the token may not do this; use a hook's token of this project or a master's token",
            404 => ": the project does not exist, or the token may not see it; check --project and the token",
            _ => "",
        };
        Error::Server(format!("{} answered {}{hint}", self.transport.project, answer.told()))
    }
}

pub fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::fast());
    let packed = packer.write_all(bytes).and_then(|()| packer.finish());
    packed.map_err(|error| Error::Server(format!("a body cannot be compressed: {error}")))
}

/// The query of the next page. The address before it is not used, because it may be one behind a proxy.
pub fn next_query(link: &str) -> Option<String> {
    let next = link.split(", <").find(|part| part.ends_with("rel=\"next\""))?;
    Some(next.split_once('?')?.1.split_once('>')?.0.to_owned())
}
