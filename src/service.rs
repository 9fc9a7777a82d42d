//! Answers one request: parameters, rate limits, the route, and the headers of every answer.

use crate::areas::addresses;
use crate::areas::health::Probe;
use crate::areas::hooks::outbox::{self, DeliveryCounts, Run};
use crate::areas::retention::{self, SweepCounts};
use crate::areas::sessions::access;
use crate::areas::words::indexing::{self, IndexCounts};
use crate::dispatch::Arrival;
use crate::hints;
use crate::kernel::call::throttle;
use crate::kernel::call::{Call, RequestFacts};
use crate::kernel::config::{Config, CostHeader};
use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::etag;
use crate::kernel::http::{Reply, Request};
use crate::kernel::params::sent;
use crate::kernel::store::{Backend, Cost, Failure, Store};
use crate::replica;
use edgeforge_wire::text::hex;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Milliseconds since 1970.
    pub now: i64,
    /// From a cryptographic source.
    pub random: [u8; 32],
}

/// The log record of a request. It holds no token, no parameter's value and no body.
#[derive(Debug, Clone, Serialize)]
pub struct Record {
    pub request_id: String,
    pub method: String,
    /// The route's pattern, or `-`.
    pub route: &'static str,
    /// As sent, without the query, cut to `LOGGED_PATH` characters.
    pub path: String,
    pub unread: Vec<String>,
    pub status: u16,
    pub caller_id: Option<i64>,
    /// The owner of the token if `SUDO` names another user, even if that is refused.
    pub actor_id: Option<i64>,
    /// Of the JWT that the request came by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jwt: Option<Value>,
    #[serde(flatten)]
    pub cost: Cost,
    pub bytes: usize,
    /// Whether there may be something to send to hooks: then call [`Service::deliver`].
    pub has_events: bool,
    /// The cause of a 500 or 503, or a fault that an operator should mend.
    pub cause: Option<String>,
}

pub struct Service<B> {
    pub backend: B,
    pub config: Config,
}

impl<B: Backend> Service<B> {
    fn store(&self, jitter: u8) -> Store<'_> {
        Store::new(&self.backend, jitter)
    }

    /// Never fails: errors become answers.
    pub async fn respond(&self, arrival: &Arrival, moment: Moment) -> (Reply, Record) {
        let (request, route) = (&arrival.request, arrival.route());
        let dialect = Dialect::of(&request.path, self.config.profile).map_or_else(Dialect::default, |(it, _)| it);
        let (token_part, id_part) = moment.random.split_at(16);
        // a byte that no new token uses: those are made from the first fifteen
        let jitter = token_part.last().copied().unwrap_or_default();
        let params = sent::read_params(request, route.content, dialect, moment.now).map(|params| params.of(dialect));
        let (store, facts) = (self.store(jitter), RequestFacts::default());
        let call = Call {
            config: &self.config,
            dialect,
            request,
            route,
            store: &store,
            params,
            sent: None,
            now: moment.now,
            random: token_part.try_into().unwrap_or_default(),
            gate: Default::default(),
            facts: &facts,
        };
        let probe = Probe::of(&request.method, &request.path);
        let outcome = match (&probe, &self.config.fault) {
            (Some(probe), _) => Ok(probe.answer(&call).await),
            (None, None) => limited(&call, arrival).await,
            (None, Some(fault)) => Err(Error::Internal(fault.clone())),
        };
        let (reply, cause) = match outcome.map_err(|error| hidden(error, &arrival.sent)) {
            Ok(reply) => {
                let is_doubtful = request.method == "POST" && reply.status == 200 && dialect.created() == 200;
                let reply =
                    if is_doubtful && !route.is_push { reply.with("X-Hint", hints::NOT_CREATED) } else { reply };
                (reply, call.complaint.take())
            }
            Err(error) => {
                let error = call.with_quota(error);
                let hint = call.hint.take().or_else(|| hints::of_error(&error, &call).map(Into::into));
                (
                    call.without_ended_session(error.reply(dialect, hint.as_deref(), route.repeats_errors)),
                    error.into_cause().or_else(|| call.complaint.take()),
                )
            }
        };
        let reply = replica::marked(etag::tagged(reply, request, call.caller_id.get()), &call);
        let unread = unread(&call, arrival, &reply);
        let reply = if unread.is_empty() { reply } else { reply.with("X-Unread-Parameters", unread.join(", ")) };
        call.note_use(&self.store(jitter)).await;
        let cost = call.store.cost();
        let request_id = hex(id_part);
        let shows_cost = self.config.cost_header == CostHeader::Everyone || call.is_administrator.get();
        let reply = finish(reply, request, shows_cost.then_some(cost), &request_id);
        let record = Record {
            request_id,
            method: request.method.clone(),
            route: if probe.is_some() { "probe" } else { route.pattern },
            path: arrival.sent.chars().take(LOGGED_PATH).collect(),
            unread,
            status: reply.status,
            caller_id: call.caller_id.get(),
            actor_id: call.actor_id.get(),
            jwt: call.proof.take().map(|proof| proof.claims),
            cost,
            has_events: call.store.has_events(),
            bytes: reply.stream.as_ref().map_or(reply.body.len(), |(_, bytes)| *bytes),
            cause,
        };
        (reply, record)
    }

    /// Deletes expired data, as much as one run may. An interrupted run is safe: the next one continues.
    pub async fn sweep(&self, now: i64) -> std::result::Result<SweepCounts, Failure> {
        let Config { retention, external_url, .. } = &self.config;
        retention::sweep(&self.store(0), *retention, external_url.trim_end_matches('/'), now).await
    }

    /// Puts issues into the index of words, as many as one run may.
    pub async fn index(&self) -> std::result::Result<IndexCounts, Failure> {
        indexing::run(&self.store(0)).await
    }

    /// Sends due deliveries to hooks. An interrupted run is safe: deliveries that it had begun are sent again.
    pub async fn deliver(&self, moment: Moment, run: Run) -> std::result::Result<DeliveryCounts, Failure> {
        let (random, _) = moment.random.split_at(16);
        let random = random.try_into().unwrap_or_default();
        outbox::run(&self.store(0), &self.config, (moment.now, random), run).await
    }
}

async fn limited(call: &Call<'_>, arrival: &Arrival) -> Result<Reply> {
    let outcome = match throttle::enter(call).await? {
        None => replica::answer(call, arrival).await,
        Some(visitor) => {
            let outcome = replica::answer(call, arrival).await;
            throttle::leave(call, visitor, outcome).await
        }
    };
    access::shown(call, outcome)
}

/// Turns 403 into 404 for a file at the address of a page.
fn hidden(error: Error, path: &str) -> Error {
    let is_hidden = error == Error::FORBIDDEN && addresses::is_of_file(path);
    if is_hidden { Error::missing("Project") } else { error }
}

/// Characters.
const LOGGED_PATH: usize = 200;

/// Up to ten parameters that a request sent and the endpoint does not read, unless it is refused for something else than
/// its parameters.
fn unread(call: &Call<'_>, arrival: &Arrival, reply: &Reply) -> Vec<String> {
    const MOST: usize = 10;
    let Ok(params) = &call.params else { return Vec::new() };
    let repeated = &arrival.route().repeated(arrival.segments.as_deref().unwrap_or_default());
    let mut names = match reply.status {
        _ if call.request.method == "OPTIONS" => return Vec::new(),
        200..400 => params.unread(repeated),
        // a gate that is not open
        409 if call.reads() => params.unread(repeated),
        400 | 422 => params.unread_by_refusal(repeated),
        _ => return Vec::new(),
    };
    let of_body = sent::passed_over(call.request, call.dialect).unread(&[]);
    names.extend(of_body.into_iter().map(|name| format!("body:{name}")));
    names.into_iter().take(MOST).collect()
}

const EXPOSED: &str = "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Request-Id, X-Unread-Parameters, X-Hint, X-Access-Level, X-Archived, X-Names-Not-For-Windows, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed, X-D1-Bookmark, Server-Timing, Content-Disposition, Content-Range, Location, X-Checksum-SHA256, X-Gitlab-File-Name, X-Gitlab-File-Path, X-Gitlab-Size, X-Gitlab-Encoding, X-Gitlab-Content-Sha256, X-Gitlab-Ref, X-Gitlab-Blob-Id, X-Gitlab-Commit-Id, X-Gitlab-Last-Commit-Id, X-Gitlab-Execute-Filemode";

/// Adds the headers of every answer. `cost`: None if the caller may not see it.
fn finish(mut reply: Reply, request: &Request, cost: Option<Cost>, request_id: &str) -> Reply {
    if reply.header("Cache-Control").is_none() {
        // only the caller may store the answer, and must validate it before each use
        let tagged = reply.header("ETag").is_some();
        let kept = if tagged { "private, no-cache" } else { "private, no-store" };
        reply = reply.with("Cache-Control", kept).with("Vary", etag::VARY);
    }
    if request.method == "HEAD" {
        reply.body.clear();
    }
    if let Some(Cost { trips, rows_read, rows_counted, rows_written, millis, work }) = cost {
        let micros = (millis * 1000.0).round() as u64;
        let timing = format!(
            "d1;dur={}.{:03}, trips;desc=\"{trips}\", rows_read;desc=\"{rows_read}\", rows_counted;desc=\"{rows_counted}\", rows_written;desc=\"{rows_written}\", work;dur={work:.3}",
            micros / 1000,
            micros % 1000
        );
        reply = reply.with("Server-Timing", timing);
    }
    // browsers ignore it over http
    reply
        .with("Strict-Transport-Security", "max-age=31536000")
        .with("X-Request-Id", request_id)
        .with("X-Content-Type-Options", "nosniff")
        .with("Access-Control-Allow-Origin", "*")
        .with("Access-Control-Expose-Headers", EXPOSED)
}
