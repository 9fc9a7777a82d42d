//! Saves a hook: the fields of the request, and the stored ones for the rest.

mod fields;

use self::fields::{check_address, check_filter, refused, rotate, set, set_pair, unprocessable};
use super::address::masked;
use super::{HEADER, HookOwner, HookRow, Pairs, TOKEN, URL, VARIABLE, find, maker, sql};
use crate::areas::events::flags::Flags;
use crate::kernel::call::path_id;
use crate::kernel::params::scalar::KeyValue;
use crate::kernel::{Call, Entry, Error, Parameters, Patch, Reply, Result, ValidationErrors};

const LONGEST_DESCRIPTION: usize = 2048;

#[derive(Debug, Clone, Copy, Parameters)]
pub(super) enum Strategy {
    Wildcard,
    Regex,
    AllBranches,
}

#[derive(Debug, Default, Parameters)]
#[param(default)]
pub(super) struct HookParams {
    pub url: Option<String>,
    pub name: Patch<String>,
    pub description: Patch<String>,
    #[param(flatten)]
    pub flags: Flags,
    pub enable_ssl_verification: Option<bool>,
    pub push_events_branch_filter: Patch<String>,
    pub branch_filter_strategy: Option<Strategy>,
    pub custom_webhook_template: Patch<String>,
    pub token: Patch<String>,
    pub signing_token: Patch<String>,
    pub url_variables: Option<Vec<KeyValue>>,
    pub custom_headers: Option<Vec<KeyValue>>,
}

/// A new hook before its first save.
pub(super) fn blank(project_id: Option<i64>, events: i64, now: i64) -> HookRow {
    HookRow {
        project_id,
        events,
        enable_ssl_verification: true,
        branch_filter_strategy: Strategy::Wildcard.word().to_owned(),
        created_at: now,
        ..HookRow::default()
    }
}

pub(super) async fn create(call: &Call<'_>, input: Result<HookParams>) -> Result<HookRow> {
    let (given, entry, ()) = call.authorize_with(input, |_| ()).await?;
    let owner = HookOwner::of(call);
    let project_id = (owner == HookOwner::Project).then_some(entry.resource.id);
    let row = given.applied(call, blank(project_id, owner.usual_events(), call.now), true)?;
    let HookRow { events, enable_ssl_verification: ssl, .. } = row;
    let create = sql::create {
        project_id,
        maker_id: maker(&entry)?,
        url: row.url,
        sealed_url: row.sealed_url,
        title: row.title,
        description: row.description,
        events,
        ssl,
        strategy: row.branch_filter_strategy,
        filter: row.push_events_branch_filter,
        template: row.custom_webhook_template,
        token: row.token,
        signing_token: row.signing_token,
        variables: row.url_variables.text(),
        headers: row.custom_headers.text(),
        now: call.now,
    };
    Ok(call.write((create, sql::newest {})).await?.1)
}

pub(super) async fn update(call: &Call<'_>, id: &str, input: Result<HookParams>) -> Result<HookRow> {
    let input = input.and_then(|given| Ok((given, path_id(id)?)));
    let ((given, _), entry, row) = call.authorize_with(input, |(_, id)| HookOwner::of(call).one(*id)).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let changed = given.applied(call, readable(call, row), false)?;
    save(call, &entry, changed).await
}

/// Saves a changed hook, unless another request has changed it meanwhile.
pub(super) async fn save(call: &Call<'_>, entry: &Entry, row: HookRow) -> Result<HookRow> {
    let HookRow { id, revision, events, enable_ssl_verification: ssl, old_signing_until, .. } = row;
    let update = sql::update {
        id,
        revision,
        maker_id: maker(entry)?,
        url: row.url,
        sealed_url: row.sealed_url,
        title: row.title,
        description: row.description,
        events,
        ssl,
        strategy: row.branch_filter_strategy,
        filter: row.push_events_branch_filter,
        template: row.custom_webhook_template,
        token: row.token,
        signing_token: row.signing_token,
        old_signing_token: row.old_signing_token,
        old_signing_until,
        variables: row.url_variables.text(),
        headers: row.custom_headers.text(),
        now: call.now,
    };
    let (_, saved) = call.write((update, sql::by_id { id })).await?;
    let saved = saved.ok_or_else(Error::no_record)?;
    if saved.revision != revision + 1 {
        return Err(Error::Refused(409, "409 Conflict: another request has changed the hook".to_owned()));
    }
    Ok(saved)
}

impl HookParams {
    fn applied(self, call: &Call<'_>, mut row: HookRow, is_new: bool) -> Result<HookRow> {
        let mut errors = ValidationErrors::default();
        errors.check_length("description", self.description.set().map(String::as_str), LONGEST_DESCRIPTION);
        errors.result().map_err(unprocessable)?;
        let before = row.clone();
        if let Some(url) = self.url.as_deref().map(str::trim).filter(|url| *url != row.url || is_new) {
            let shown = masked(url);
            row.sealed_url = shown.is_some().then(|| before.seal(call, URL, url)).transpose()?;
            row.url = shown.unwrap_or_else(|| url.to_owned());
            row.url_variables = Pairs::default();
        }
        for pair in self.url_variables.unwrap_or_default() {
            set_pair(call, &before, &mut row.url_variables, VARIABLE, &pair)?;
        }
        let is_moved = forget_if_moved(call, &before, &mut row);
        set(&mut row.title, self.name);
        set(&mut row.description, self.description);
        set(&mut row.custom_webhook_template, self.custom_webhook_template);
        row.events = self.flags.applied(row.events);
        row.enable_ssl_verification = self.enable_ssl_verification.unwrap_or(row.enable_ssl_verification);
        set(&mut row.push_events_branch_filter, self.push_events_branch_filter);
        if let Some(strategy) = self.branch_filter_strategy {
            row.branch_filter_strategy = strategy.word().to_owned();
        }
        check_filter(&mut row)?;
        match self.token {
            Patch::Keep => {}
            Patch::Clear => row.token = None,
            Patch::Set(token) if token.contains(['\n', '\r']) => {
                return Err(unprocessable(Error::field("token", "is invalid")));
            }
            Patch::Set(token) => row.token = Some(before.seal(call, TOKEN, &token)?),
        }
        rotate(call, &mut row, &self.signing_token, is_moved)?;
        for pair in self.custom_headers.unwrap_or_default() {
            let failed = |_| refused("Custom headers validation failed");
            set_pair(call, &before, &mut row.custom_headers, HEADER, &pair).map_err(failed)?;
        }
        check_address(call, &row)?;
        Ok(row)
    }
}

/// Removes the secrets if the address changes, because the new receiver must not get them.
fn forget_if_moved(call: &Call<'_>, before: &HookRow, row: &mut HookRow) -> bool {
    let address =
        |row: &HookRow| row.opened(call.config.hooks_key.as_ref(), call.now).and_then(|opened| opened.address());
    if before.id != 0 && address(before) == address(row) {
        return false;
    }
    row.token = None;
    (row.signing_token, row.old_signing_token, row.old_signing_until) = (None, None, None);
    row.custom_headers = Pairs::default();
    true
}

/// The hook as it is stored. Secrets that another key has sealed are lost.
fn readable(call: &Call<'_>, mut row: HookRow) -> HookRow {
    if row.opened(call.config.hooks_key.as_ref(), call.now).is_none() {
        row.url = if row.sealed_url.take().is_some() { String::new() } else { row.url };
        row.token = None;
        (row.signing_token, row.old_signing_token, row.old_signing_until) = (None, None, None);
        (row.custom_headers, row.url_variables) = (Pairs::default(), Pairs::default());
    }
    row
}

/// Sets or removes one custom header or URL variable of a hook.
pub async fn set_one(call: &Call<'_>, what: &str, id: &str, key: &str) -> Result<Reply> {
    #[derive(Parameters)]
    struct Value {
        value: String,
    }
    let input = call.edit::<Value>().and_then(|given| Ok((given.value, path_id(id)?)));
    let ((value, _), entry, row) = call.authorize_with(input, |(_, id)| HookOwner::of(call).one(*id)).await?;
    let before = readable(call, row.ok_or_else(Error::no_record)?);
    let mut row = before.clone();
    let pairs = if what == HEADER { &mut row.custom_headers } else { &mut row.url_variables };
    set_pair(call, &before, pairs, what, &KeyValue { key: key.to_owned(), value })?;
    forget_if_moved(call, &before, &mut row);
    check_address(call, &row)?;
    save(call, &entry, row).await.map(|_| Reply::empty(204))
}

pub async fn remove_one(call: &Call<'_>, what: &str, id: &str, key: &str) -> Result<Reply> {
    let (mut row, entry) = find(call, id).await?;
    let (pairs, named) = match what {
        HEADER => (&mut row.custom_headers, "Custom header"),
        _ => (&mut row.url_variables, "URL variable"),
    };
    let before = pairs.0.len();
    pairs.0.retain(|pair| pair.key != key);
    if pairs.0.len() == before {
        return Err(Error::missing(named));
    }
    check_address(call, &row)?;
    save(call, &entry, row).await.map(|_| Reply::empty(204))
}
