//! Sends events to hooks (behaviour 14.5): after the answer of the request that wrote the event, and then by Cron. All
//! state is in the database. If a Worker dies, its lease ends after a minute and another one sends the delivery, so
//! each delivery is sent at least once.

mod outcome;
mod request;
mod template;

pub use outcome::Outcome;
pub use request::DeliveryAttempt;

use crate::areas::events::EventRow;
use crate::areas::hooks::HookRow;
use crate::areas::hooks::filter::is_of_branch as is_of;
use crate::kernel::call::writes;
use crate::kernel::config::Config;
use crate::kernel::store::{Failure, Store};
use crate::kernel::time::{DAY, MINUTE};
use crate::kernel::{Row, Statement};
use edgeforge_wire::text::hex;
use futures_util::future::join_all;
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(pub(super) mod sql: "src/areas/hooks/outbox/outbox.sql");

/// Hooks at a time: a Worker has six connections.
const AT_ONCE: i64 = 6;
/// Tries of a project in a minute.
const MOST_TRIES: i64 = 600;
/// A delivery that was begun so often without an outcome is not sent again, because it may be the cause.
const MOST_DEATHS: i64 = 2;
/// Milliseconds after which an event is too old.
const LIFETIME: i64 = 2 * DAY;
/// How much one run may do.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Rounds of six hooks.
    pub rounds: u32,
    /// Milliseconds after which no round begins. A round takes twelve seconds at most.
    pub millis: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct DeliveryCounts {
    /// Deliveries whose receiver has taken them.
    pub succeeded: u64,
    pub failed: u64,
    /// Deliveries that were not sent: blocked, expired, or of no interest to the hook.
    pub dropped: u64,
}

#[derive(Debug, Row)]
pub(super) struct DueDelivery {
    #[row(flatten)]
    hook: HookRow,
    #[row(flatten)]
    event: EventRow,
    delivery_id: i64,
    webhook_id: String,
    attempt: i64,
    /// How often it was begun since its last outcome.
    taken: i64,
    may_see: bool,
    is_loop: bool,
}

enum Verdict {
    /// Removed without an entry in the log.
    Drop,
    Expire,
    /// Only logged.
    Refuse(&'static str),
    Tried(Outcome),
}

/// Sends what is due, in a limited number of rounds.
pub async fn run(
    store: &Store<'_>,
    config: &Config,
    (start, random): (i64, [u8; 16]),
    Run { rounds, millis }: Run,
) -> Result<DeliveryCounts, Failure> {
    let began = store.clock();
    let (mut sum, mut finish) = (DeliveryCounts::default(), Vec::new());
    for round in 0..=rounds {
        let passed = store.clock() - began;
        let is_last = round == rounds || passed > millis;
        let now = start + passed as i64;
        let lease = format!("{}{round}", hex(&random));
        let (lease, minute, most, most_tries) = (lease.as_str(), now / MINUTE, AT_ONCE, MOST_TRIES);
        let next = (
            (sql::wake { now }, sql::take { lease, now, minute, most, most_tries }),
            sql::served { lease, now, minute, most, most_tries },
            (sql::begin { lease }, sql::join_chains { lease, now }),
            sql::taken { lease, now },
        );
        let batch = (std::mem::take(&mut finish), (!is_last).then_some(next));
        let (_, Some((_, served, _, due))) = store.run(batch).await? else { break };
        if served.is_empty() {
            break;
        }
        finish = send_all(store, config, due, now, lease, &mut sum).await?;
    }
    Ok(sum)
}

/// Sends one delivery of each hook at the same time. Returns the statements that note the outcomes.
async fn send_all(
    store: &Store<'_>,
    config: &Config,
    due: Vec<DueDelivery>,
    now: i64,
    lease: &str,
    sum: &mut DeliveryCounts,
) -> Result<Vec<Statement>, Failure> {
    let verdicts = join_all(due.iter().map(|due| due.verdict(store, config, now))).await;
    let mut batch: Vec<Statement> = vec![writes::limits(config)];
    for (due, verdict) in due.iter().zip(verdicts) {
        match &verdict {
            Verdict::Tried(outcome) if outcome.is_success() => sum.succeeded += 1,
            Verdict::Tried(_) => sum.failed += 1,
            _ => sum.dropped += 1,
        }
        batch.extend(due.settlement(config, verdict, now));
    }
    let projects: Vec<i64> = due.iter().map(|due| due.hook.project_id.unwrap_or_default()).collect();
    batch.push(sql::release { lease, now }.into());
    batch.push(sql::queue_again { projects: json!(projects).to_string() }.into());
    Ok(batch)
}

impl DueDelivery {
    fn attempt<'a>(&'a self, config: &'a Config, now: i64) -> DeliveryAttempt<'a> {
        let DueDelivery { hook, event, webhook_id, .. } = self;
        DeliveryAttempt { config, hook, event, webhook_id, attempt: self.attempt + 1, now }
    }

    async fn verdict(&self, store: &Store<'_>, config: &Config, now: i64) -> Verdict {
        match self {
            due if due.event.snapshot.is_none() || !is_of_branch(&due.hook, &due.event) => Verdict::Drop,
            due if now - due.event.happened_at > LIFETIME => Verdict::Expire,
            due if !due.may_see => Verdict::Refuse("Who made this hook may not see this"),
            due if due.taken > MOST_DEATHS => Verdict::Refuse("The server broke down twice while it sent this"),
            due if due.is_loop => Verdict::Refuse("This hook was called in the same chain of requests"),
            due => Verdict::Tried(attempt(store, &due.attempt(config, now)).await),
        }
    }

    fn settlement(&self, config: &Config, verdict: Verdict, now: i64) -> Vec<Statement> {
        let (id, attempt, hook_id) = (self.delivery_id, self.attempt, self.hook.id);
        let of = self.attempt(config, now);
        // the deleted delivery makes room for its row in the log
        let mut steps = vec![sql::done { id, attempt }.into()];
        match verdict {
            Verdict::Drop => {}
            Verdict::Refuse(text) => steps.extend(Outcome::unsent(text.to_owned()).log(&of, None)),
            Verdict::Expire => {
                let before = now - LIFETIME;
                steps.extend(Outcome::unsent("expired".to_owned()).log(&of, None));
                steps.push(sql::log_expired { hook_id, before, now }.into());
                steps.push(sql::drop_expired { hook_id, before }.into());
            }
            Verdict::Tried(outcome) => {
                let next_at = if outcome.is_success() { None } else { outcome.next_at(&of) };
                if let Some(next_at) = next_at {
                    steps = vec![sql::again { id, attempt, next_at }.into()];
                }
                steps.extend(outcome.log(&of, next_at));
                steps.push(match outcome.is_success() {
                    true => sql::succeeded { hook_id }.into(),
                    false => sql::failed { hook_id, now }.into(),
                });
            }
        }
        steps.push(sql::log_dropped { hook_id, now }.into());
        steps
    }
}

/// One try.
pub async fn attempt(store: &Store<'_>, of: &DeliveryAttempt<'_>) -> Outcome {
    let prepared = match of.prepared() {
        Ok(prepared) => prepared,
        Err(fault) => return Outcome::unsent(fault),
    };
    let began = store.clock();
    let answer = store.send(prepared.outgoing).await;
    Outcome::of(answer, prepared.logged, store.clock() - began)
}

/// Whether the hook's filter includes the branch of a push. Other events have no filter.
fn is_of_branch(hook: &HookRow, event: &EventRow) -> bool {
    let filter = hook.push_events_branch_filter.as_deref().unwrap_or_default();
    event.kind != "push" || filter.is_empty() || is_of(&hook.branch_filter_strategy, filter, &event.action)
}
