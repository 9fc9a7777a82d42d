//! Applies the limits of [`crate::kernel::limits::rate`] and [`crate::kernel::limits::spending`] before the database is asked.

use crate::kernel::call::{Call, Place};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::{Body, Reply};
use crate::kernel::limits::rate::Limit;
use crate::kernel::limits::spending::{AT_ONCE, READ, Refusal, WRITE, estimate};
use crate::kernel::store::{Cost, Row};
use crate::kernel::time::MINUTE;

edgeforge_row::statements!(pub mod sql: "src/kernel/call/throttle.sql");

/// A push is counted as a fifth of its cost: a first sync takes a minute of the database for 200,000 commits.
const SHARE_OF_A_PUSH: f64 = 0.2;

pub struct Visitor {
    address: String,
    /// The token's hash.
    token: Option<String>,
    is_known: bool,
    is_root: bool,
    /// The owner of the account that was opened. None if there is no limit.
    account: Option<String>,
}

/// Checks the limits before a request. None if nothing is limited. The error is 429.
pub async fn enter(call: &Call<'_>) -> Result<Option<Visitor>> {
    let rates = call.config.rates;
    let is_free = rates.0 == [0; 3] && call.config.spending == 0;
    let place = call.route.place;
    if let Some(jwt) = call.jwt().filter(|_| place != Place::Public) {
        // until it is proven, it counts as an unknown token of its address, and then as the trust that it fits
        let visitor = if is_free { None } else { Some(Visitor::arrive(call)?.0) };
        match (call.prove(&jwt).await, visitor) {
            (Err(error), Some(visitor)) if place != Place::LenientProject => {
                return leave(call, visitor, Err(error)).await.map(|_| None);
            }
            (Err(error), None) if place != Place::LenientProject => return Err(error),
            (_, visitor) => visitor.iter().for_each(|visitor| visitor.end_asking(call)),
        }
    }
    if is_free {
        return Ok(None);
    }
    let (mut visitor, mut person) = Visitor::arrive(call)?;
    if let (Some(token), false) = (&visitor.token, visitor.is_known || visitor.is_root) {
        person = debtor(call, token).await;
    }
    let limit = if call.route.is_push { Limit::Pushes } else { Limit::Requests };
    let counted = visitor.token.as_ref().unwrap_or(&visitor.address);
    let outcome = match rates.most(limit) > 0 && !call.store.count(limit, counted).await {
        true => Err(refusal(call, limit)),
        false if visitor.is_root => Ok(()),
        false => visitor.open_account(call, person),
    };
    match outcome {
        Ok(()) => Ok(Some(visitor)),
        Err(refusal) => {
            visitor.end_asking(call);
            Err(refusal)
        }
    }
}

/// Counts the outcome and its cost. A request without a token becomes 429 if its address is over the limit.
pub async fn leave(call: &Call<'_>, visitor: Visitor, outcome: Result<Reply>) -> Result<Reply> {
    visitor.end_asking(call);
    visitor.charge(call, &outcome);
    let person = call.person_id.get();
    let failed = matches!(outcome, Err(Error::Internal(_) | Error::Unavailable { .. }));
    let is_wrong = match visitor.token {
        // the dialog to sign in is asked for with the cookie of a session that has ended
        Some(_) if call.route.place == Place::Public && call.has_session() => false,
        Some(_) => {
            let is_judged = call.store.cost().trips > 0 || matches!(outcome, Err(Error::Unauthorized));
            person.is_none() && !failed && is_judged
        }
        None => matches!(outcome, Err(Error::Unauthorized)),
    };
    if let (Some(token), Some(person), false) = (&visitor.token, person, visitor.is_known) {
        call.store.remember(&mut |memory| memory.learn(token, person));
    }
    let most = call.config.rates.most(Limit::Refusals);
    if !is_wrong || most == 0 {
        return outcome;
    }
    let mut is_over = !call.store.count(Limit::Refusals, &visitor.address).await;
    call.store.remember(&mut |memory| {
        if let Some(token) = &visitor.token {
            memory.known.remove(token);
        }
        let tally = memory.tally(&visitor.address, call.now);
        tally.refuse(visitor.token.as_deref());
        tally.is_over |= is_over;
        is_over = tally.is_over || tally.refused > most;
    });
    if is_over && visitor.token.is_none() { Err(refusal(call, Limit::Refusals)) } else { outcome }
}

/// The person behind a token that this instance has not seen. The database is read only if an account has spent much,
/// because otherwise a person could avoid its limit with new tokens.
async fn debtor(call: &Call<'_>, token: &str) -> Option<i64> {
    let (budget, mut is_asked) = (call.config.spending, false);
    if budget > 0 {
        call.store.remember(&mut |memory| is_asked = memory.accounts.has_debtor(budget, call.now));
    }
    if !is_asked {
        return None;
    }
    let rows = call.store.ask(sql::person_of { key: token, now: call.now }).await.ok()?;
    let person: Option<Person> = rows.first().ok().flatten();
    person.map(|person| person.id)
}

#[derive(Row)]
struct Person {
    id: i64,
}

impl Visitor {
    /// The visitor, and the person if this instance knows the token. 429 if the token must not be tried.
    fn arrive(call: &Call<'_>) -> Result<(Visitor, Option<i64>)> {
        let rates = call.config.rates;
        let address = call.request.address();
        let credentials = call.credentials();
        let is_root = credentials.as_ref().is_some_and(|credentials| credentials.is_root());
        let token = credentials.map(|credentials| credentials.hash);
        let (mut person, mut asks) = (None, true);
        if let Some(token) = &token {
            call.store.remember(&mut |memory| {
                person = memory.known.get(token).copied();
                if person.is_none() && rates.most(Limit::Refusals) > 0 {
                    asks = memory.tally(&address, call.now).asks(token, rates);
                }
            });
        }
        let visitor = Visitor { address, is_known: person.is_some(), is_root, token, account: None };
        if asks { Ok((visitor, person)) } else { Err(refusal(call, Limit::Refusals)) }
    }

    /// The owner of the account that pays: a good token's person, and otherwise the address.
    fn payer(&self, person: Option<i64>) -> String {
        person.map_or_else(|| self.address.clone(), |person| format!("person {person}"))
    }

    /// A token that is not known yet is counted for its address, like a wrong token.
    fn open_account(&mut self, call: &Call<'_>, person: Option<i64>) -> Result<()> {
        let (budget, mut outcome) = (call.config.spending, Ok(()));
        if budget > 0 {
            let (owner, now) = (self.payer(person), call.now);
            let is_unknown = person.is_none() && self.token.is_some();
            call.store.remember(&mut |memory| {
                outcome = match is_unknown {
                    true => memory.accounts.begin_unknown(&owner, expected(call), budget, now),
                    false => memory.accounts.begin(&owner, expected(call), budget, now),
                }
            });
            self.account = Some(owner);
        }
        outcome.map_err(|refusal| overspent(call, &refusal))
    }

    fn charge(&self, call: &Call<'_>, outcome: &Result<Reply>) {
        let budget = call.config.spending;
        if budget == 0 || self.is_root {
            return;
        }
        let sent = if let Body::Bytes(bytes) = &call.request.body { bytes.len() } else { 0 };
        let answered = outcome.as_ref().map_or(0, |reply| reply.body.len());
        let stream = outcome.as_ref().ok().and_then(|reply| reply.stream.as_ref());
        let streamed = stream.map_or(0, |(_, length)| *length);
        let share = if call.route.is_push { SHARE_OF_A_PUSH } else { 1.0 };
        let Cost { millis, work, .. } = call.store.cost();
        let millis = share * (millis + work + estimate(sent + answered, streamed));
        let owner = self.payer(call.person_id.get());
        call.store.remember(&mut |memory| {
            memory.accounts.charge(&owner, millis, budget, call.now);
            if let Some(account) = &self.account {
                memory.accounts.end(account, expected(call));
            }
        });
    }

    fn end_asking(&self, call: &Call<'_>) {
        if self.token.is_some() && !self.is_known {
            call.store.remember(&mut |memory| {
                let tally = memory.tally(&self.address, call.now);
                tally.asking = tally.asking.saturating_sub(1);
            });
        }
    }
}

fn expected(call: &Call<'_>) -> f64 {
    if ["GET", "HEAD"].contains(&call.request.method.as_str()) { READ } else { WRITE }
}

fn refusal(call: &Call<'_>, limit: Limit) -> Error {
    let what = match limit {
        Limit::Refusals => "wrong or missing tokens in a minute",
        Limit::Requests => "requests in a minute",
        Limit::Pushes => "pushes in a minute",
    };
    let most = call.config.rates.most(limit).into();
    Error::too_many(most, what, call.now, (call.now / MINUTE + 1) * MINUTE)
}

fn overspent(call: &Call<'_>, refusal: &Refusal) -> Error {
    let (most, what, wait) = match refusal {
        Refusal::Spent(wait) => (call.config.spending, "milliseconds of work in a minute", *wait),
        Refusal::AtOnce(wait) => (i64::from(AT_ONCE), "requests at once after this much work", *wait),
    };
    Error::too_many(most, what, call.now, call.now + wait * 1000)
}
