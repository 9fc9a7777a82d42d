//! Access tokens of users, of projects and of mirror hooks (behaviour 2.1).

mod create;
mod of_project;
mod trust;
pub mod v3;
pub mod v4;

use crate::kernel::call::Key;
use crate::kernel::jwt::trust::Trust;
use crate::kernel::policy::scopes;
use crate::kernel::text::names;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Parameters, PreparedQuery, Query, Result, Row, Statement, ValidationErrors};
use serde::Serialize;

/// The kinds of tokens that belong to a project.
pub const PROJECT: &str = "project";
pub const HOOK: &str = "hook";

edgeforge_row::statements!(mod sql: "src/areas/tokens/tokens.sql");

#[derive(Debug, Clone, Row)]
pub struct TokenRow {
    pub id: i64,
    /// The owner of a personal token, the creator of other tokens.
    pub user_id: i64,
    pub project_id: Option<i64>,
    pub name: String,
    #[row(default)]
    pub description: Option<String>,
    pub created_at: i64,
    #[row(default)]
    pub last_used_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
    /// The user that a project's token acts as.
    pub bot_id: Option<i64>,
    /// Bits of [`scopes`].
    pub scopes: i64,
    /// The highest level of a project's token.
    pub access: Option<i64>,
    /// Whether commits that the hook pushes also close issues of other projects.
    #[row(default)]
    pub cross_project: bool,
    /// Of a trust, as the next two.
    #[row(default)]
    pub issuer: Option<String>,
    #[row(default)]
    pub claims: Option<Vec<String>>,
    #[row(default)]
    pub audience: Option<String>,
}

impl TokenRow {
    fn is_active(&self, now: i64) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| expiry > now)
    }

    /// `revoked`: the error for a revoked token.
    fn if_active(self, now: i64, revoked: Error) -> Result<TokenRow> {
        match self.revoked_at {
            Some(_) => Err(revoked),
            None if self.is_active(now) => Ok(self),
            None => Err(Error::message("400 Bad request - Token already expired")),
        }
    }

    /// The end of a token that is created at `now` and has the lifetime of this one.
    fn same_lifetime_from(&self, now: i64) -> Option<i64> {
        self.expires_at.map(|end| now + end - self.created_at)
    }
}

/// The first fields of an answer in both APIs.
#[derive(Debug, Serialize)]
struct TokenFields {
    id: i64,
    name: String,
    revoked: bool,
    created_at: String,
    scopes: Vec<&'static str>,
    user_id: i64,
}

impl TokenFields {
    fn new(row: TokenRow) -> TokenFields {
        let parts = scopes::PARTS.iter().map(|(name, bit, _)| (*name, *bit));
        let known = [scopes::PERSONAL, scopes::PROJECT, scopes::HOOK].concat().into_iter().chain(parts);
        TokenFields {
            id: row.id,
            name: row.name,
            revoked: row.revoked_at.is_some(),
            created_at: time::utc(row.created_at),
            scopes: known.filter(|(_, bit)| row.scopes & bit != 0).map(|(name, _)| name).collect(),
            user_id: row.bot_id.unwrap_or(row.user_id),
        }
    }
}

#[derive(Debug, Parameters)]
struct Creation {
    name: String,
    expires_at: Option<String>,
    #[param(default)]
    scopes: Vec<String>,
}

#[derive(Debug, Parameters)]
struct Description {
    description: Option<String>,
}

#[derive(Debug, Clone)]
struct NewToken {
    name: String,
    /// Only in v4.
    description: Option<String>,
    expires_at: Option<i64>,
    scopes: i64,
    cross_project: bool,
    /// None: it has a secret.
    trust: Option<Trust>,
}

impl Creation {
    fn read(call: &Call<'_>) -> Result<Creation> {
        if call.dialect.is_v4() {
            call.will_read::<Description>();
        }
        call.creation()
    }

    /// `usual`: the scopes of a token if the request names none.
    fn validated(self, call: &Call<'_>, known: &'static [(&'static str, i64)], usual: i64) -> Result<NewToken> {
        let description = if call.dialect.is_v4() { call.creation::<Description>()?.description } else { None };
        let name = self.name.trim().to_owned();
        let mut errors = ValidationErrors::default();
        names::check_letters(&mut errors, "name", Some(&name));
        errors.check_length("description", description.as_deref(), 255);
        let expires_at = read_expiry(&mut errors, self.expires_at.as_deref(), call.now);
        let scopes = read_scopes(&mut errors, &self.scopes, known, usual);
        errors.result().map(|()| NewToken { name, description, expires_at, scopes, cross_project: false, trust: None })
    }
}

/// Names of [`scopes::PARTS`] add nothing to a token, and need the scope of which they are a part.
fn read_scopes(
    errors: &mut ValidationErrors,
    names: &[String],
    known: &'static [(&'static str, i64)],
    usual: i64,
) -> i64 {
    let parts = if known == scopes::HOOK { &[] } else { scopes::PARTS };
    let known_bit = |name: &String| known.iter().find(|(it, _)| it == name).map(|(_, bit)| *bit);
    let held = names.iter().filter_map(known_bit).fold(0, |bits, bit| bits | bit);
    let bits = if names.is_empty() { usual } else { held };
    let part = |name: &String| parts.iter().find(|(it, _, of)| it == name && of & bits != 0);
    if names.iter().all(|name| known_bit(name).is_some() || part(name).is_some()) {
        return names.iter().filter_map(part).fold(bits, |bits, (_, bit, _)| bits | bit);
    }
    errors.add("scopes", "can only contain available scopes");
    let listed = known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let further = parts.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
    let further = if further.is_empty() { further } else { format!("; beside api or read_api also {further}") };
    errors.hint(format!("scopes has one of {listed}{further}"));
    bits
}

fn read_expiry(errors: &mut ValidationErrors, text: Option<&str>, now: i64) -> Option<i64> {
    let expires_at = errors.read_time("expires_at", text);
    if expires_at.is_some_and(|at| at <= now) {
        errors.add("expires_at", "is in the past");
    }
    expires_at
}

#[derive(Debug, Parameters)]
struct RotationParams {
    expires_at: Option<String>,
    #[param(default)]
    keep_old_for_a_day: bool,
}

struct Rotation {
    expires_at: Option<i64>,
    /// When the old token ends. None: at once.
    old_ends: Option<i64>,
    key: Option<Key>,
}

impl Rotation {
    fn read(call: &Call<'_>) -> Result<Rotation> {
        let params: RotationParams = call.creation()?;
        let mut errors = ValidationErrors::default();
        let expires_at = read_expiry(&mut errors, params.expires_at.as_deref(), call.now);
        errors.result()?;
        let old_ends = params.keep_old_for_a_day.then_some(call.now + time::DAY);
        Ok(Rotation { expires_at, old_ends, key: key_of(call)? })
    }

    /// Looks up the token and the answer that is kept for the key.
    fn query<Q: Query>(call: &Call<'_>, input: &Result<Rotation>, token: Option<Q>) -> Option<(Q, Option<Statement>)> {
        let key = input.as_ref().ok().and_then(|rotation| rotation.key.as_ref());
        token.map(|token| (token, key.map(|key| key.kept(call))))
    }
}

fn key_of(call: &Call<'_>) -> Result<Option<Key>> {
    Ok(call.idempotency_key()?.map(|key| key.bound_to_token(call)))
}

#[derive(Debug, Row)]
pub struct OwnerRow {
    user_id: i64,
    token_id: Option<i64>,
}

/// For [`owner`].
pub fn owner_of(user_id: i64) -> PreparedQuery<Option<OwnerRow>> {
    sql::owner { user_id, token_id: None::<i64> }.prepare()
}

/// 403 unless the caller is the user of the path or an administrator.
pub fn owner(entry: &Entry, row: Option<OwnerRow>) -> Result<OwnerRow> {
    let owner = row.ok_or_else(|| Error::missing("User"))?;
    let caller = entry.caller()?;
    if owner.user_id == caller.user.id || caller.admin { Ok(owner) } else { Err(Error::FORBIDDEN) }
}

/// `owner_id`: the owner or maker of the token.
async fn revoke(call: &Call<'_>, id: i64, owner_id: i64) -> Result<()> {
    call.acts_on("User", Some(owner_id), Some(owner_id));
    call.write_safely((sql::revoke { id, now: call.now }, sql::block_bot { id })).await?;
    Ok(())
}

pub fn revoke_all_of_project(project_id: i64, now: i64) -> [Statement; 2] {
    [sql::block_bots_of_project { project_id }.into(), sql::revoke_all_of_project { project_id, now }.into()]
}
