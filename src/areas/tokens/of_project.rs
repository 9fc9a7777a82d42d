//! Tokens of a project and of its mirror hooks, for both APIs.

use super::create::{CreatedToken, Draft, Ends, create_for_project, make};
use super::trust::TrustParams;
use super::{Creation, NewToken, PROJECT, Rotation, TokenRow, sql};
use crate::kernel::call::path_id;
use crate::kernel::policy::{Access, scopes};
use crate::kernel::store::Rows;
use crate::kernel::{Call, Entry, Error, Parameters, PreparedQuery, Query, Result};

/// Parameters in addition to [`Creation`]. The highest level is that of a master.
#[derive(Debug, Parameters)]
struct LevelParams {
    access_level: Option<i64>,
}

/// Parameters of the token of a hook.
#[derive(Debug, Default, Parameters)]
#[param(default)]
struct HookTokenParams {
    cross_project: bool,
}

impl LevelParams {
    fn validated(self) -> Result<i64> {
        let level = self.access_level.unwrap_or(Access::Developer.level());
        let is_valid = (10..=Access::Master.level()).contains(&level) && Access::from(level).level() == level;
        if is_valid { Ok(level) } else { Err(Error::field("access_level", "is not included in the list")) }
    }
}

fn new_of_project(call: &Call<'_>) -> Result<(NewToken, Option<i64>)> {
    call.will_read::<LevelParams>();
    if call.dialect.is_v4() {
        call.will_read::<TrustParams>();
    }
    let new = Creation::read(call)?;
    let trust = if call.dialect.is_v4() { call.creation::<TrustParams>()?.validated(call)? } else { None };
    let usual = if trust.is_some() { scopes::STATUSES } else { 0 };
    if call.dialect.is_v4() && new.scopes.is_empty() && trust.is_none() {
        return Err(Error::not_given("scopes"));
    }
    let new = NewToken { trust, ..new.validated(call, scopes::PROJECT, usual)? };
    if new.scopes == 0 {
        return Err(Error::not_given("scopes"));
    }
    Ok((new, Some(call.creation::<LevelParams>()?.validated()?)))
}

pub(super) async fn create(call: &Call<'_>) -> Result<CreatedToken> {
    create_for_project(call, new_of_project(call)).await
}

pub(super) async fn create_of_hook(call: &Call<'_>) -> Result<CreatedToken> {
    call.will_read::<HookTokenParams>();
    let input = Creation::read(call).and_then(|new| {
        let HookTokenParams { cross_project } = call.creation()?;
        let new = new.validated(call, scopes::HOOK, scopes::MIRROR)?;
        Ok((NewToken { cross_project, ..new }, None))
    });
    create_for_project(call, input).await
}

/// The token of the path, and the request's caller. `absent`: the error if the project has no such token.
pub(super) async fn find(call: &Call<'_>, of_kind: &str, id: &str, absent: fn() -> Error) -> Result<TokenRow> {
    let query = |token_id: &i64| sql::one_in_project { token_id: *token_id, of_kind };
    let (_, _, row) = call.authorize_with(path_id(id).map_err(|_| absent()), query).await?;
    row.ok_or_else(absent)
}

/// The rotated token and its caller, before the change.
pub(super) struct TokenRotation {
    rotation: Rotation,
    entry: Entry,
    old: TokenRow,
    /// The rows of the answer that is kept for the key.
    kept: Option<Rows>,
}

impl TokenRotation {
    /// `token`: the query for the old token. `absent`: the error if there is none.
    pub(super) async fn find(
        call: &Call<'_>,
        token: Option<PreparedQuery<Option<TokenRow>>>,
        absent: impl FnOnce(&Entry) -> Error,
    ) -> Result<TokenRotation> {
        let input = Rotation::read(call);
        let (entry, answer) = call.authorize_first(Rotation::query(call, &input, token)).await?;
        let (old, kept) = answer.unzip();
        let Some(old) = old.flatten() else { return Err(absent(&entry)) };
        if old.issuer.is_some() {
            return Err(Error::message("400 Bad request - A trust has no secret"));
        }
        Ok(TokenRotation { rotation: input?, entry, old, kept: kept.flatten() })
    }

    /// The new token acts as the same user. `maker`: its creator.
    async fn make(self, call: &Call<'_>, maker: i64, most: Option<i64>) -> Result<CreatedToken> {
        let TokenRotation { rotation: Rotation { expires_at, old_ends, key }, entry, old, kept } = self;
        let draft = || {
            let old = old.if_active(call.now, Error::no_record())?;
            let ends = Ends { usual: old.same_lifetime_from(call.now), most, old: old_ends };
            Ok(Draft::instead_of(old, maker, expires_at, ends))
        };
        make(call, entry.caller()?, draft, key, kept.as_ref()).await
    }

    /// The caller becomes the creator. By default the new token has the lifetime of the old one.
    pub(super) async fn by_caller(self, call: &Call<'_>) -> Result<CreatedToken> {
        let caller = self.entry.caller()?;
        let (maker, most) = (caller.user.id, caller.token_expires_at);
        self.make(call, maker, most).await
    }

    /// A token rotates itself. The new one has the same creator, and at most the same lifetime.
    pub(super) async fn by_itself(self, call: &Call<'_>) -> Result<CreatedToken> {
        let (maker, most) = (self.old.user_id, self.old.same_lifetime_from(call.now));
        self.make(call, maker, most).await
    }
}

/// The query of the token `id` of the project. None if `id` is no number.
pub(super) fn one(id: &str) -> Option<PreparedQuery<Option<TokenRow>>> {
    let token_id = path_id(id).ok()?;
    Some(sql::one_in_project { token_id, of_kind: PROJECT }.prepare())
}

pub(super) fn own() -> Option<PreparedQuery<Option<TokenRow>>> {
    Some(sql::own_in_project {}.prepare())
}
