use std::borrow::Cow;
use std::cell::Cell;
use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use edgeforge_wire::contents::{Contents, Lacking, Noted, Objects, Stored};
use edgeforge_wire::object::is_hash;
use edgeforge_wire::{Commits, Mirror, Received, Swap, Swapped};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, AsSendBody, SendBody};

use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::{printable, segment};

/// How long the server may be silent. An upload may take longer, at SLOWEST bytes a second.
const SILENCE: Duration = Duration::from_secs(30);
const SLOWEST: u32 = 10_000;

/// A request is not tried again after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Each pause is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// The state of the database: a write returns it, and a read sends it to see at least that state.
const BOOKMARK: &str = "X-D1-Bookmark";

/// Enough for a million refs.
const LONGEST_ANSWER: u64 = 256 * 1024 * 1024;

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
    /// There is no room for more.
    Full,
    /// It refused the object with this hash.
    Unfit(String),
    TooLong,
}

struct Body<'a> {
    bytes: Content<'a>,
    gzip: bool,
}

/// Opens the bytes of a request, once for each attempt.
pub type Opening<'a> = &'a dyn Fn() -> Result<Box<dyn Read>>;

enum Content<'a> {
    Json(Cow<'a, [u8]>),
    Objects(&'a [u8]),
    /// `size`: at most about so many bytes.
    Stream {
        size: u64,
        open: Opening<'a>,
        sent: &'a Cell<u64>,
    },
}

impl Content<'_> {
    fn size(&self) -> u64 {
        match self {
            Content::Json(bytes) => bytes.len() as u64,
            Content::Objects(bytes) => bytes.len() as u64,
            Content::Stream { size, .. } => *size,
        }
    }
}

/// Counts what it reads.
struct Counted<'a> {
    from: Box<dyn Read>,
    count: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

struct Answer {
    status: u16,
    body: Vec<u8>,
    link: String,
    /// The bytes of a file may begin like JSON.
    is_json: bool,
}

#[derive(Debug)]
pub struct Server<'a> {
    agent: Agent,
    /// `https://forge.example.com/api/v3/projects/ns%2Fproj`
    project: String,
    token: String,
    gzip: bool,
    retries: u32,
    /// From the last successful write. Empty if the server sent none.
    bookmark: Mutex<String>,
    console: &'a Console,
}

impl<'a> Server<'a> {
    /// `address` is everything before `/api/v3`.
    pub fn new(address: &str, project: &str, token: String, retries: u32, console: &'a Console) -> Self {
        Server::trusting(address, project, token, retries, RootCerts::WebPki, console)
    }

    pub fn trusting(
        address: &str,
        project: &str,
        token: String,
        retries: u32,
        roots: RootCerts,
        console: &'a Console,
    ) -> Self {
        let address = address.trim_end_matches('/');
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .timeout_connect(Some(SILENCE))
            .http_status_as_error(false)
            // a redirect would send the token to another server
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections_per_host(16)
            .user_agent(concat!("edgeforge-mirror/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let project = format!("{address}/api/v3/projects/{}", segment(project));
        Server { agent, project, token, gzip: true, retries, bookmark: Mutex::default(), console }
    }

    pub fn with_gzip(self, gzip: bool) -> Self {
        Server { gzip, ..self }
    }

    /// Reads all pages. `messages`: with the messages of tags.
    pub fn refs(&self, messages: bool) -> Result<Mirror> {
        let mut all: Option<Mirror> = None;
        let mut after = String::new();
        loop {
            let path = match (after.is_empty(), messages) {
                (true, false) => "/mirror".to_owned(),
                _ => format!("/mirror?after={}&messages={messages}", segment(&after)),
            };
            let mut page: Mirror = self.get(&path)?;
            let next = page.next.take();
            match &mut all {
                Some(all) => all.refs.append(&mut page.refs),
                None => all = Some(page),
            }
            match next {
                Some(name) => after = name,
                None => return Ok(all.unwrap_or_default()),
            }
        }
    }

    pub fn commits(&self, after: &str) -> Result<Commits> {
        self.get(&format!("/mirror/commits?after={after}"))
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let answer = self.request("GET", path, None)?;
        if answer.status == 200 { self.parsed(&answer) } else { Err(self.refusal(&answer)) }
    }

    /// `body` is the finished JSON text.
    pub fn send_commits(&self, body: &[u8]) -> Result<Verdict> {
        let answer = self.request("POST", "/mirror/commits", Some(&self.compressed(body)?))?;
        match answer.status {
            200 | 201 => self.parsed::<Received>(&answer).map(|_| Verdict::Done),
            400 => Ok(Verdict::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// The server changes all refs or none.
    pub fn swap_refs(&self, swap: &Swap) -> Result<Swapping> {
        let body = serde_json::to_vec(swap).map_err(|error| Error::Server(error.to_string()))?;
        let answer = self.request(
            "PUT",
            "/mirror/refs",
            Some(&Body { bytes: Content::Json(body.into()), gzip: false }),
        )?;
        match answer.status {
            200 => self
                .parsed(&answer)
                .map(|Swapped { pending, skipped, .. }| Swapping::Done { pending, skipped }),
            409 => Ok(Swapping::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    fn put<T: Serialize>(&self, method: &str, path: &str, value: &T) -> Result<Answer> {
        let body = serde_json::to_vec(value).map_err(|error| Error::Server(error.to_string()))?;
        let answer =
            self.request(method, path, Some(&Body { bytes: Content::Json(body.into()), gzip: false }))?;
        if answer.status == 200 { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    /// The objects that the server lacks.
    pub fn lacking(&self, objects: &[&str]) -> Result<Vec<String>> {
        let objects = objects.iter().map(|id| (*id).to_owned()).collect();
        let answer = self.put("POST", "/mirror/objects/lacking", &Lacking { objects })?;
        self.parsed::<Lacking>(&answer).map(|lacking| lacking.objects)
    }

    pub fn note(&self, contents: &Contents) -> Result<()> {
        let answer = self.put("PUT", "/mirror/contents", contents)?;
        self.parsed::<Noted>(&answer).map(drop)
    }

    pub fn all_objects(&self) -> Result<Vec<Stored>> {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let page: Objects = self.get(&format!("/mirror/objects?after={after}"))?;
            all.extend(page.objects);
            match page.next {
                Some(hash) => after = hash,
                None => return Ok(all),
            }
        }
    }

    /// `body`: records, as in `edgeforge_wire::contents`.
    pub fn send_objects(&self, body: &[u8]) -> Result<Taken> {
        self.send_content(Content::Objects(body))
    }

    /// Returns also the number of bytes that were sent.
    pub fn send_object(&self, size: u64, open: Opening<'_>) -> Result<(Taken, u64)> {
        let sent = Cell::new(0);
        let taken = self.send_content(Content::Stream { size, open, sent: &sent })?;
        Ok((taken, sent.get()))
    }

    fn send_content(&self, bytes: Content<'_>) -> Result<Taken> {
        let answer = self.request("POST", "/mirror/objects", Some(&Body { bytes, gzip: false }))?;
        let refused = || {
            let message = answer.message();
            let id = message.strip_prefix("object ")?.split_once(" (")?.1.split_once("): ")?.0;
            is_hash(id).then(|| Taken::Unfit(id.to_owned()))
        };
        match answer.status {
            200 | 201 => self.parsed::<Received>(&answer).map(|_| Taken::Done),
            400 => refused().ok_or_else(|| self.refusal(&answer)),
            413 => Ok(Taken::TooLong),
            507 => Ok(Taken::Full),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// The bytes of a file by its hash.
    pub fn file(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let answer = self.request("GET", &format!("/repository/raw_blobs/{id}"), None)?;
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
        let answer = self.request("GET", &format!("/repository/{path}"), None)?;
        match answer.status {
            404 => Ok((Value::Null, None)),
            200 => Ok((self.parsed(&answer)?, next_query(&answer.link))),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// A hook's token may not.
    pub fn may_read(&self) -> Result<bool> {
        match self.try_read("branches")? {
            Err(answer) if answer.status == 403 => Ok(false),
            Err(answer) => Err(self.refusal(&answer)),
            Ok(_) => Ok(true),
        }
    }

    fn try_read(&self, path: &str) -> Result<std::result::Result<Option<Value>, Answer>> {
        let answer = self.request("GET", &format!("/repository/{path}"), None)?;
        match answer.status {
            404 => Ok(Ok(None)),
            200 => self.parsed(&answer).map(|value| Ok(Some(value))),
            _ => Ok(Err(answer)),
        }
    }

    /// A proxy may have sent the answer.
    fn parsed<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T> {
        serde_json::from_slice(&answer.body).map_err(|error| {
            let begin = printable(&answer.message());
            Error::Server(format!(
                "{} answered {}, but not with the JSON of this API ({error}): {begin}",
                self.project, answer.status
            ))
        })
    }

    /// A commit counts even if no ref reaches it.
    pub fn has(&self, commit: &str) -> Result<bool> {
        let answer = self.request("GET", &format!("/mirror/commits/{commit}"), None)?;
        match answer.status {
            200 => Ok(true),
            404 => Ok(false),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Retries failures that may be temporary.
    fn request(&self, method: &str, path: &str, body: Option<&Body<'_>>) -> Result<Answer> {
        let mut attempt = 0;
        let started = Instant::now();
        loop {
            let (reason, after) = match self.once(method, path, body) {
                Ok((answer, after)) if matches!(answer.status, 408 | 429 | 500..=506 | 508..=599) => {
                    (format!("{} {}", answer.status, answer.message()), after)
                }
                Ok((answer, after)) if method == "GET" && answer.is_cut_off() => {
                    ("the answer was incomplete".to_owned(), after)
                }
                Ok((answer, _)) => {
                    self.console.detail(&format!("{method} {path}: {}", answer.status));
                    return Ok(answer);
                }
                Err(error) if is_permanent(&error) => return Err(self.unreachable(&error.to_string())),
                Err(error) => (error.to_string(), None),
            };
            let own = (FIRST_PAUSE * 2_u32.pow(attempt.min(10))).min(LONGEST_PAUSE);
            let pause = after.unwrap_or_default().max(own);
            // a retried request may be carried out twice, which does no harm
            if attempt >= self.retries || started.elapsed() > PATIENCE {
                return Err(self.unreachable(&reason));
            }
            let text = format!("{method} {path} failed: {reason}; retrying in {:.1} s", pause.as_secs_f64());
            // the first failure is often a connection that was idle for too long
            if attempt == 0 {
                self.console.detail(&text)
            } else {
                self.console.warn(&text)
            }
            thread::sleep(pause);
            attempt += 1;
        }
    }

    /// A read sends the newest bookmark, so it sees earlier writes. A failed write may still have happened.
    /// It clears the bookmark, and the server then reads from its primary database.
    fn once(
        &self,
        method: &str,
        path: &str,
        body: Option<&Body<'_>>,
    ) -> std::result::Result<(Answer, Option<Duration>), ureq::Error> {
        let mut known = self.bookmark.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let read = method == "GET";
        if !read {
            known.clear();
        }
        let (outcome, newest) = match self.exchange(method, path, body, &known) {
            Ok((answer, after, newest)) if answer.status < 500 => (Ok((answer, after)), Some(newest)),
            Ok((answer, after, _)) => (Ok((answer, after)), None),
            Err(error) => (Err(error), None),
        };
        if !read {
            let mut bookmark = self.bookmark.lock().unwrap_or_else(PoisonError::into_inner);
            match newest {
                Some(newest) if newest > *bookmark => *bookmark = newest,
                Some(_) => {}
                None => bookmark.clear(),
            }
        }
        outcome
    }

    /// Returns the answer, the time of Retry-After, and the bookmark.
    fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Option<&Body<'_>>,
        known: &str,
    ) -> std::result::Result<(Answer, Option<Duration>, String), ureq::Error> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.project))
            .header("PRIVATE-TOKEN", &self.token);
        if !known.is_empty() {
            request = request.header(BOOKMARK, known);
        }
        let mut response = if let Some(body) = body {
            let kind = if let Content::Json(_) = body.bytes {
                "application/json"
            } else {
                "application/octet-stream"
            };
            request = request.header("Content-Type", kind);
            if body.gzip {
                request = request.header("Content-Encoding", "gzip");
            }
            // the system buffers the body, so the upload may go on while ureq waits for the answer
            let time = SILENCE + Duration::from_secs(body.bytes.size() / u64::from(SLOWEST));
            match &body.bytes {
                Content::Json(bytes) => self.send(request.body(&**bytes)?, time)?,
                Content::Objects(bytes) => self.send(request.body(*bytes)?, time)?,
                Content::Stream { open, sent, .. } => {
                    sent.set(0);
                    let from =
                        open().map_err(|error| ureq::Error::Io(std::io::Error::other(error.to_string())))?;
                    let mut from = Counted { from, count: sent };
                    self.send(request.body(SendBody::from_reader(&mut from))?, time)?
                }
            }
        } else {
            let request = self.agent.configure_request(request.body(())?);
            self.agent.run(request.timeout_recv_response(Some(SILENCE)).build())?
        };
        let header = |name: &str| response.headers().get(name)?.to_str().ok();
        let after = header("Retry-After").and_then(|value| value.parse().ok());
        let newest = header(BOOKMARK).unwrap_or_default().to_owned();
        let link = header("Link").unwrap_or_default().to_owned();
        let is_json = header("Content-Type").is_some_and(|kind| kind.starts_with("application/json"));
        let after = after.map(|seconds: u64| Duration::from_secs(seconds).min(3 * LONGEST_PAUSE));
        let body = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        Ok((Answer { status: response.status().as_u16(), body, link, is_json }, after, newest))
    }

    fn send(
        &self,
        request: ureq::http::Request<impl AsSendBody>,
        time: Duration,
    ) -> std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.configure_request(request);
        self.agent.run(request.timeout_send_body(Some(time)).timeout_recv_response(Some(time)).build())
    }

    fn compressed<'b>(&self, bytes: &'b [u8]) -> Result<Body<'b>> {
        if !self.gzip {
            return Ok(Body { bytes: Content::Json(bytes.into()), gzip: false });
        }
        let mut packer = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::fast());
        let packed = packer.write_all(bytes).and_then(|()| packer.finish());
        let packed =
            packed.map_err(|error| Error::Server(format!("a batch cannot be compressed: {error}")))?;
        Ok(Body { bytes: Content::Json(packed.into()), gzip: true })
    }

    fn unreachable(&self, reason: &str) -> Error {
        Error::Server(format!(
            "{} cannot be reached: {reason}; check its address and that it is running",
            self.project
        ))
    }

    fn refusal(&self, answer: &Answer) -> Error {
        // most messages already begin with the status
        let message = answer.message();
        let message = match message.starts_with(&answer.status.to_string()) {
            true => message,
            false => format!("{} {message}", answer.status),
        };
        let hint = match answer.status {
            301 | 302 | 303 | 307 | 308 => ": the server redirects; give the address that it redirects to",
            401 => ": the token is not valid; give another one",
            403 => ": the token may not do this; use a hook's token of this project or a master's token",
            404 => ": the project does not exist, or the token may not see it; check --project and the token",
            _ => "",
        };
        Error::Server(format!("{} answered {message}{hint}", self.project))
    }
}

impl Answer {
    /// Is the JSON incomplete?
    fn is_cut_off(&self) -> bool {
        self.status == 200 && self.is_json && serde_json::from_slice::<IgnoredAny>(&self.body).is_err()
    }

    fn message(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        match value.get("message").or_else(|| value.get("error")) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::from_utf8_lossy(self.body.get(..200).unwrap_or(&self.body)).trim().to_owned(),
        }
    }
}

/// The address before the query may be one that the hook does not use, such as that behind a proxy.
fn next_query(link: &str) -> Option<String> {
    let next = link.split(", <").find(|part| part.ends_with("rel=\"next\""))?;
    Some(next.split_once('?')?.1.split_once('>')?.0.to_owned())
}

/// Retrying does not help with these. ureq reports an untrusted certificate as InvalidData.
fn is_permanent(error: &ureq::Error) -> bool {
    use ureq::Error as E;
    match error {
        E::Io(error) => error.kind() == std::io::ErrorKind::InvalidData,
        E::BadUri(_) | E::Http(_) | E::InvalidProxyUrl | E::Tls(_) | E::Rustls(_) => true,
        _ => false,
    }
}
