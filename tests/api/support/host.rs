//! The two hosts of the suite: the service in this process on SQLite, or a Worker over HTTP.

use super::asked::{self, Asked};
use super::documents;
use super::objects::Bucket;
use super::people::Cast;
use super::sqlite::Sqlite;
use super::{templates, wire};
use edgeforge::IndexCounts;
use edgeforge::http::{Body, Content, NoPiece, Pieces, Request, Source};
use edgeforge::policy::Action;
use edgeforge::quota::Quotas;
use edgeforge::rate::Rates;
use edgeforge::retention::SweepCounts;
use edgeforge::route::Route;
use edgeforge::store::{Failure, Statement};
use edgeforge::{
    Arrival, Config, CostHeader, DeliveryCounts, Issuers, Moment, Profile, Record, Run, Service, token_hash,
};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::rc::Rc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// A server with one profile.
pub struct Server {
    host: Host,
    /// Scheme and host, no trailing slash.
    pub origin: String,
    pub profile: Profile,
    pub admin_token: String,
    pub(super) cast: OnceLock<Cast>,
    /// The time of every request in milliseconds since 1970; 0: the current time.
    clock: AtomicI64,
    /// What the test that has the server asks, if it would ask it over HTTP, too.
    asked: Mutex<Weak<Asked>>,
    /// What happens while the next body that is read late arrives.
    meanwhile: Mutex<Option<Meanwhile>>,
}

type Meanwhile = Box<dyn FnOnce() + Send>;

enum Host {
    InProcess(Box<Service<Sqlite>>),
    /// `host:port`
    Http(String),
}

pub fn spec() -> &'static Server {
    thread_local!(static SPEC: Lent = Lent::new(Profile::Spec, "EDGEFORGE_URL"));
    SPEC.with(|lent| lent.0)
}

pub fn gitlab() -> &'static Server {
    thread_local!(static GITLAB: Lent = Lent::new(Profile::Gitlab, "EDGEFORGE_GITLAB_URL"));
    GITLAB.with(|lent| lent.0)
}

/// A server that the test of this thread has for itself until it ends, so that no test waits for another's statements.
/// The next test has it with all that it has compiled and stored. Threads of one test share the servers that they are given.
struct Lent(&'static Server);

static FREE: Mutex<Vec<&'static Server>> = Mutex::new(Vec::new());

impl Lent {
    fn new(profile: Profile, variable: &str) -> Lent {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = free.iter().rposition(|server| server.profile == profile).map(|at| free.remove(at));
        drop(free);
        let server = known.unwrap_or_else(|| Box::leak(Box::new(Server::start(profile, variable))));
        server.is_asked_here();
        Lent(server)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// A server that one test at a time uses, so that it may change settings. Only administrators get the cost of a
/// request, as in a deployment; on the other servers everyone does.
pub struct Apart {
    pub server: &'static Server,
    _turn: Option<MutexGuard<'static, ()>>,
}

/// In-process a new server; over HTTP a shared one behind a lock, with its settings reset.
pub fn apart() -> Apart {
    static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start(Profile::Spec, "EDGEFORGE_APART_URL"));
    static TURN: Mutex<()> = Mutex::new(());
    if spec().is_here() {
        let mut server = Server::in_process(Profile::Spec, templates::blobs(), CostHeader::Administrators);
        if let Host::InProcess(service) = &mut server.host {
            service.config.access = Some(documents::access());
        }
        server.is_asked_here();
        return Apart { server: Box::leak(Box::new(server)), _turn: None };
    }
    // a poisoned lock is fine: the settings are reset
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    SERVER.put("/application/settings").by(&SERVER.root()).json(default_settings()).gives(200);
    Apart { server: &SERVER, _turn: Some(turn) }
}

/// In-process a new server, whose figures do not depend on other tests; over HTTP the shared one.
pub fn alone() -> &'static Server {
    if !spec().is_here() {
        return spec();
    }
    let server = Server::own(templates::blobs());
    server.is_asked_here();
    server
}

pub fn default_settings() -> Value {
    json!({
        "default_projects_limit": 10, "signup_enabled": true, "signin_enabled": true, "avatar_enabled": true,
        "sign_in_text": null, "home_page_url": null, "default_branch_protection": 2,
        "restricted_visibility_levels": [], "max_attachment_size": 10, "session_expire_delay": 10080,
        "default_project_visibility": 0, "default_snippet_visibility": 0, "domain_whitelist": null,
        "domain_blacklist_enabled": false, "domain_blacklist": [], "user_oauth_applications": true,
        "after_sign_out_path": null, "container_registry_token_expire_delay": 5,
        "repository_storage": "default", "enabled_git_access_protocol": null,
    })
}

/// The bytes of an exchange; `Ask::send` converts them to an `Answer`.
pub struct Raw {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The same, also if it is not UTF-8.
    pub bytes: Vec<u8>,
    /// The server's log entry, in-process only.
    pub record: Option<Record>,
}

impl Server {
    fn start(profile: Profile, variable: &str) -> Server {
        if std::env::var("EDGEFORGE_URL").is_ok() {
            let text =
                |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; scripts/test sets it"));
            let origin = text(variable).trim_end_matches('/').to_owned();
            let address = origin.strip_prefix("http://").expect("an http:// address").to_owned();
            let admin_token = text("EDGEFORGE_ADMIN_TOKEN");
            let (host, cast, clock) = (Host::Http(address), OnceLock::new(), AtomicI64::new(0));
            let (asked, meanwhile) = (Mutex::default(), Mutex::default());
            return Server { host, origin, profile, admin_token, cast, clock, asked, meanwhile };
        }
        let server = Server::in_process(profile, templates::blobs(), CostHeader::Everyone);
        // one of the two servers stores long diffs in the database
        if profile == Profile::Spec { server.with_bucket() } else { server }
    }

    /// The server with an object store for long diffs.
    fn with_bucket(mut self) -> Server {
        if let Host::InProcess(service) = &mut self.host {
            service.backend.bucket = Some(Bucket::default());
        }
        self
    }

    /// A server for one test with an object store for long diffs, and a fixed clock.
    pub fn with_objects(change: impl FnOnce(&mut Config)) -> &'static Server {
        let mut server = Server::in_process(Profile::Spec, templates::blobs(), CostHeader::Everyone).with_bucket();
        if let Host::InProcess(service) = &mut server.host {
            change(&mut service.config);
        }
        server.turn_to(now());
        Box::leak(Box::new(server))
    }

    /// The object store of a server in this process.
    pub fn bucket(&self) -> &Bucket {
        self.database().bucket.as_ref().expect("the server has no bucket")
    }

    fn in_process(profile: Profile, blobs: BTreeMap<String, String>, cost_header: CostHeader) -> Server {
        let admin_token = "root's secret, as the Worker has it".to_owned();
        // one of the two has addresses of a git server
        let of_gitlab = |form: &str| if profile == Profile::Gitlab { form.to_owned() } else { String::new() };
        let config = Config {
            profile,
            git_http_url: of_gitlab("https://git.example.com/{path}.git"),
            git_ssh_url: of_gitlab("git@git.example.com:{path}.git"),
            admin_token_hash: Some(token_hash(&admin_token)),
            hooks_key: Some([7; 32]),
            repository_storages: vec!["default".to_owned(), "custom".to_owned()],
            cost_header,
            ci_issuers: Issuers::read(documents::ISSUERS).unwrap(),
            ..Config::default()
        };
        let service = Service { backend: Sqlite::new(blobs), config };
        Server {
            host: Host::InProcess(Box::new(service)),
            origin: "http://edgeforge.test".to_owned(),
            profile,
            admin_token,
            cast: OnceLock::new(),
            clock: AtomicI64::new(0),
            asked: Mutex::default(),
            meanwhile: Mutex::default(),
        }
    }

    /// A server for one test that limits refusals, requests and pushes, with a fixed clock.
    pub fn limited(rates: [u32; 3]) -> &'static Server {
        Server::limited_with(rates, |_| ())
    }

    /// The same with another configuration.
    pub fn limited_with(rates: [u32; 3], change: impl FnOnce(&mut Config)) -> &'static Server {
        let mut server = Server::in_process(Profile::Spec, templates::blobs(), CostHeader::Everyone);
        if let Host::InProcess(service) = &mut server.host {
            change(&mut service.config);
            service.config.rates = Rates(rates);
            service.backend.limit(rates);
        }
        server.turn_to(now());
        Box::leak(Box::new(server))
    }

    /// A server for one test with quotas and a fixed clock.
    pub fn with_quotas(quotas: Quotas) -> &'static Server {
        Server::with(|config| config.quotas = quotas)
    }

    /// A server for one test with another configuration and a fixed clock.
    pub fn with(change: impl FnOnce(&mut Config)) -> &'static Server {
        let mut server = Server::in_process(Profile::Spec, templates::blobs(), CostHeader::Everyone);
        if let Host::InProcess(service) = &mut server.host {
            change(&mut service.config);
        }
        server.turn_to(now());
        Box::leak(Box::new(server))
    }

    /// A server for one test that is reached over https.
    pub fn secure() -> &'static Server {
        let mut server = Server::in_process(Profile::Spec, templates::blobs(), CostHeader::Everyone);
        server.origin = server.origin.replace("http:", "https:");
        Box::leak(Box::new(server))
    }

    /// Runs the Cron trigger at this time.
    pub fn sweep(&self, now: i64) -> Result<SweepCounts, Failure> {
        let Host::InProcess(service) = &self.host else {
            panic!("only a server in this process can sweep: check is_in_process first")
        };
        pollster::block_on(service.sweep(now))
    }

    /// Puts issues into the index of words, as the Cron trigger does.
    pub fn index(&self) -> IndexCounts {
        self.try_to_index().unwrap()
    }

    pub fn try_to_index(&self) -> Result<IndexCounts, Failure> {
        let Host::InProcess(service) = &self.host else {
            panic!("only a server in this process indexes: check is_in_process first")
        };
        pollster::block_on(service.index())
    }

    /// Sends to hooks what is due, as the Cron trigger does.
    pub fn deliver(&self, now: i64) -> DeliveryCounts {
        self.try_to_deliver(now).unwrap()
    }

    pub fn try_to_deliver(&self, now: i64) -> Result<DeliveryCounts, Failure> {
        self.deliver_rounds(now, 100)
    }

    pub fn deliver_rounds(&self, now: i64, rounds: u32) -> Result<DeliveryCounts, Failure> {
        let Host::InProcess(service) = &self.host else {
            panic!("only a server in this process delivers: check is_in_process first")
        };
        pollster::block_on(service.deliver(Moment { now, ..moment() }, Run { rounds, millis: 50_000.0 }))
    }

    /// From now on every request has this time.
    pub fn turn_to(&self, clock: i64) {
        self.clock.store(clock, Ordering::Relaxed);
    }

    /// A server for one test with these license templates, in-process in both hosts.
    pub fn own(blobs: BTreeMap<String, String>) -> &'static Server {
        Box::leak(Box::new(Server::in_process(Profile::Spec, blobs, CostHeader::Everyone)))
    }

    pub fn database(&self) -> &Sqlite {
        let Host::InProcess(service) = &self.host else {
            panic!("only a server in this process has a database to read: check is_in_process first")
        };
        &service.backend
    }

    pub fn has_budget(&self) -> bool {
        matches!(&self.host, Host::InProcess(service) if service.config.spending > 0)
    }

    pub fn is_broken(&self) -> bool {
        self.is_here() && {
            let database = self.database();
            database.is_broken() || database.bucket.as_ref().is_some_and(Bucket::is_broken)
        }
    }

    /// A test asks this before it does what it cannot do over HTTP.
    pub fn is_in_process(&self) -> bool {
        self.differs();
        self.is_here()
    }

    pub(super) fn is_here(&self) -> bool {
        matches!(self.host, Host::InProcess(_))
    }

    /// From now on the requests of the test of this thread count as its own.
    fn is_asked_here(&self) {
        *self.asked() = asked::here();
    }

    fn asked(&self) -> MutexGuard<'_, Weak<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the test may do something else than over HTTP.
    fn differs(&self) {
        if let Some(asked) = self.asked().upgrade() {
            asked.differ();
        }
    }

    /// Runs SQL on the database of a server in this process. Returns false for a server over HTTP.
    pub fn tamper(&self, sql: &str) -> bool {
        self.differs();
        match &self.host {
            Host::InProcess(service) => {
                service.backend.tamper(sql);
                true
            }
            Host::Http(_) => false,
        }
    }

    /// `act` happens while the next body arrives that an endpoint reads after authorization.
    pub fn meanwhile(&self, act: impl FnOnce() + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::new(act));
    }

    /// The rows of one SELECT, each a JSON text, from the database behind a server in this process.
    pub fn rows(&self, sql: &str) -> Vec<Value> {
        let statement = crate::statement!(sql.trim().to_owned());
        let answer = self.database().look(&statement).unwrap_or_else(|failure| panic!("{failure:?}"));
        answer.rows.iter().map(|row| row.parse().unwrap()).collect()
    }

    /// A request outside of the API: status, type and text.
    pub fn outside(&self, method: &str, path: &str) -> (u16, String, String) {
        let raw = self.exchange(method, path, &[], None);
        let kind = raw.headers.into_iter().find(|(name, _)| name == "content-type").map(|(_, kind)| kind);
        (raw.status, kind.unwrap_or_default(), raw.body)
    }

    /// Type and text of a file served beside the Worker; `None` in-process.
    pub fn file(&self, path: &str) -> Option<(String, String)> {
        let Host::Http(_) = &self.host else { return None };
        let raw = self.exchange("GET", path, &[], None);
        assert_eq!(raw.status, 200, "{path}: {}", raw.body);
        let kind = raw.headers.into_iter().find(|(name, _)| name == "content-type").map(|(_, kind)| kind);
        Some((kind.unwrap_or_default(), raw.body))
    }

    /// Status and tag of a file served beside the Worker, requested with `If-None-Match`.
    pub fn file_known(&self, path: &str, tag: &str) -> Option<(u16, Option<String>)> {
        let Host::Http(_) = &self.host else { return None };
        let raw = self.exchange("GET", path, &[("If-None-Match".to_owned(), tag.to_owned())], None);
        let tag = raw.headers.into_iter().find(|(name, _)| name == "etag").map(|(_, tag)| tag);
        Some((raw.status, tag))
    }

    /// One exchange. `target`: path and query as they are sent.
    pub fn exchange(&self, method: &str, target: &str, headers: &[(String, String)], body: Option<&[u8]>) -> Raw {
        let service = match &self.host {
            Host::Http(address) => {
                let (status, headers, body) = wire::exchange(address, method, target, headers, body)
                    .unwrap_or_else(|error| panic!("{method} {target}: {error}"));
                return Raw::new(status, headers, body, None);
            }
            Host::InProcess(service) => service,
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let comes_in_chunks = headers.iter().any(|(name, _)| name == "Transfer-Encoding");
        let mut arrival = Arrival::of(Request {
            method: method.to_owned(),
            origin: self.origin.clone(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: joined(headers),
            body: Body::default(),
        });
        let (route, bytes) = (arrival.route(), body.unwrap_or_default());
        let meanwhile = if route.content.is_read_late() { self.meanwhile.lock().unwrap().take() } else { None };
        arrival.request.body = match (route.content, meanwhile) {
            (Content::Pieces, meanwhile) => pieces(bytes, meanwhile),
            (content, _) if bytes.len() > content.limit() => Body::TooLarge,
            (_, Some(meanwhile)) => unread(bytes, meanwhile),
            _ => Body::Bytes(bytes.to_vec()),
        };
        if route.content == Content::Pieces && !comes_in_chunks {
            arrival.request.headers.push(("content-length".to_owned(), bytes.len().to_string()));
        }
        let moment = match self.clock.load(Ordering::Relaxed) {
            0 => moment(),
            clock => Moment { now: clock, ..moment() },
        };
        edgeforge::policy::ASKED.take();
        let (reply, record) = pollster::block_on(service.respond(&arrival, moment));
        check_actions(route);
        if let Some(asked) = self.asked().upgrade() {
            asked.note(self.profile, method, path, record.route, reply.status);
        }
        let api = path.split('/').nth(2).unwrap_or_default();
        service.backend.note(format!("{api} {method} {}", record.route), record.cost.trips);
        let headers = reply.headers.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        let streamed = reply.stream.map(|(stream, _)| match stream.0.downcast_ref::<String>() {
            Some(text) => text.clone().into_bytes(),
            None => stream.0.downcast_ref::<Vec<u8>>().expect("a stream of this host").clone(),
        });
        Raw::new(reply.status, headers, streamed.unwrap_or(reply.body.into_bytes()), Some(record))
    }
}

impl Raw {
    fn new(status: u16, headers: Vec<(String, String)>, bytes: Vec<u8>, record: Option<Record>) -> Raw {
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Raw { status, headers, body, bytes, record }
    }
}

/// With names in lower case. A runtime joins headers of one name. The tests often set one twice and mean the first, so only
/// assertions of Access are joined.
fn joined(headers: &[(String, String)]) -> Vec<(String, String)> {
    let mut joined: Vec<(String, String)> = Vec::new();
    for (name, value) in headers {
        let name = name.to_lowercase();
        let before = joined.iter_mut().find(|(known, _)| *known == name && name == "cf-access-jwt-assertion");
        match before {
            Some((_, before)) => before.push_str(&format!(", {value}")),
            None => joined.push((name, value.clone())),
        }
    }
    joined
}

/// A body that the endpoint reads as a whole.
fn unread(bytes: &[u8], meanwhile: Meanwhile) -> Body {
    let (bytes, meanwhile) = (bytes.to_vec(), Cell::new(Some(meanwhile)));
    Body::Unread(Source(Rc::new(move || {
        meanwhile.take().into_iter().for_each(|act| act());
        Box::pin(std::future::ready(Body::Bytes(bytes.clone())))
    })))
}

/// Pieces as odd as those of a network.
fn pieces(bytes: &[u8], meanwhile: Option<Meanwhile>) -> Body {
    let (bytes, meanwhile) = (bytes.to_vec(), Cell::new(meanwhile));
    Body::Pieces(Pieces(Rc::new(move || {
        meanwhile.take().into_iter().for_each(|act| act());
        let pieces: Vec<Result<Vec<u8>, NoPiece>> = bytes.chunks(1777).map(|piece| Ok(piece.to_vec())).collect();
        Box::pin(futures_util::stream::iter(pieces))
    })))
}

/// Milliseconds since 1970.
#[allow(clippy::disallowed_types)]
pub fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
}

/// The time of the last request in this process. It is ahead of [`now`] if there is more than one request a
/// millisecond.
static LAST: AtomicI64 = AtomicI64::new(0);

/// At most the time of the next request.
pub fn instant() -> i64 {
    LAST.load(Ordering::Relaxed).max(now())
}

/// Now and fresh random bytes. Each request has a time of its own, as requests over a connection have.
fn moment() -> Moment {
    let now = now();
    let later = |last: i64| (last + 1).max(now);
    let before = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(later(last))).unwrap();
    let mut random = [0; 32];
    random.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random_number().to_le_bytes()));
    Moment { now: later(before), random }
}

pub fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A write asks only for actions that its route names. Those that read decide what the answer shows.
fn check_actions(route: &Route) {
    let asked = edgeforge::policy::ASKED.take();
    if ["GET", Route::NONE.verb].contains(&route.verb) {
        return;
    }
    let is_fine = |action: &Action| format!("{action:?}").starts_with("Read") || route.actions.contains(action);
    let unnamed: Vec<Action> = asked.into_iter().filter(|action| !is_fine(action)).collect();
    assert!(
        unnamed.is_empty(),
        "{} {} asks for {unnamed:?}: name it behind `+` in src/routes/",
        route.verb,
        route.pattern
    );
}
