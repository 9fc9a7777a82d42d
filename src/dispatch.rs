//! Finds the route of a request before its body is read, and answers the request. Paths are split before they are
//! decoded: `NAMESPACE%2FPROJECT` is one segment.

use crate::areas::sessions::access;
use crate::areas::{addresses, feeds};
use crate::hints::{APIS, Api, hint, of_verb};
use crate::kernel::call::{Call, Gate};
use crate::kernel::dialect::{Dialect, Profile};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::{Reply, Request};
use crate::kernel::params::parsing::decode;
use crate::kernel::policy;
use crate::kernel::route::{Ending, Route};
use crate::routes::{Line, v3, v4};

/// A request and its route. The host reads the body as the route says.
pub struct Arrival {
    /// The request, with an address of the API.
    pub request: Request,
    /// The path as it was sent.
    pub(crate) sent: String,
    /// The segments of the path below the base, decoded.
    pub(crate) segments: Result<Vec<String>>,
    /// The routes of the path, one for each verb.
    of_path: Vec<&'static Line>,
}

impl Arrival {
    pub fn of(sent: Request) -> Arrival {
        let path = sent.path.clone();
        let request = routed(sent);
        let mut segments = segments(&request.path);
        let of_path = match (&mut segments, Dialect::of(&request.path, Profile::default())) {
            (Ok(segments), Some((dialect, _))) => of_path(dialect, segments),
            _ => Vec::new(),
        };
        Arrival { request, sent: path, segments, of_path }
    }

    fn line(&self) -> Option<&'static Line> {
        let verb = if self.request.method == "HEAD" { "GET" } else { self.request.method.as_str() };
        self.of_path.iter().find(|line| line.route.verb == verb).copied()
    }

    pub fn route(&self) -> &'static Route {
        self.line().map_or(&Route::NONE, |line| &line.route)
    }
}

/// Rewrites an address of a page or a feed to that of a route.
fn routed(sent: Request) -> Request {
    if let Some(feed) = feeds::request_in_api(&sent) {
        return feed;
    }
    match addresses::in_api(&sent.path, &sent.query) {
        // outside of the API there are only reads
        Some(_) if sent.method == "DELETE" && !sent.path.starts_with("/api/") => sent,
        Some((path, query)) => Request { path, query, ..sent },
        None => sent,
    }
}

fn segments(path: &str) -> Result<Vec<String>> {
    let unknown = || Error::Framework(404, "404 Not Found".to_owned());
    let (_, below) = Dialect::of(path, Profile::default()).ok_or_else(unknown)?;
    let segments = below.split('/').filter(|segment| !segment.is_empty());
    let segments: Vec<String> = segments.map(|segment| decode(segment, false)).collect::<Result<_>>()?;
    // names contain no NUL, and binds must not
    if segments.iter().any(|segment| segment.contains('\0')) { Err(unknown()) } else { Ok(segments) }
}

/// The routes of the path: those with the pattern that fits first. Cuts `.json` off its end, unless the route keeps it.
fn of_path(dialect: Dialect, segments: &mut [String]) -> Vec<&'static Line> {
    let mut path: Vec<&str> = segments.iter().map(String::as_str).collect();
    let cut = path.last().and_then(|last| last.strip_suffix(".json")).filter(|cut| !cut.is_empty());
    if let (Some(last), Some(cut)) = (path.last_mut(), cut) {
        *last = cut;
    }
    let mut fitting = table(dialect).iter().filter(|line| line.route.fits(&path));
    let Some(first) = fitting.next() else { return Vec::new() };
    let is_of_path = |line: &&Line| line.route.pattern == first.route.pattern;
    let of_path = [first].into_iter().chain(fitting.filter(is_of_path)).collect();
    let is_hash = |name: &str| name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let keeps = match first.route.ending {
        Ending::Format => false,
        Ending::Name => true,
        Ending::Commit => !cut.is_some_and(is_hash),
    };
    let cut = cut.filter(|_| !keeps).map(str::to_owned);
    if let (Some(last), Some(cut)) = (segments.last_mut(), cut) {
        *last = cut;
    }
    of_path
}

pub fn table(dialect: Dialect) -> &'static [Line] {
    match dialect {
        Dialect::V3(_) => v3::ROUTES,
        Dialect::V4 => v4::ROUTES,
    }
}

pub async fn answer(call: &Call<'_>, arrival: &Arrival) -> Result<Reply> {
    if access::is_asked(call.request) {
        return access::enter(call).await;
    }
    if arrival.segments.is_err() && arrival.request.path.starts_with("/api/") {
        call.hint(APIS);
    }
    let segments = arrival.segments.as_ref().map_err(Error::clone)?;
    let path: Vec<&str> = segments.iter().map(String::as_str).collect();
    if let Some(line) = arrival.line() {
        call.refuse_forged()?;
        let named = path.get(1).copied().unwrap_or_default().to_owned();
        let action = line.route.actions.first().copied();
        let is_change = !call.reads() && !action.is_some_and(policy::changes_archived);
        call.arrive(Gate { place: line.route.place, named, action, is_change });
        let reply = (line.answer)(call, &path).await?;
        return call.streaming(reply).await;
    }
    let verbs: Vec<&str> = arrival.of_path.iter().map(|line| line.route.verb).collect();
    match call.request.method.as_str() {
        _ if verbs.is_empty() => {
            let [v3, v4] = [("/api/v3", v3::ROUTES), ("/api/v4", v4::ROUTES)].map(|(path, lines)| Api { path, lines });
            call.hint(if call.dialect == Dialect::V4 { hint(&path, &v4, &v3) } else { hint(&path, &v3, &v4) });
            Err(Error::Framework(404, "404 Not Found".to_owned()))
        }
        "OPTIONS" => Ok(preflight(&verbs, call.request.header("access-control-request-headers"))),
        _ => {
            call.hint(of_verb(&path, &allowed(&verbs)));
            Err(Error::NotAllowed(allowed(&verbs)))
        }
    }
}

fn allowed(verbs: &[&str]) -> String {
    let head: &[&str] = if verbs.contains(&"GET") { &["HEAD"] } else { &[] };
    [&["OPTIONS"], verbs, head].concat().join(", ")
}

/// The most bytes of `Access-Control-Request-Headers`.
const LONGEST_NAMES: usize = 1000;

/// Allows all headers that a browser requests but the one that pages of this server send beside their cookie (behaviour
/// 2.4): then a request has no credentials but those that the page sets itself.
fn preflight(verbs: &[&str], asked: Option<&str>) -> Reply {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_, ".contains(&byte);
    let asked = asked.filter(|names| names.len() <= LONGEST_NAMES && names.bytes().all(is_part)).map(|names| {
        let others = names.split(',').filter(|name| !name.trim().eq_ignore_ascii_case("x-edgeforge-page"));
        others.collect::<Vec<_>>().join(",")
    });
    Reply::empty(204)
        .with("Allow", allowed(verbs))
        .with("Access-Control-Allow-Methods", allowed(verbs))
        .with(
            "Access-Control-Allow-Headers",
            asked.filter(|names| !names.trim().is_empty()).unwrap_or_else(|| {
                "PRIVATE-TOKEN, SUDO, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Unmodified-Since, X-D1-Bookmark".to_owned()
            }),
        )
        .with("Access-Control-Max-Age", "7200")
}
