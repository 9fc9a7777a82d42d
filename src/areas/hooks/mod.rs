//! Outgoing web hooks of projects and of the system (behaviour 14). `events` writes what happens, `outbox` sends it.

pub mod address;
pub mod change;
pub mod filter;
pub mod header;
pub mod log;
pub mod outbox;
pub mod secrets;
pub mod signature;
pub mod trial;
pub mod v3;
pub mod v4;

use crate::areas::events::flags::{PUSH, REPOSITORY_UPDATE, SYSTEM};
use crate::kernel::call::path_id;
use crate::kernel::lists::Listed;
use crate::kernel::{Call, Entry, Error, Page, PreparedQuery, Query, Reply, Result, Row};
use secrets::{Sealer, Secret};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/hooks/hooks.sql");

pub const MOST_FAILURES: i64 = 40;

#[derive(Debug, Clone, Default, Row)]
pub struct HookRow {
    pub id: i64,
    pub project_id: Option<i64>,
    /// Without a password.
    pub url: String,
    sealed_url: Option<String>,
    title: Option<String>,
    description: Option<String>,
    pub events: i64,
    enable_ssl_verification: bool,
    pub branch_filter_strategy: String,
    pub push_events_branch_filter: Option<String>,
    pub custom_webhook_template: Option<String>,
    token: Option<String>,
    signing_token: Option<String>,
    old_signing_token: Option<String>,
    old_signing_until: Option<i64>,
    url_variables: Pairs,
    custom_headers: Pairs,
    failures: i64,
    disabled_until: Option<i64>,
    revision: i64,
    created_at: i64,
}

/// Names and sealed values.
#[derive(Debug, Clone, Default, Row, Serialize)]
pub struct Pairs(pub Vec<Pair>);

#[derive(Debug, Clone, Row, Serialize)]
pub struct Pair {
    pub key: String,
    pub value: String,
}

impl Pairs {
    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn set(&mut self, key: &str, value: String) {
        match self.0.iter_mut().find(|pair| pair.key == key) {
            Some(pair) => pair.value = value,
            None => self.0.push(Pair { key: key.to_owned(), value }),
        }
    }

    /// The values in clear. None if one of them cannot be opened.
    fn opened(&self, open: impl Fn(&str) -> Option<String>) -> Option<Vec<(String, String)>> {
        self.0.iter().map(|pair| Some((pair.key.clone(), open(&pair.value)?))).collect()
    }
}

/// The uses of secrets ([`secrets::Sealer::seal`]).
pub const URL: &str = "url";
pub const TOKEN: &str = "token";
pub const SIGNING_TOKEN: &str = "signing token";
pub const VARIABLE: &str = "url variable";
pub const HEADER: &str = "custom header";

/// The secrets of a hook in clear.
pub struct ClearSecrets {
    pub url: String,
    pub token: Option<String>,
    /// The newest first.
    pub signing_keys: Vec<Secret>,
    pub variables: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
}

impl ClearSecrets {
    /// The address with the values of its variables. None if a value is missing.
    pub fn address(&self) -> Option<String> {
        let (mut text, mut rest) = (String::new(), self.url.as_str());
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            let (_, value) = self.variables.iter().find(|(key, _)| key == name)?;
            text.push_str(before);
            text.push_str(value);
            rest = after;
        }
        text.push_str(rest);
        Some(text)
    }
}

impl HookRow {
    /// What a secret is sealed for: one use, by one hook. It has the time of the hook's creation instead of its id,
    /// which is unknown before the hook is stored.
    fn purpose(&self, what: &str) -> String {
        format!("{what} {} {}", self.project_id.unwrap_or_default(), self.created_at)
    }

    /// Only a hook with secrets needs the key of the server.
    fn seal(&self, call: &Call<'_>, what: &str, text: &str) -> Result<String> {
        Sealer::of(call)?.seal(&self.purpose(what), text)
    }

    fn open(&self, secret: &Secret, what: &str, sealed: &str) -> Option<String> {
        secrets::open(secret, &self.purpose(what), sealed)
    }

    /// None if a secret was sealed with another key.
    pub fn opened(&self, secret: Option<&Secret>, now: i64) -> Option<ClearSecrets> {
        let nothing = Secret::default();
        let secret = secret.unwrap_or(&nothing);
        let open = |what: &str, sealed: &Option<String>| match sealed {
            Some(sealed) => self.open(secret, what, sealed).map(Some),
            None => Some(None),
        };
        let old = self.old_signing_token.clone().filter(|_| self.old_signing_until.is_some_and(|until| now < until));
        let tokens = [open(SIGNING_TOKEN, &self.signing_token)?, open(SIGNING_TOKEN, &old)?];
        Some(ClearSecrets {
            url: open(URL, &self.sealed_url)?.unwrap_or_else(|| self.url.clone()),
            token: open(TOKEN, &self.token)?,
            signing_keys: tokens.iter().flatten().filter_map(|token| signature::key(token)).collect(),
            variables: self.url_variables.opened(|sealed| self.open(secret, VARIABLE, sealed))?,
            headers: self.custom_headers.opened(|sealed| self.open(secret, HEADER, sealed))?,
        })
    }

    /// `executable`, `temporarily_disabled` or `disabled`.
    fn alert_status(&self, now: i64) -> &'static str {
        match self.disabled_until {
            _ if self.failures >= MOST_FAILURES => "disabled",
            Some(until) if until > now => "temporarily_disabled",
            _ => "executable",
        }
    }
}

/// The hooks of a project, or of the system: the place of the route.
#[derive(Debug, Clone, Copy, PartialEq)]
enum HookOwner {
    Project,
    System,
}

impl HookOwner {
    fn of(call: &Call<'_>) -> HookOwner {
        if call.route.place.is_project() { HookOwner::Project } else { HookOwner::System }
    }

    /// The events that a new hook gets unless the request says otherwise.
    fn usual_events(self) -> i64 {
        if self == HookOwner::Project { PUSH } else { REPOSITORY_UPDATE | SYSTEM }
    }

    fn one(self, id: i64) -> PreparedQuery<Option<HookRow>> {
        match self {
            HookOwner::Project => sql::one { id }.prepare(),
            HookOwner::System => sql::system_one { id }.prepare(),
        }
    }

    fn query(self, page: &Page) -> PreparedQuery<Listed<HookRow>> {
        match self {
            HookOwner::Project => sql::list { page: page.clone() }.prepare(),
            HookOwner::System => sql::system_list { page: page.clone() }.prepare(),
        }
    }
}

/// Oldest first.
async fn list<T: Serialize>(call: &Call<'_>, shown: impl Fn(HookRow) -> T) -> Result<Reply> {
    let owner = HookOwner::of(call);
    let (_, _, hooks) = call.authorize_with(call.page(), |page| owner.query(page)).await?;
    let named = call.named();
    let path: &[(&str, &str)] = if owner == HookOwner::Project { &[("id", &named)] } else { &[] };
    hooks.reply_at(call, path, shown)
}

/// The hook of the path.
async fn find(call: &Call<'_>, id: &str) -> Result<(HookRow, Entry)> {
    let (_, entry, row) = call.authorize_with(path_id(id), |id| HookOwner::of(call).one(*id)).await?;
    Ok((row.ok_or_else(Error::no_record)?, entry))
}

/// The person with whose rights a hook gets events: the one behind the token.
fn maker(entry: &Entry) -> Result<i64> {
    Ok(entry.caller()?.member_id)
}

async fn remove(call: &Call<'_>, id: &str) -> Result<HookRow> {
    let (row, _) = find(call, id).await?;
    call.write_safely(sql::remove { id: row.id }).await?;
    Ok(row)
}
