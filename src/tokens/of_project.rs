//! Tokens of a project, for its CI: each acts in this project alone, as a user of its own, and never does more than whoever
//! made it may do now.

use super::sql::{Origin, TokenRow};
use super::{Checked, NewToken, Rotation, again, key_of, list_in_project, make, revoke_in_project, sql};
use crate::call::{Call, Caller, Key, path_id};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::params::Parameters;
use crate::policy::{Access, Action, level, scopes};

/// Beside [`NewToken`]. Whoever makes tokens is a master at least, as which a token may do most.
#[derive(Debug, Parameters)]
struct Level {
    access_level: Option<i64>,
}

impl Level {
    fn checked(self) -> Result<i64> {
        let level = self.access_level.unwrap_or(Access::Developer.level());
        let known = [level!(Guest), level!(Reporter), level!(Developer), level!(Master)].contains(&level);
        if known { Ok(level) } else { Err(Error::field("access_level", "is not included in the list")) }
    }
}

fn read_new(call: &Call<'_>) -> Result<(Checked, i64, Option<Key>)> {
    let new = call.creation::<NewToken>()?.checked(call.now, scopes::PROJECT, 0)?;
    if new.scopes == 0 {
        return Err(Error::not_given("scopes"));
    }
    Ok((new, call.creation::<Level>()?.checked()?, key_of(call)?))
}

/// POST /projects/:id/access_tokens
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = read_new(call);
    let key = input.as_ref().ok().and_then(|(_, _, key)| key.as_ref());
    let (entered, kept) = call.enter_again(id, Action::ManageTokens, key, Some(sql::project())).await?;
    let (new, level, key) = input?;
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    let mut draft = new.draft(call, entered.caller.user.id, Some(entered.resource.id));
    (draft.origin, draft.access) = (Origin::WithBot, Some(level));
    make(call, &entered.caller, draft, key).await
}

/// GET /projects/:id/access_tokens
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    list_in_project(call, id, "project").await
}

/// DELETE /projects/:id/access_tokens/:token_id
pub async fn revoke(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    revoke_in_project(call, id, "project", token_id).await
}

/// When a token ends that lives as long as the old one was made for, and no longer than the one that asks for it.
fn as_long_again(old: &TokenRow, caller: &Caller, now: i64) -> Option<i64> {
    let most = caller.token_expires_at.unwrap_or(i64::MAX);
    old.expires_at.map(|end| (now + end - old.created_at).min(most))
}

/// POST /projects/:id/access_tokens/:token_id/rotate
///
/// A new secret for the same user. Whoever asks counts as its maker from now on. Without a date it lives as long as the
/// one before it was made for.
pub async fn rotate(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let (input, token_id) = (Rotation::read(call), path_id(token_id));
    let query = token_id.as_ref().ok().map(|token_id| sql::of_project("project", *token_id));
    let (entered, kept) = call.enter_again(id, Action::ManageTokens, Rotation::key(&input), query).await?;
    token_id?;
    let old: TokenRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    let Rotation { expires_at, key } = input?;
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    if old.revoked_at.is_some() {
        return Err(Error::no_record());
    }
    let expires_at = expires_at.or_else(|| as_long_again(&old, &entered.caller, call.now));
    let user_id = entered.caller.user.id;
    make(call, &entered.caller, old.again(user_id, expires_at, call.now), key).await
}
