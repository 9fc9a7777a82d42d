//! The server: its three mirror endpoints, and reading back commits. Requests are tried again with patience.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::Agent;

use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::segment;

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The first pause before trying again; each next one is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// Even a million refs fit.
const LONGEST_ANSWER: u64 = 256 * 1024 * 1024;

/// The refs that the server has.
#[derive(Debug, Deserialize)]
pub struct Remote {
    pub default_branch: Option<String>,
    pub refs: Vec<RemoteRef>,
}

/// One of them; tags are peeled.
#[derive(Debug, Deserialize)]
pub struct RemoteRef {
    pub name: String,
    pub sha: String,
    /// An annotated tag's own hash.
    #[serde(default)]
    pub tag_sha: Option<String>,
}

impl Remote {
    /// The commits that they point at.
    pub fn commits(&self) -> BTreeSet<&str> {
        self.refs.iter().map(|remote| remote.sha.as_str()).collect()
    }
}

/// A change of one ref.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RefChange {
    pub name: String,
    pub old: Option<String>,
    pub new: Option<String>,
    /// An annotated tag's own hash and message.
    pub tag_sha: Option<String>,
    pub message: Option<String>,
    /// Does `new` not contain `old`?
    pub forced: bool,
}

/// Changes that are made together or not at all.
#[derive(Debug, Serialize)]
pub struct Swap<'a> {
    pub default_branch: Option<&'a str>,
    pub changes: &'a [RefChange],
}

/// What the server says to a write.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    Done,
    /// Not as things are: an unknown parent, or a ref that has moved.
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
    console: &'a Console,
}

impl<'a> Server<'a> {
    /// A server at `address`, that is everything before `/api/v3`.
    pub fn new(address: &str, project: &str, token: String, retries: u32, console: &'a Console) -> Self {
        let address = address.trim_end_matches('/').trim_end_matches("/api/v3");
        let agent = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // the token is for this server alone
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections_per_host(16)
            .user_agent(concat!("edgeforge-mirror/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let project = format!("{address}/api/v3/projects/{}", segment(project));
        Server { agent, project, token, gzip: true, retries, console }
    }

    /// Sends commits gzipped, or as they are.
    pub fn with_gzip(self, gzip: bool) -> Self {
        Server { gzip, ..self }
    }

    /// The refs that the server has.
    pub fn refs(&self) -> Result<Remote> {
        let answer = self.request("GET", "/mirror", None)?;
        if answer.status != 200 {
            return Err(self.refusal(&answer));
        }
        serde_json::from_slice(&answer.body)
            .map_err(|error| Error::Server(format!("the server's list of refs is not understood: {error}")))
    }

    /// Sends a batch of commits, a finished JSON text.
    pub fn send_commits(&self, body: &[u8]) -> Result<Verdict> {
        let answer = self.request("POST", "/mirror/commits", Some(&self.packed(body)?))?;
        self.verdict(&answer, 400)
    }

    /// Swaps refs, if all of them are as expected.
    pub fn swap_refs(&self, swap: &Swap<'_>) -> Result<Verdict> {
        let body = serde_json::to_vec(swap).map_err(|error| Error::Server(error.to_string()))?;
        let body = Body { bytes: body.into(), gzip: false };
        let answer = self.request("PUT", "/mirror/refs", Some(&body))?;
        self.verdict(&answer, 409)
    }

    /// Reads something of the repository back; nothing if it is not there.
    pub fn read(&self, path: &str) -> Result<Option<Value>> {
        let answer = self.request("GET", &format!("/repository/{path}"), None)?;
        match answer.status {
            404 => Ok(None),
            200 => serde_json::from_slice(&answer.body)
                .map(Some)
                .map_err(|error| Error::Server(format!("the server's answer is not understood: {error}"))),
            _ => Err(self.refusal(&answer)),
        }
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

    fn verdict(&self, answer: &Answer, refused: u16) -> Result<Verdict> {
        match answer.status {
            200 | 201 => Ok(Verdict::Done),
            status if status == refused => Ok(Verdict::Refused(answer.message())),
            _ => Err(self.refusal(answer)),
        }
    }

    /// One request, tried again while there is hope that it helps.
    fn request(&self, method: &str, path: &str, body: Option<&Body<'_>>) -> Result<Answer> {
        let mut attempt = 0;
        loop {
            let (reason, after) = match self.once(method, path, body) {
                Ok((answer, after)) if matches!(answer.status, 408 | 429 | 500..=599) => {
                    (format!("{} {}", answer.status, answer.message()), after)
                }
                Ok((answer, _)) => {
                    self.console.detail(&format!("{method} {path}: {}", answer.status));
                    return Ok(answer);
                }
                Err(error) if lasting(&error) => return Err(self.unreachable(&error.to_string())),
                Err(error) => (error.to_string(), None),
            };
            if attempt >= self.retries {
                return Err(self.unreachable(&reason));
            }
            let pause =
                after.unwrap_or_else(|| (FIRST_PAUSE * 2_u32.pow(attempt.min(10))).min(LONGEST_PAUSE));
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

    fn once(
        &self,
        method: &str,
        path: &str,
        body: Option<&Body<'_>>,
    ) -> std::result::Result<(Answer, Option<Duration>), ureq::Error> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.project))
            .header("PRIVATE-TOKEN", &self.token);
        let mut response = if let Some(body) = body {
            request = request.header("Content-Type", "application/json");
            if body.gzip {
                request = request.header("Content-Encoding", "gzip");
            }
            self.agent.run(request.body(&*body.bytes)?)?
        } else {
            self.agent.run(request.body(())?)?
        };
        let after = response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
        let after = after.map(|seconds: u64| Duration::from_secs(seconds).min(3 * LONGEST_PAUSE));
        let body = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        Ok((Answer { status: response.status().as_u16(), body }, after))
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
        let message = answer.message();
        let hint = match answer.status {
            300..=399 => "it redirects; give the address that it redirects to",
            401 => "the token is not valid",
            403 => "the token may not do this; master access is needed",
            404 => "there is no such project, or the token may not see it",
            _ => return Error::Server(format!("{} answers {} {message}", self.project, answer.status)),
        };
        Error::Server(format!("{} answers {} {message}: {hint}", self.project, answer.status))
    }
}

impl Answer {
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

/// Errors that another attempt does not mend.
fn lasting(error: &ureq::Error) -> bool {
    use ureq::Error as E;
    matches!(error, E::BadUri(_) | E::Http(_) | E::InvalidProxyUrl | E::Tls(_) | E::Rustls(_))
}
