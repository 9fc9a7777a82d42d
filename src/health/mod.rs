//! Probes for machines, with GitLab's names: `/-/liveness`, `/-/readiness` and `/-/health` (behaviour 5.6).

use crate::call::Call;
use crate::http::Reply;
use crate::store::{Failure, Later};
use futures_util::future::join3;
use serde::Serialize;

crate::sql::include_statements!(mod sql: "src/health/health.sql");

/// Milliseconds that an answer is kept, so that many probes cost as much as one.
const KEPT: i64 = 1000;

/// Milliseconds until a part that does not answer counts as failed.
const LONGEST: u64 = 5000;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Probe {
    /// Whether the Worker runs, in a word.
    Health,
    /// Whether the Worker runs.
    Liveness,
    /// Whether it can answer requests: its variables are valid, and D1, KV and R2 answer.
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
struct Check {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl Check {
    fn of(outcome: Result<(), String>) -> Check {
        let status = if outcome.is_ok() { "ok" } else { "failed" };
        Check { status, message: outcome.err() }
    }
}

#[derive(Serialize)]
struct Report {
    status: &'static str,
    config_check: [Check; 1],
    db_check: [Check; 1],
    kv_check: [Check; 1],
    /// If long diffs are in R2.
    #[serde(skip_serializing_if = "Option::is_none")]
    r2_check: Option<[Check; 1]>,
}

async fn readiness(call: &Call<'_>) -> Reply {
    let mut last = None;
    call.store.remember(&mut |memory| {
        let health = &mut memory.health;
        if call.now < health.at + KEPT {
            last = health.last.clone();
        }
        if last.is_none() {
            health.at = call.now;
        }
    });
    if let Some((status, body)) = last {
        return Reply::json_text(status, body);
    }
    let reply = report(call).await;
    call.store.remember(&mut |memory| memory.health.last = Some((reply.status, reply.body.clone())));
    reply
}

/// Asks the three at the same time.
async fn report(call: &Call<'_>) -> Reply {
    let store = &call.store;
    let database = async { store.batch(vec![sql::ping {}.into()]).await.map(|_| ()) };
    let objects: Later<'_, Option<()>> = match store.objects() {
        Some(objects) => Box::pin(async move { objects.text("health").await.map(|_| Some(())) }),
        None => Box::pin(std::future::ready(Ok(None))),
    };
    let (database, blobs, objects) = join3(
        store.within(LONGEST, Box::pin(database)),
        store.within(LONGEST, store.reach_blobs()),
        store.within(LONGEST, objects),
    )
    .await;
    let reached = |outcome: Result<(), Failure>, what: &str| {
        [Check::of(outcome.map_err(|_| format!("{what} does not answer")))]
    };
    let config = call.config.fault.clone().map_or(Ok(()), Err);
    let is_ready = config.is_ok() && database.is_ok() && blobs.is_ok() && objects.is_ok();
    let report = Report {
        status: if is_ready { "ok" } else { "failed" },
        config_check: [Check::of(config)],
        db_check: reached(database, "D1"),
        kv_check: reached(blobs, "KV"),
        r2_check: objects.transpose().map(|outcome| reached(outcome, "R2")),
    };
    Reply::json(if is_ready { 200 } else { 503 }, &report)
}
