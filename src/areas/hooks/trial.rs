//! Tries that a request demands: a test with the newest record, or a logged event once more. The answer waits for the
//! try.

use super::HookRow;
use super::log::{LoggedDelivery, sql};
use super::outbox::{self, DeliveryAttempt, Outcome};
use super::secrets::{mac, uuid};
use crate::areas::events::flags;
use crate::areas::events::{EventRow, sample};
use crate::kernel::call::path_id;
use crate::kernel::error::Excess;
use crate::kernel::store::Rows;
use crate::kernel::time::MINUTE;
use crate::kernel::{Call, Error, Query, Reply, Result, Statement};
use serde_json::{Value, json};

/// Tries of a caller for hooks of a project in a minute.
const MOST: i64 = 5;

fn too_many(now: i64) -> Error {
    let until = now / 1000 + MINUTE / 1000;
    Error::TooMany(Box::new(Excess {
        most: MOST,
        what: "tries of hooks in a minute".to_owned(),
        wait: MINUTE / 1000,
        until,
    }))
}

/// Reads the hook, and counts the try.
fn begin(call: &Call<'_>, hook_id: i64) -> impl Query<Answer = (Option<HookRow>, Rows, Vec<Rows>)> + use<> {
    // only members may
    let (quotas, _) = call.quotas();
    (super::sql::one { id: hook_id }, sql::reserve { hook_id }, quotas)
}

/// The hook. 429 if the caller has no try left.
fn begun((hook, trial, _): (Option<HookRow>, Rows, Vec<Rows>), now: i64) -> Result<HookRow> {
    let hook = hook.ok_or_else(Error::no_record)?;
    if trial.is_empty() { Err(too_many(now)) } else { Ok(hook) }
}

fn kind_named(trigger: &str) -> Result<&'static flags::Kind> {
    let kinds: Vec<&flags::Kind> = flags::KINDS.iter().filter(|kind| kind.bit != flags::REPOSITORY_UPDATE).collect();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    kinds.into_iter().find(|kind| kind.name == trigger).ok_or_else(|| Error::none_of("trigger", &names))
}

pub async fn test(call: &Call<'_>, hook_id: &str, trigger: &str) -> Result<Reply> {
    let input = path_id(hook_id).and_then(|id| Ok((id, kind_named(trigger)?)));
    let query = |(id, kind): &(i64, &flags::Kind)| (begin(call, *id), sample::event(call, *id, kind.bit));
    let ((_, kind), _, (begin, event)) = call.authorize_with(input, query).await?;
    let hook = begun(begin, call.now)?;
    let event = event.flatten().ok_or_else(|| Error::Refused(422, sample::absent(kind.bit).to_owned()))?;
    let webhook_id = new_id(call);
    let of = delivery(call, &hook, &event, &webhook_id, 1);
    let outcome = send(call, &of).await?;
    match outcome.status {
        Some(200..300) => Ok(Reply::json(201, &json!({ "message": "201 Created" }))),
        _ => Err(Error::Refused(422, outcome.body)),
    }
}

pub async fn resend(call: &Call<'_>, hook_id: &str, log_id: &str) -> Result<Reply> {
    let input = path_id(hook_id).and_then(|id| Ok((id, path_id(log_id)?)));
    let query =
        |(hook_id, log_id): &(i64, i64)| (begin(call, *hook_id), sql::logged { hook_id: *hook_id, log_id: *log_id });
    let (_, _, (begin, logged)) = call.authorize_with(input, query).await?;
    let hook = begun(begin, call.now)?;
    let logged = logged.ok_or_else(Error::no_record)?;
    logged.check(&hook)?;
    let of = delivery(call, &hook, &logged.event, &logged.webhook_id, logged.attempt);
    let outcome = send(call, &of).await?;
    match outcome.status {
        Some(status) => Ok(Reply::json(201, &json!({ "response_status": status }))),
        None => Err(Error::Refused(422, outcome.body)),
    }
}

impl LoggedDelivery {
    fn check(&self, hook: &HookRow) -> Result<()> {
        let refused = |text: &str| Err(Error::Refused(422, text.to_owned()));
        match self {
            _ if self.logged_url != hook.url => {
                refused("The hook URL has changed, and this log entry cannot be retried")
            }
            _ if !self.may_see => refused("Who made this hook may not see this"),
            _ => Ok(()),
        }
    }
}

fn delivery<'a>(
    call: &Call<'a>,
    hook: &'a HookRow,
    event: &'a EventRow,
    webhook_id: &'a str,
    attempt: i64,
) -> DeliveryAttempt<'a> {
    DeliveryAttempt { config: call.config, hook, event, webhook_id, attempt, now: call.now }
}

/// Sends past the breaker, and logs the try.
async fn send(call: &Call<'_>, of: &DeliveryAttempt<'_>) -> Result<Outcome> {
    let outcome = outbox::attempt(call.store, of).await;
    call.store.run((outcome.log(of, None), switch(of, &outcome))).await?;
    Ok(outcome)
}

/// Switches the hook on or off.
fn switch(of: &DeliveryAttempt<'_>, outcome: &Outcome) -> Statement {
    let (hook_id, now) = (of.hook.id, of.now);
    match outcome.is_success() {
        true => sql::revived { hook_id, now }.into(),
        false => outbox::sql::failed { hook_id, now }.into(),
    }
}

/// Sends an example to a hook of the system. `counts`: whether the outcome may enable or disable the hook, as any try
/// does.
pub(super) async fn send_example(call: &Call<'_>, hook: &HookRow, counts: bool) -> Result<Value> {
    let example = json!({
        "event_name": "project_create", "name": "Ruby", "path": "ruby", "project_id": 1, "owner_name": "Someone",
        "owner_email": "example@gitlabhq.com",
    });
    let event = EventRow {
        event_id: 0,
        kind: "system".to_owned(),
        action: "project_create".to_owned(),
        bit: flags::SYSTEM,
        origin: json!({ "base": call.links(false).base }).to_string(),
        before: None,
        snapshot: Some(example.to_string()),
        happened_at: call.now,
        avatars: false,
    };
    let webhook_id = new_id(call);
    let of = delivery(call, hook, &event, &webhook_id, 1);
    let outcome = outbox::attempt(call.store, &of).await;
    if counts {
        call.write(switch(&of, &outcome)).await?;
    }
    Ok(example)
}

/// Not of the bytes that a new token would be made of.
fn new_id(call: &Call<'_>) -> String {
    uuid(&mac(b"webhook id", &[&call.random]))
}
