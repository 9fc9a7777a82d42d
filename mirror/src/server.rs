//! The server: its three mirror endpoints, and reading back commits. Requests are tried again with patience.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use edgeforge_wire::{Commits, Mirror, Received, Swap, Swapped};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::{printable, segment};

/// How long the server may be silent, and the slowest way to it in bytes a second.
const SILENCE: Duration = Duration::from_secs(30);
const SLOWEST: u32 = 10_000;

/// After so long without an answer nothing is tried again.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first pause before trying again; each next one is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Which state of its database a write left, and a read wants.
const BOOKMARK: &str = "X-D1-Bookmark";

/// Even a million refs fit.
const LONGEST_ANSWER: u64 = 256 * 1024 * 1024;

/// What the server says to a write.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    Done,
    /// Not as things are: an unknown parent, or a ref that has moved.
    Refused(String),
}

/// What the server says to a swap of refs.
#[derive(Debug, PartialEq)]
pub enum Swapping {
    /// Done; `pending`: some commits are still to learn their branch.
    Done { pending: bool },
    /// A ref is not where it was believed.
    Refused(String),
}

/// What is sent.
struct Body<'a> {
    bytes: Cow<'a, [u8]>,
    gzip: bool,
}

/// A status and a body.
struct Answer {
    status: u16,
    body: Vec<u8>,
}

/// The project on the server.
#[derive(Debug)]
pub struct Server<'a> {
    agent: Agent,
    /// `https://forge.example.com/api/v3/projects/ns%2Fproj`
    project: String,
    token: String,
    gzip: bool,
    retries: u32,
    /// The newest state that the server told of, where it reads from replicas; empty: none.
    bookmark: Mutex<String>,
    console: &'a Console,
}

impl<'a> Server<'a> {
    /// A server at `address`, that is everything before `/api/v3`.
    pub fn new(address: &str, project: &str, token: String, retries: u32, console: &'a Console) -> Self {
        Server::trusting(address, project, token, retries, RootCerts::WebPki, console)
    }

    /// The same with other certificates to trust.
    pub fn trusting(
        address: &str,
        project: &str,
        token: String,
        retries: u32,
        roots: RootCerts,
        console: &'a Console,
    ) -> Self {
        let address = address.trim_end_matches('/').trim_end_matches("/api/v3");
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .timeout_connect(Some(SILENCE))
            .http_status_as_error(false)
            // the token is for this server alone
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections_per_host(16)
            .user_agent(concat!("edgeforge-mirror/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let project = format!("{address}/api/v3/projects/{}", segment(project));
        Server { agent, project, token, gzip: true, retries, bookmark: Mutex::default(), console }
    }

    /// Sends commits gzipped, or as they are.
    pub fn with_gzip(self, gzip: bool) -> Self {
        Server { gzip, ..self }
    }

    /// The refs that the server has, in all their pages, with the messages of tags if they are wanted.
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

    /// A page of all commits and their branches, those after this hash.
    pub fn commits(&self, after: &str) -> Result<Commits> {
        self.get(&format!("/mirror/commits?after={after}"))
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let answer = self.request("GET", path, None)?;
        if answer.status == 200 { self.understood(&answer) } else { Err(self.refusal(&answer)) }
    }

    /// Sends a batch of commits, a finished JSON text.
    pub fn send_commits(&self, body: &[u8]) -> Result<Verdict> {
        let answer = self.request("POST", "/mirror/commits", Some(&self.packed(body)?))?;
        match answer.status {
            200 | 201 => self.understood::<Received>(&answer).map(|_| Verdict::Done),
            400 => Ok(Verdict::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Swaps refs, if all of them are as expected.
    pub fn swap_refs(&self, swap: &Swap) -> Result<Swapping> {
        let body = serde_json::to_vec(swap).map_err(|error| Error::Server(error.to_string()))?;
        let body = Body { bytes: body.into(), gzip: false };
        let answer = self.request("PUT", "/mirror/refs", Some(&body))?;
        match answer.status {
            200 => self.understood(&answer).map(|Swapped { pending, .. }| Swapping::Done { pending }),
            409 => Ok(Swapping::Refused(answer.message())),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Reads something of the repository back; nothing if it is not there.
    pub fn read(&self, path: &str) -> Result<Option<Value>> {
        self.try_read(path)?.map_err(|answer| self.refusal(&answer))
    }

    /// May this token read commits back? A hook's may not.
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
            200 => self.understood(&answer).map(|value| Ok(Some(value))),
            _ => Ok(Err(answer)),
        }
    }

    /// An answer in the shape of this API. A proxy may answer in another's place.
    fn understood<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T> {
        serde_json::from_slice(&answer.body).map_err(|error| {
            let begin = printable(&answer.message());
            Error::Server(format!(
                "{} answers {} with what is not its own ({error}): {begin}",
                self.project, answer.status
            ))
        })
    }

    /// Is this commit there, reached by a ref or not?
    pub fn has(&self, commit: &str) -> Result<bool> {
        let answer = self.request("GET", &format!("/mirror/commits/{commit}"), None)?;
        match answer.status {
            200 => Ok(true),
            404 => Ok(false),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// One request, tried again while there is hope that it helps.
    fn request(&self, method: &str, path: &str, body: Option<&Body<'_>>) -> Result<Answer> {
        let mut attempt = 0;
        let started = Instant::now();
        loop {
            let (reason, after) = match self.once(method, path, body) {
                Ok((answer, after)) if matches!(answer.status, 408 | 429 | 500..=506 | 508..=599) => {
                    (format!("{} {}", answer.status, answer.message()), after)
                }
                Ok((answer, after)) if method == "GET" && answer.is_cut_off() => {
                    ("its answer was cut off".to_owned(), after)
                }
                Ok((answer, _)) => {
                    self.console.detail(&format!("{method} {path}: {}", answer.status));
                    return Ok(answer);
                }
                Err(error) if lasting(&error) => return Err(self.unreachable(&error.to_string())),
                Err(error) => (error.to_string(), None),
            };
            let own = (FIRST_PAUSE * 2_u32.pow(attempt.min(10))).min(LONGEST_PAUSE);
            let pause = after.unwrap_or_default().max(own);
            // a lost answer may come late: what is sent twice does no harm
            if attempt >= self.retries || started.elapsed() > PATIENCE {
                return Err(self.unreachable(&reason));
            }
            let text = format!("{method} {path}: {reason}; again in {:.1} s", pause.as_secs_f64());
            // the first one is mostly a connection that was idle for too long
            if attempt == 0 {
                self.console.detail(&text)
            } else {
                self.console.warn(&text)
            }
            thread::sleep(pause);
            attempt += 1;
        }
    }

    /// What is read is at least as new as what was written: a read brings the newest bookmark. Nobody knows what became of
    /// a write that failed, so there is none afterwards, and the server reads where it writes.
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
        let (outcome, told) = match self.exchange(method, path, body, &known) {
            Ok((answer, after, told)) if answer.status < 500 => (Ok((answer, after)), Some(told)),
            Ok((answer, after, _)) => (Ok((answer, after)), None),
            Err(error) => (Err(error), None),
        };
        if !read {
            let mut bookmark = self.bookmark.lock().unwrap_or_else(PoisonError::into_inner);
            match told {
                Some(told) if told > *bookmark => *bookmark = told,
                Some(_) => {}
                None => bookmark.clear(),
            }
        }
        outcome
    }

    /// The answer, when to come again, and the bookmark of the state that it left.
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
            request = request.header("Content-Type", "application/json");
            if body.gzip {
                request = request.header("Content-Encoding", "gzip");
            }
            // what the system has taken to send counts as sent, so the answer has that much time as well
            let time = SILENCE
                + Duration::from_secs(1) * u32::try_from(body.bytes.len()).unwrap_or(u32::MAX) / SLOWEST;
            let request = self.agent.configure_request(request.body(&*body.bytes)?);
            let request = request.timeout_send_body(Some(time)).timeout_recv_response(Some(time)).build();
            self.agent.run(request)?
        } else {
            let request = self.agent.configure_request(request.body(())?);
            self.agent.run(request.timeout_recv_response(Some(SILENCE)).build())?
        };
        let header = |name: &str| response.headers().get(name)?.to_str().ok();
        let after = header("Retry-After").and_then(|value| value.parse().ok());
        let told = header(BOOKMARK).unwrap_or_default().to_owned();
        let after = after.map(|seconds: u64| Duration::from_secs(seconds).min(3 * LONGEST_PAUSE));
        let body = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        Ok((Answer { status: response.status().as_u16(), body }, after, told))
    }

    fn packed<'b>(&self, bytes: &'b [u8]) -> Result<Body<'b>> {
        if !self.gzip {
            return Ok(Body { bytes: bytes.into(), gzip: false });
        }
        let mut packer = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::fast());
        let packed = packer.write_all(bytes).and_then(|()| packer.finish());
        let packed = packed.map_err(|error| Error::Server(format!("a batch cannot be packed: {error}")))?;
        Ok(Body { bytes: packed.into(), gzip: true })
    }

    fn unreachable(&self, reason: &str) -> Error {
        Error::Server(format!("{} cannot be reached: {reason}", self.project))
    }

    fn refusal(&self, answer: &Answer) -> Error {
        // the status stands in most messages, too
        let message = answer.message();
        let message = match message.starts_with(&answer.status.to_string()) {
            true => message,
            false => format!("{} {message}", answer.status),
        };
        let hint = match answer.status {
            301 | 302 | 303 | 307 | 308 => ": it redirects; give the address that it redirects to",
            401 => ": the token is not valid",
            403 => ": the token may not do this; a hook's token of this project, or a master's, is needed",
            404 => ": there is no such project, or the token may not see it",
            _ => "",
        };
        Error::Server(format!("{} answers {message}{hint}", self.project))
    }
}

impl Answer {
    /// Does JSON begin and not end?
    fn is_cut_off(&self) -> bool {
        self.status == 200
            && matches!(self.body.first(), None | Some(b'{' | b'['))
            && serde_json::from_slice::<IgnoredAny>(&self.body).is_err()
    }

    /// The reason in an error's body.
    fn message(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        match value.get("message").or_else(|| value.get("error")) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::from_utf8_lossy(self.body.get(..200).unwrap_or(&self.body)).trim().to_owned(),
        }
    }
}

/// Errors that another attempt does not mend. A certificate that is not trusted comes as an error of reading.
fn lasting(error: &ureq::Error) -> bool {
    use ureq::Error as E;
    match error {
        E::Io(error) => error.kind() == std::io::ErrorKind::InvalidData,
        E::BadUri(_) | E::Http(_) | E::InvalidProxyUrl | E::Tls(_) | E::Rustls(_) => true,
        _ => false,
    }
}
