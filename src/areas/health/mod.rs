//! Probes for machines, with GitLab's names: `/-/liveness`, `/-/readiness` and `/-/health` (behaviour 5.6).

use crate::areas::licenses;
use crate::kernel::store::{Failure, StoreFuture, UNMIGRATED};
use crate::kernel::{Call, Reply, Row};
use futures_util::future::join3;
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/health/health.sql");

/// Milliseconds for which an answer is reused, so that many probes cost as much as one.
const KEPT: i64 = 1000;

/// Milliseconds until a probe looks again for the answer of the first one.
const PAUSE: u64 = 50;

/// Milliseconds until a part that does not answer counts as failed.
const LONGEST: u64 = 5000;

/// The newest file of migrations/, as wrangler notes it in the database.
const NEWEST: &str = "0039_imports.sql";

const NO_TEMPLATES: &str = "KV has no license templates: run make deploy, or make licenses for a local server";

const NO_TOKEN: &str = "there is no ADMIN_TOKEN, and nobody has a token: run npx wrangler secret put ADMIN_TOKEN, or write it into .dev.vars for a local server";

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probe {
    /// Whether the Worker runs, in a word.
    Health,
    /// Whether the Worker runs.
    Liveness,
    /// Whether the Worker can answer requests: its variables are valid, somebody has a token, D1, KV and R2 answer, and
    /// D1 and KV have their data.
    Readiness,
}

impl Probe {
    pub fn of(method: &str, path: &str) -> Option<Probe> {
        match path {
            _ if !matches!(method, "GET" | "HEAD") => None,
            "/-/health" => Some(Probe::Health),
            "/-/liveness" => Some(Probe::Liveness),
            "/-/readiness" => Some(Probe::Readiness),
            _ => None,
        }
    }

    pub async fn answer(self, call: &Call<'_>) -> Reply {
        match self {
            Probe::Health => Reply::of("text/plain; charset=utf-8", 200, "edgeforge OK\n".to_owned()),
            Probe::Liveness => Reply::json(200, &Check::of(Ok(()))),
            Probe::Readiness => readiness(call).await,
        }
    }
}

#[derive(Serialize)]
struct Check<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> Check<'a> {
    fn of(outcome: Result<(), &'a str>) -> Check<'a> {
        let status = if outcome.is_ok() { "ok" } else { "failed" };
        Check { status, message: outcome.err() }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    status: &'static str,
    config_check: [Check<'a>; 1],
    db_check: [Check<'a>; 1],
    kv_check: [Check<'a>; 1],
    /// If long diffs are in R2.
    #[serde(skip_serializing_if = "Option::is_none")]
    r2_check: Option<[Check<'a>; 1]>,
    /// While the index of words lacks issues. Until then a search may end its pages early.
    #[serde(skip_serializing_if = "Option::is_none")]
    search_check: Option<[Check<'a>; 1]>,
}

async fn readiness(call: &Call<'_>) -> Reply {
    for _ in 0..LONGEST / PAUSE {
        let (mut last, mut is_first) = (None, true);
        call.store.remember(&mut |memory| {
            is_first = call.now >= memory.health.at + KEPT;
            if is_first { memory.health.at = call.now } else { last = memory.health.last.clone() }
        });
        match last {
            Some((status, body)) => return Reply::json_text(status, body),
            None if is_first => break,
            // another one is asking
            None => call.store.pause(PAUSE).await,
        }
    }
    let reply = report(call).await;
    call.store.remember(&mut |memory| memory.health.last = Some((reply.status, reply.body.clone())));
    reply
}

/// The default is that of a database without tables.
#[derive(Row, Default)]
struct State {
    is_migrated: bool,
    has_tokens: bool,
    percent_indexed: Option<i64>,
}

/// Checks D1, KV and R2 at the same time.
async fn report(call: &Call<'_>) -> Reply {
    let store = &call.store;
    let state = async {
        match store.run(sql::state { newest: NEWEST }).await {
            Err(Failure::Unmigrated(_)) => Ok(State::default()),
            rows => Ok(rows?.first::<State>()?.unwrap_or_default()),
        }
    };
    let objects: StoreFuture<'_, Option<()>> = match store.objects() {
        Some(objects) => Box::pin(async move { objects.text("health").await.map(|_| Some(())) }),
        None => Box::pin(std::future::ready(Ok(None))),
    };
    let (state, templates, objects) = join3(
        store.within(LONGEST, Box::pin(state)),
        store.within(LONGEST, store.has_blob(licenses::LISTED)),
        store.within(LONGEST, objects),
    )
    .await;
    let lacks_tokens = call.config.admin_token_hash.is_none() && state.as_ref().is_ok_and(|state| !state.has_tokens);
    let config = match &call.config.fault {
        Some(fault) => Err(fault.as_str()),
        None if lacks_tokens => Err(NO_TOKEN),
        None => Ok(()),
    };
    let percent = state.as_ref().ok().and_then(|state| state.percent_indexed);
    let search = percent.map(|percent| format!("{percent} % of the texts are in the index of words"));
    let database = match state {
        Ok(State { is_migrated: true, .. }) => Ok(()),
        Ok(_) => Err(UNMIGRATED),
        Err(_) => Err("D1 does not answer"),
    };
    let blobs = match templates {
        Ok(true) => Ok(()),
        Ok(false) => Err(NO_TEMPLATES),
        Err(_) => Err("KV does not answer"),
    };
    let objects = objects.map_err(|_| "R2 does not answer").transpose();
    let outcomes = [Some(config), Some(database), Some(blobs), objects];
    let problems: Vec<&str> = outcomes.into_iter().flatten().filter_map(Result::err).collect();
    let is_ready = problems.is_empty();
    if !is_ready {
        call.complain(problems.join("; "));
    }
    let report = Report {
        status: if is_ready { "ok" } else { "failed" },
        config_check: [Check::of(config)],
        db_check: [Check::of(database)],
        kv_check: [Check::of(blobs)],
        r2_check: objects.map(|outcome| [Check::of(outcome)]),
        search_check: search.as_deref().map(|text| [Check { status: "ok", message: Some(text) }]),
    };
    Reply::json(if is_ready { 200 } else { 503 }, &report)
}
