//! One request and its answer. `send` also checks the properties that every answer must have.

use super::contract::contract_of;
use super::host::{Raw, Server, spec};
use super::people::Person;
use edgeforge::http::Request;
use edgeforge::route::Route;
use edgeforge::{Arrival, Dialect, Profile, Record, inputs};
use serde_json::Value;

/// The only answer type that is not JSON.
const PICTURE: &str = "image/svg+xml";
const FEED: &str = "application/atom+xml";

#[must_use]
pub struct Ask {
    server: &'static Server,
    method: String,
    /// Path below the base, and query, as they are sent.
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Server {
    pub fn ask(&'static self, method: &str, target: impl Into<String>) -> Ask {
        self.ask_of(Dialect::V3(Profile::Spec), method, target)
    }

    pub fn ask_v4(&'static self, method: &str, target: impl Into<String>) -> Ask {
        self.ask_of(Dialect::V4, method, target)
    }

    pub fn ask_of(&'static self, dialect: Dialect, method: &str, target: impl Into<String>) -> Ask {
        self.ask_at(method, format!("{}{}", dialect.base_path(), target.into()))
    }

    /// `target`: the whole path. An answer outside of the API is not validated against a description.
    pub fn ask_at(&'static self, method: &str, target: impl Into<String>) -> Ask {
        let target = target.into();
        Ask { server: self, method: method.to_owned(), target, headers: Vec::new(), body: None }
    }

    pub fn get(&'static self, target: impl Into<String>) -> Ask {
        self.ask("GET", target)
    }

    pub fn post(&'static self, target: impl Into<String>) -> Ask {
        self.ask("POST", target)
    }

    pub fn put(&'static self, target: impl Into<String>) -> Ask {
        self.ask("PUT", target)
    }

    pub fn delete(&'static self, target: impl Into<String>) -> Ask {
        self.ask("DELETE", target)
    }
}

impl Ask {
    /// With the person's token in PRIVATE-TOKEN.
    pub fn by(self, person: &Person) -> Ask {
        let token = person.token.clone();
        self.header("PRIVATE-TOKEN", token)
    }

    /// As a page of this server sends it.
    pub fn by_page(self) -> Ask {
        self.header("Sec-Fetch-Site", "same-origin").header("X-Edgeforge-Page", "1")
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Ask {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a parameter to the query, percent-encoded.
    pub fn query(mut self, name: &str, value: &str) -> Ask {
        self.target.push(if self.target.contains('?') { '&' } else { '?' });
        self.target.push_str(&urlencoded(&[(name, value)]));
        self
    }

    pub fn body(mut self, content_type: &str, bytes: impl Into<Vec<u8>>) -> Ask {
        self.body = Some(bytes.into());
        if content_type.is_empty() { self } else { self.header("Content-Type", content_type) }
    }

    pub fn json(self, value: Value) -> Ask {
        self.body("application/json", value.to_string())
    }

    pub fn form(self, pairs: &[(&str, &str)]) -> Ask {
        let text = urlencoded(pairs);
        self.body("application/x-www-form-urlencoded", text)
    }

    pub fn multipart(self, pairs: &[(&str, &str)]) -> Ask {
        let part = |(name, value): &(&str, &str)| {
            format!("--xXx\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let text: String = pairs.iter().map(part).collect();
        self.body("multipart/form-data; boundary=xXx", text + "--xXx--\r\n")
    }

    pub fn send(self) -> Answer {
        let what = format!("{} {}", self.method, self.target);
        let raw = self.server.exchange(&self.method, &self.target, &self.headers, self.body.as_deref());
        let answer = Answer::from(what, raw);
        let in_chunks = self.headers.iter().any(|(name, _)| name == "Transfer-Encoding");
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let (method, path, query) = (self.method.clone(), path.to_owned(), query.to_owned());
        let arrival = Arrival::of(Request { method, path, query, ..Request::default() });
        // the first JWT of a trust is asked what it may
        let by_jwt = self.headers.iter().any(|(_, value)| value.contains("eyJ"));
        let asked_before = u32::from(self.server.has_budget()) + u32::from(by_jwt);
        answer.check(&self.method, arrival.route(), self.server.is_broken(), asked_before, in_chunks);
        if self.target.starts_with("/api/") {
            contract_of(&self.target).check(&self.method, &self.target, &answer, self.is_readable());
        }
        answer
    }

    /// Sends the request, which succeeds. Returns also what it cost the database: over HTTP the rows that D1
    /// read, and in-process SQLite's instructions, because it counts only the rows that it returns.
    #[track_caller]
    pub fn cost(self) -> (Answer, u64) {
        let server = self.server;
        let steps = || server.is_here().then(|| server.database().take_steps().0);
        steps();
        let answer = self.send();
        assert!(answer.status < 400, "{}: {} {}", answer.what, answer.status, answer.text);
        let cost = steps().unwrap_or_else(|| answer.figure("rows_read").into());
        (answer, cost)
    }

    /// Whether query and body can be parsed. Only then does the server report unknown parameters.
    fn is_readable(&self) -> bool {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        let kind = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let kind = kind.map_or("application/x-www-form-urlencoded", |(_, kind)| kind);
        let body = self.body.as_deref().unwrap_or_default();
        inputs::query(query).is_some() && inputs::body(kind, body).is_some()
    }

    /// Sends the request and requires this status.
    #[track_caller]
    pub fn gives(self, status: u16) -> Answer {
        let answer = self.send();
        answer.has_status(status);
        answer
    }

    /// Sends the request and requires this status and body. `hint` is ignored, and an `error` that repeats `message`.
    #[track_caller]
    pub fn refused(self, status: u16, body: Value) {
        let mut answer = self.gives(status);
        let members = answer.json.as_object_mut().unwrap();
        members.remove("hint");
        if body.get("message").is_some() && body.get("error").is_none() {
            members.remove("error");
        }
        assert_eq!(answer.json, body, "{}", answer.what);
    }
}

pub struct Answer {
    /// Verb and path, for messages.
    pub what: String,
    pub status: u16,
    headers: Vec<(String, String)>,
    /// Null for a picture or without a body.
    pub json: Value,
    pub text: String,
    pub bytes: Vec<u8>,
    pub trips: u32,
    /// The server's log entry, in-process only.
    pub record: Option<Record>,
}

impl Answer {
    fn from(what: String, raw: Raw) -> Answer {
        let Raw { status, headers, body, bytes, record } = raw;
        let is_json = headers.iter().any(|(name, kind)| name == "content-type" && kind == "application/json");
        let json = match body.as_str() {
            _ if !is_json => Value::Null,
            "" => Value::Null,
            // unlike `from_str`, this is compiled in the library, optimized
            text => text.parse().unwrap_or_else(|_| panic!("{what}: the body is not JSON: {text}")),
        };
        let mut answer = Answer { what, status, headers, json, text: body, bytes, trips: 0, record };
        if answer.header("Server-Timing").is_some() {
            answer.trips = answer.figure("trips");
        }
        answer
    }

    /// The cause of a 500, from the log.
    pub fn cause(&self) -> Option<String> {
        self.record.as_ref().and_then(|record| record.cause.clone())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let name = name.to_lowercase();
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// The cookies that it sets, in order.
    pub fn cookies(&self) -> Vec<&str> {
        let set = self.headers.iter().filter(|(name, _)| name == "set-cookie");
        set.map(|(_, value)| value.as_str()).collect()
    }

    /// The path and query that the `next` link leads to, without the path of the API.
    pub fn next(&self) -> Option<String> {
        let link = self.header("Link")?.split(", ").find(|link| link.ends_with("rel=\"next\""))?;
        let address = link.strip_prefix('<').and_then(|link| link.split_once('>')).expect("an address").0;
        let api = if self.what.contains("/api/v4") { "/api/v4" } else { "/api/v3" };
        Some(address.split_once(api).expect("an address of the same API").1.to_owned())
    }

    /// A figure of `Server-Timing`.
    pub fn figure(&self, name: &str) -> u32 {
        let timing = self.header("Server-Timing").unwrap_or_else(|| panic!("{}: no Server-Timing", self.what));
        let entry = timing.split(", ").find_map(|entry| entry.strip_prefix(name)?.strip_prefix(";desc=\""));
        let text = entry.and_then(|text| text.strip_suffix('"'));
        text.and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{}: {name} is missing in {timing}", self.what))
    }

    /// The properties of every answer. `broken`: the database fails at times. `before`: questions about
    /// the token before the request is authorized. `in_chunks`: the length of the body is not announced.
    fn check(&self, method: &str, route: &Route, broken: bool, before: u32, in_chunks: bool) {
        let Answer { what, status, text, .. } = self;
        let may_retry = broken && *status == 503 && self.header("Retry-After").is_some();
        // contents that are not there yet, or never will be
        let is_content = what.contains("/repository/") || what.contains("/mirror/objects") || is_sent(what);
        let is_absent = is_content && [422, 501, 503].contains(status);
        let may_retry = may_retry || (is_absent && (*status != 503 || self.header("Retry-After") == Some("5")));
        assert!(*status < 500 || *status == 507 || may_retry, "{what}: {status} {text} {:?}", self.record);
        assert!(
            self.header("X-Request-Id").is_some_and(|id| id.len() >= 16),
            "{what}: X-Request-Id is missing or has fewer than 16 characters"
        );
        let reads = ["GET", "HEAD", "OPTIONS"].contains(&method);
        let [answered, refused] = route.trips;
        let most = if *status < 400 { answered } else { refused };
        // a list with long rows is queried again, also to refuse a page behind them, and with whole labels a third query
        // fetches these
        let is_behind_long = text.contains("the page before ends early");
        let is_long = reads && (text.len() > 300_000 || is_behind_long || what.contains("with_labels_details=true"));
        // a page with whole labels that was found by its number first reads the page before
        let is_behind = is_long && what.contains("with_labels_details=true") && what.contains("page=");
        // a range of commits first finds its edges, in three queries if they are far
        let is_range = reads && what.contains("ref_name=") && what.contains("..");
        let most = if is_range || is_behind { most.max(4) } else { most.max(1 + u32::from(is_long)) };
        // a change that loses a race reads what the other one wrote
        let most = most + u32::from(*status == 412);
        // of two equal requests at once, one reads the stored answer in a third round trip
        let most = if self.header("Idempotent-Replayed").is_some() { most.max(2) + 1 } else { most };
        let most = most + before;
        // room for each part of a body, and once for more than there is
        let most = most + 5 * u32::from(in_chunks);
        // a broken database doubles the round trips, that third one included
        let most = if broken { 2 * most.max(3) } else { most };
        assert!(
            self.trips <= most,
            "{what}: {status} after {} round trips; @trips or @refused of its route allows {most}",
            self.trips
        );
        // what a read finds to be lost is removed from its row
        // and signing in by Access is a GET, because a browser goes there
        let may_write = reads && (*status >= 400 && refused > 1 || what.contains("/-/access"));
        let read_only = self.header("Server-Timing").is_none() || self.figure("rows_written") == 0;
        assert!(read_only || !reads || may_write, "{what}: a GET, HEAD or OPTIONS request wrote rows; only writes may");
        assert_eq!(self.header("X-Content-Type-Options"), Some("nosniff"), "{what}");
        assert_eq!(self.header("Strict-Transport-Security"), Some("max-age=31536000"), "{what}");
        self.check_caching(method);
        let content_type = self.header("Content-Type");
        match *status {
            204 | 304 => {
                assert_eq!(text, "", "{what}: a {status} must have no body");
                assert_eq!(content_type, None, "{what}: a {status} must have no Content-Type");
            }
            200 if content_type == Some(PICTURE) => {
                assert!(text.is_empty() || text.starts_with("<svg "), "{what}: {text}")
            }
            200 if content_type == Some(FEED) => {
                assert!(text.is_empty() || text.starts_with("<?xml "), "{what}: {text}")
            }
            200 if what.contains("/trace") => {
                assert_eq!(content_type, Some("text/plain; charset=utf-8"), "{what}")
            }
            200 if what.contains("/repository/archive") || what.contains("/-/archive/") => {
                let kinds = ["application/zip", "application/octet-stream"];
                assert!(content_type.is_some_and(|kind| kinds.contains(&kind)), "{what}: {content_type:?}");
                assert_eq!(self.header("Content-Security-Policy"), Some("sandbox; default-src 'none'"), "{what}");
            }
            200 | 206 if serves_file(what) => {
                assert!(content_type.is_some_and(|kind| SHOWN.contains(&kind)), "{what}: {content_type:?}");
                assert_eq!(self.header("Content-Security-Policy"), Some("sandbox; default-src 'none'"), "{what}");
            }
            200 | 206 if is_bytes(what) => {
                let kinds = ["text/plain; charset=utf-8", "application/octet-stream"];
                assert!(content_type.is_some_and(|kind| kinds.contains(&kind)), "{what}: {content_type:?}");
                assert_eq!(self.header("Content-Security-Policy"), Some("sandbox; default-src 'none'"), "{what}");
            }
            _ => assert_eq!(content_type, Some("application/json"), "{what}"),
        }
        if method == "HEAD" {
            assert_eq!(text, "", "{what}: HEAD must have no body");
        } else if *status >= 400 {
            let message = self.json.get("message").or(self.json.get("error"));
            // a gate that is not green has its checks
            let message = message.or(self.json.get("checks").filter(|_| *status == 409));
            assert!(message.is_some(), "{what}: a {status} must have message or error: {text}");
        }
        let link = self.header("Link").unwrap_or_default();
        let token = ["?private_token=", "&private_token=", "?access_token=", "&access_token="]
            .into_iter()
            .find(|name| link.contains(name));
        assert_eq!(token, None, "{what}: Link contains a token: {link}");
    }

    /// Answers to GET have a tag and are not shared between callers. No cache stores other answers.
    fn check_caching(&self, method: &str) {
        let Answer { what, status, .. } = self;
        let kept = self.header("Cache-Control");
        let varies = self.header("Vary").is_some_and(|names| {
            ["PRIVATE-TOKEN", "Authorization", "JOB-TOKEN", "SUDO", "Cookie"].iter().all(|name| names.contains(name))
        });
        let is_read = ["GET", "HEAD"].contains(&method) && matches!(status, 200 | 206 | 304);
        assert_eq!(
            self.header("ETag").is_some(),
            is_read,
            "{what}: {status}, ETag present (left) and expected (right)"
        );
        match (is_read, kept) {
            (true, Some("private, no-store")) if serves_file(what) && what.contains("/uploads/") => {}
            (true, Some("private, no-cache")) | (false, Some("private, no-store")) => {
                assert!(varies, "{what}: Vary does not name the headers of the caller's token");
            }
            (true, Some("public, max-age=60")) => {
                assert!(what.contains("/badges/"), "{what}: only badges may be cached publicly")
            }
            _ => panic!("{what}: {status} with Cache-Control {kept:?}"),
        }
    }

    #[track_caller]
    pub fn has_status(&self, status: u16) {
        assert_eq!(self.status, status, "{}: {}", self.what, self.text);
    }

    pub fn id(&self) -> i64 {
        self.json["id"].as_i64().unwrap_or_else(|| panic!("{}: no id in {}", self.what, self.text))
    }

    /// One field of all elements of a list.
    pub fn each(&self, field: &str) -> Vec<Value> {
        let list =
            self.json.as_array().unwrap_or_else(|| panic!("{}: the body is not a list: {}", self.what, self.text));
        list.iter().map(|element| element[field].clone()).collect()
    }
}

/// Whether the request is about files that people send.
fn is_sent(what: &str) -> bool {
    what.contains("/uploads") || what.contains("/packages") || what.contains("/reports/")
}

/// Whether the answer is an upload or a file of a package.
fn serves_file(what: &str) -> bool {
    let path = what.split('?').next().unwrap_or_default();
    let reads = path.starts_with("GET") || path.starts_with("HEAD");
    reads && (path.contains("/uploads/") || path.contains("/packages/generic/"))
}

/// Types that a browser does not run.
const SHOWN: [&str; 19] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/x-icon",
    "image/webp",
    "video/mp4",
    "video/x-m4v",
    "video/quicktime",
    "video/webm",
    "video/ogg",
    "audio/mpeg",
    "audio/ogg",
    "audio/wav",
    "audio/flac",
    "application/pdf",
    "text/plain; charset=utf-8",
    "application/octet-stream",
];

/// Whether the answer is a file of a repository.
fn is_bytes(what: &str) -> bool {
    let path = what.split('?').next().unwrap_or_default();
    path.contains("/-/raw/")
        || path.contains("/repository/")
            && (path.ends_with("/raw")
                || path.contains("/repository/raw/")
                || path.contains("raw_blobs/")
                || path.ends_with("/blob")
                || (path.contains("/v3/") && path.contains("/blobs/")))
}

/// `name=value` pairs, percent-encoded.
pub fn urlencoded(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The ids on all pages of a list of v3. A page of a search may be short or empty before the last one.
pub fn listed(path: &str, person: &Person) -> Vec<Value> {
    let (mut ids, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(here) = next {
        let page = spec().get(here).by(person).gives(200);
        ids.extend(page.each("id"));
        next = page.next();
        assert!(next.as_ref().is_none_or(|next| next.contains("cursor=")), "{}", page.what);
    }
    ids
}
