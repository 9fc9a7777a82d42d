//! Applies the limits of [`crate::rate`] before the database is asked.

use crate::call::Call;
use crate::error::{Error, Excess, Result};
use crate::http::{Reply, Request, is_mirror};
use crate::rate::{Limit, MINUTE};

pub struct Visitor {
    address: String,
    /// The token's hash.
    token: Option<String>,
    is_known: bool,
}

/// Returns None if nothing is limited. The error is 429.
pub async fn enter(call: &Call<'_>) -> Result<Option<Visitor>> {
    let rates = call.config.rates;
    if rates.0 == [0; 3] {
        return Ok(None);
    }
    let most_refused = rates.most(Limit::Refusals);
    let address = address(call.request);
    let Some(credentials) = call.credentials() else {
        return Ok(Some(Visitor { address, token: None, is_known: false }));
    };
    let mut is_known = credentials.is_root() || most_refused == 0;
    let token = credentials.hash;
    let mut is_over = false;
    call.store.remember(&mut |memory| {
        is_known |= memory.known.contains(&token);
        if !is_known {
            let tally = memory.tally(&address, call.now);
            is_over = tally.is_over || tally.asking + tally.refused >= most_refused;
            tally.asking += u32::from(!is_over);
        }
    });
    if is_over {
        return Err(refusal(call, Limit::Refusals));
    }
    let pushes = is_mirror(&call.request.path) && call.request.method != "GET";
    let limit = if pushes { Limit::Pushes } else { Limit::Requests };
    let visitor = Visitor { address, token: Some(token.clone()), is_known };
    if rates.most(limit) > 0 && !call.store.count(limit, &token).await {
        visitor.end_asking(call);
        return Err(refusal(call, limit));
    }
    Ok(Some(visitor))
}

/// Counts the outcome. A request without a token becomes 429 if its address is over the limit.
pub async fn leave(call: &Call<'_>, visitor: Visitor, outcome: Result<Reply>) -> Result<Reply> {
    visitor.end_asking(call);
    let is_somebody = call.caller_id.get().or(call.actor_id.get()).is_some();
    let failed = matches!(outcome, Err(Error::Internal(_) | Error::Unavailable { .. }));
    let is_wrong = match visitor.token {
        Some(_) => !is_somebody && !failed && call.store.cost().trips > 0,
        None => matches!(outcome, Err(Error::Unauthorized)),
    };
    if let Some(token) = visitor.token.as_deref().filter(|_| is_somebody && !visitor.is_known) {
        call.store.remember(&mut |memory| memory.learn(token));
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
        tally.refused += 1;
        tally.is_over |= is_over;
        is_over = tally.is_over || tally.refused > most;
    });
    if is_over && visitor.token.is_none() { Err(refusal(call, Limit::Refusals)) } else { outcome }
}

impl Visitor {
    fn end_asking(&self, call: &Call<'_>) {
        if self.token.is_some() && !self.is_known {
            call.store.remember(&mut |memory| {
                let tally = memory.tally(&self.address, call.now);
                tally.asking = tally.asking.saturating_sub(1);
            });
        }
    }
}

fn refusal(call: &Call<'_>, limit: Limit) -> Error {
    let next_minute = (call.now / MINUTE + 1) * MINUTE;
    let wait = (next_minute - call.now + 999) / 1000;
    let what = match limit {
        Limit::Refusals => "wrong or missing tokens in a minute",
        Limit::Requests => "requests in a minute",
        Limit::Pushes => "pushes in a minute",
    };
    let most = call.config.rates.most(limit).into();
    Error::TooMany(Box::new(Excess { most, what, wait, until: next_minute / 1000 }))
}

/// The client's address. Of IPv6 only the first half, which belongs to one customer.
pub(crate) fn address(request: &Request) -> String {
    let whole = request.header("cf-connecting-ip").unwrap_or_default();
    let groups = whole.split("::").next().unwrap_or_default().split(':').take(4);
    groups.collect::<Vec<_>>().join(":")
}
