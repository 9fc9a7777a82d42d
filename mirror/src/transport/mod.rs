//! Sends requests to the server, repeats them after failures, and reads the answers.

mod answer;
mod body;
mod download;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::{Agent, AsSendBody, SendBody};

use crate::console::Console;
use crate::error::{Error, Result};
use crate::pace::Pace;
use crate::roots::Roots;
use crate::text::segment;

pub use answer::{Answer, told};
use body::Counted;
pub use body::{Body, Content, Opening};

/// How long the server may be silent. An upload may take longer, at SLOWEST bytes a second.
const SILENCE: Duration = Duration::from_secs(30);
const SLOWEST: u32 = 10_000;

/// A request is not tried again after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Each pause is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Unless the user says how often. Those of a project that moves take ten minutes.
const RETRIES: u32 = 8;
const RETRIES_OF_MOVING: u32 = 32;

fn pause_after(attempt: u32) -> Duration {
    (FIRST_PAUSE * 2_u32.pow(attempt.min(10))).min(LONGEST_PAUSE)
}

/// The longest wait that a project that moves takes from a server.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

/// The state of the database: a write returns it, and a read sends it to see at least that state.
const BOOKMARK: &str = "X-D1-Bookmark";

/// Enough for a million refs.
const LONGEST_ANSWER: u64 = 256 * 1024 * 1024;

/// What a job of CI adds to a request.
#[derive(Debug, Default, Clone, Copy)]
pub struct Terms<'a> {
    /// The request ends then, answered or not.
    pub until: Option<Instant>,
    /// The header Idempotency-Key.
    pub key: Option<&'a str>,
}

impl Terms<'_> {
    /// Not zero, which would mean without end.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1)))
    }
}

#[derive(Debug)]
pub struct Transport<'a> {
    agent: Agent,
    /// `https://forge.example.com/api/v3/projects/ns%2Fproj`
    pub project: String,
    token: String,
    retries: Option<u32>,
    /// The bookmark of the last successful write. Empty if the server sent none.
    bookmark: Mutex<String>,
    /// Of a project that moves: all answers are JSON, and the server's waits are heeded to the end.
    pub pace: Option<Arc<Pace>>,
    console: &'a Console,
}

impl<'a> Transport<'a> {
    /// `address` is everything before `/api/v3`.
    pub fn new(
        address: &str,
        project: &str,
        token: String,
        retries: Option<u32>,
        roots: Roots,
        console: &'a Console,
    ) -> Self {
        let address = address.trim_end_matches('/');
        let agent = roots
            .trusted(Agent::config_builder())
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
        Transport { agent, project, token, retries, bookmark: Mutex::default(), pace: None, console }
    }

    /// The same project in the other API.
    pub fn v4(self) -> Self {
        Transport { project: self.project.replacen("/api/v3/projects/", "/api/v4/projects/", 1), ..self }
    }

    /// All of v4, for a project that moves.
    pub fn moving(self, address: &str, pace: Arc<Pace>) -> Self {
        Transport { project: format!("{address}/api/v4"), pace: Some(pace), ..self }
    }

    fn retries(&self) -> u32 {
        self.retries.unwrap_or(if self.pace.is_some() { RETRIES_OF_MOVING } else { RETRIES })
    }

    /// Retries failures that may be temporary.
    pub fn request(&self, method: &str, path: &str, body: Option<&Body<'_>>) -> Result<Answer> {
        self.request_on(method, path, body, Terms::default())
    }

    pub fn request_on(&self, method: &str, path: &str, body: Option<&Body<'_>>, terms: Terms<'_>) -> Result<Answer> {
        let mut attempt = 0;
        let mut started = Instant::now();
        loop {
            let pace = self.pace.as_ref();
            if let Some(pace) = pace {
                pace.begin();
            }
            let (reason, after) = match self.once(method, path, body, terms) {
                // 501: the server has no object store
                Ok(answer) if matches!(answer.status, 408 | 429 | 500 | 502..=506 | 508..=599) => {
                    (answer.told(), answer.after)
                }
                Ok(answer) if pace.is_some() && method == "GET" && answer.is_of_another() => {
                    (format!("the answer is not of this API: {}", answer.told()), answer.after)
                }
                Ok(answer) if method == "GET" && answer.is_cut_off() => {
                    ("the answer was incomplete".to_owned(), answer.after)
                }
                Ok(answer) => {
                    self.console.detail(&format!("{method} {path}: {}", answer.status));
                    return Ok(answer);
                }
                Err(error) if is_permanent(&error) => return Err(self.unreachable(&error.to_string())),
                Err(error) => (error.to_string(), None),
            };
            if let (Some(pace), Some(after)) = (pace, after) {
                self.console.say(&format!("{method} {path}: {reason}; waiting for {} s", after.as_secs().max(1)));
                pace.wait(after.max(FIRST_PAUSE));
                started += after;
                continue;
            }
            let pause = after.unwrap_or_default().max(pause_after(attempt));
            let patience = if pace.is_some() { 10 * PATIENCE } else { PATIENCE };
            let late = terms.left().map_or(started.elapsed() > patience, |left| left <= pause);
            // a retried request may be carried out twice, which does no harm
            if attempt >= self.retries() || late {
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
        terms: Terms<'_>,
    ) -> std::result::Result<Answer, ureq::Error> {
        let mut known = self.bookmark.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let read = method == "GET";
        if !read {
            known.clear();
        }
        let (outcome, newest) = match self.exchange(method, path, body, &known, terms) {
            Ok((answer, newest)) if answer.status < 500 => (Ok(answer), Some(newest)),
            Ok((answer, _)) => (Ok(answer), None),
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

    /// Returns the answer and the bookmark.
    fn exchange(
        &self,
        method: &str,
        path: &str,
        body: Option<&Body<'_>>,
        known: &str,
        terms: Terms<'_>,
    ) -> std::result::Result<(Answer, String), ureq::Error> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.project))
            .header("PRIVATE-TOKEN", &self.token);
        if !known.is_empty() {
            request = request.header(BOOKMARK, known);
        }
        if let Some(key) = terms.key {
            request = request.header("Idempotency-Key", key);
        }
        let mut response = if let Some(body) = body {
            let kind = match body.bytes {
                Content::Json(_) => "application/json",
                Content::Objects(_) => "application/octet-stream",
                Content::Stream { kind, .. } => kind,
            };
            request = request.header("Content-Type", kind);
            if body.gzip {
                request = request.header("Content-Encoding", "gzip");
            }
            // the system buffers the body, so the upload may go on while ureq waits for the answer
            let time = SILENCE + Duration::from_secs(body.bytes.size() / u64::from(SLOWEST));
            match &body.bytes {
                Content::Json(bytes) => self.send(request.body(&**bytes)?, time, terms)?,
                Content::Objects(bytes) => self.send(request.body(*bytes)?, time, terms)?,
                Content::Stream { open, sent, .. } => {
                    sent.set(0);
                    let from = open().map_err(|error| ureq::Error::Io(std::io::Error::other(error.to_string())))?;
                    let mut from = Counted { from, count: sent };
                    self.send(request.body(SendBody::from_reader(&mut from))?, time, terms)?
                }
            }
        } else {
            let request = self.agent.configure_request(request.body(())?).timeout_recv_response(Some(SILENCE));
            let body = self.pace.as_ref().map(|_| 2 * PATIENCE);
            self.agent.run(request.timeout_recv_body(body).timeout_global(terms.left()).build())?
        };
        let header = |name: &str| response.headers().get(name)?.to_str().ok();
        let number = |name: &str| header(name)?.trim().parse::<u64>().ok();
        let (next_page, total) = (number("X-Next-Page"), number("X-Total"));
        let status = response.status().as_u16();
        let mut after = number("Retry-After");
        if let Some(pace) = &self.pace {
            let reset = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"].map(number);
            after = pace.heed(status, after, reset);
        }
        let newest = header(BOOKMARK).unwrap_or_default().to_owned();
        let link = header("Link").unwrap_or_default().to_owned();
        let is_json = header("Content-Type").is_some_and(|kind| kind.starts_with("application/json"));
        let longest = if self.pace.is_some() { LONGEST_WAIT } else { 3 * LONGEST_PAUSE };
        let after = after.map(|seconds| Duration::from_secs(seconds).min(longest));
        let body = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        if let Some(pace) = &self.pace {
            pace.receive(body.len() as u64);
        }
        Ok((Answer { status, body, link, after, next_page, total, is_json }, newest))
    }

    fn send(
        &self,
        request: ureq::http::Request<impl AsSendBody>,
        time: Duration,
        terms: Terms<'_>,
    ) -> std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.configure_request(request).timeout_send_body(Some(time));
        self.agent.run(request.timeout_recv_response(Some(time)).timeout_global(terms.left()).build())
    }

    fn unreachable(&self, reason: &str) -> Error {
        Error::Server(format!("{} cannot be reached: {reason}; check its address and that it is running", self.project))
    }
}

/// Retrying does not help with these. ureq reports an untrusted certificate as InvalidData.
fn is_permanent(error: &ureq::Error) -> bool {
    use ureq::Error as E;
    match error {
        E::Io(error) => error.kind() == std::io::ErrorKind::InvalidData,
        E::BadUri(_) | E::Http(_) | E::InvalidProxyUrl | E::Tls(_) => true,
        #[cfg(feature = "tls")]
        E::Rustls(_) => true,
        _ => false,
    }
}
