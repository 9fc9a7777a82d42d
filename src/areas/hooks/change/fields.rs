//! Checks and sets single fields of a hook.

use crate::areas::hooks::address::{Address, host_of};
use crate::areas::hooks::filter::pattern;
use crate::areas::hooks::{HEADER, HookRow, Pairs, SIGNING_TOKEN, header, signature};
use crate::kernel::params::scalar::KeyValue;
use crate::kernel::time::DAY;
use crate::kernel::{Call, Error, Patch, Result};

/// Custom headers, and URL variables.
const MOST_PAIRS: usize = 20;

pub(super) fn refused(text: &str) -> Error {
    Error::Framework(422, text.to_owned())
}

fn invalid_url() -> Error {
    refused("Invalid url given")
}

/// Turns 400, the status on other routes, into 422.
pub(super) fn unprocessable(error: Error) -> Error {
    if let Error::BadRequest(body) = error { Error::Unprocessable(body) } else { error }
}

pub(super) fn set(to: &mut Option<String>, patch: Patch<String>) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => *to = None,
        Patch::Set(text) => *to = Some(text),
    }
}

pub(super) fn check_filter(row: &mut HookRow) -> Result<()> {
    let is_good = match (row.branch_filter_strategy.as_str(), &row.push_events_branch_filter) {
        ("all_branches", _) => {
            row.push_events_branch_filter = None;
            true
        }
        ("regex", Some(filter)) => pattern(filter).is_some(),
        (_, Some(filter)) => {
            let is_odd = |c: char| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '[' | '\\');
            !filter.contains(is_odd) && !filter.contains("..")
        }
        (_, None) => true,
    };
    if is_good { Ok(()) } else { Err(refused("Invalid branch filter given")) }
}

/// Replaces the signing token. For one more day, the old one signs as well.
pub(super) fn rotate(call: &Call<'_>, row: &mut HookRow, given: &Patch<String>, is_moved: bool) -> Result<()> {
    match given {
        Patch::Keep => {}
        Patch::Clear => {
            (row.signing_token, row.old_signing_token, row.old_signing_until) = (None, None, None);
        }
        Patch::Set(token) => {
            signature::key(token).ok_or_else(|| refused("Invalid signing token given"))?;
            let sealed = row.seal(call, SIGNING_TOKEN, token)?;
            let before = row.opened(call.config.hooks_key.as_ref(), call.now).map(|opened| opened.signing_keys);
            if before.is_some_and(|keys| keys.first().copied() == signature::key(token)) {
                return Ok(());
            }
            row.old_signing_token = row.signing_token.take().filter(|_| !is_moved);
            row.old_signing_until = row.old_signing_token.is_some().then_some(call.now + DAY);
            row.signing_token = Some(sealed);
        }
    }
    Ok(())
}

pub(super) fn set_pair(call: &Call<'_>, hook: &HookRow, pairs: &mut Pairs, what: &str, pair: &KeyValue) -> Result<()> {
    let KeyValue { key, value } = pair;
    let is_header = what == HEADER;
    let is_known = pairs.0.iter().any(|known| known.key.eq_ignore_ascii_case(key));
    let printable = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let good = is_name(key)
        && (!is_header || header::is_allowed(key))
        && value.chars().count() <= 2048
        && !value.is_empty()
        && (!is_header || printable(value))
        && (is_known || pairs.0.len() < MOST_PAIRS);
    if !good {
        return Err(refused("Illegal key or value"));
    }
    pairs.set(key, hook.seal(call, what, value)?);
    Ok(())
}

/// `^[A-Za-z]+[0-9]*(?:[._-][A-Za-z0-9]+)*$`, of 255 characters at most.
fn is_name(key: &str) -> bool {
    let mut parts = key.split(['.', '_', '-']);
    let first = parts.next().unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    key.len() <= 255 && !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_alphabetic()) && parts.all(is_word)
}

pub(super) fn check_address(call: &Call<'_>, row: &HookRow) -> Result<()> {
    let opened = row.opened(call.config.hooks_key.as_ref(), call.now);
    let address =
        opened.and_then(|opened| opened.address()).and_then(|text| Address::read(&text)).ok_or_else(invalid_url)?;
    let own = [host_of(&call.config.external_url), host_of(&call.request.origin)];
    if address.refusal(&own).is_none() {
        return Ok(());
    }
    if address.is_private() {
        return Err(refused(
            "Invalid url given: no web hook calls a private address; to try a receiver of your own on this machine, start \
            HOOKS_TO=http://127.0.0.1:9000 make dev, and give the hook the address https://example.com/hook",
        ));
    }
    Err(invalid_url())
}
