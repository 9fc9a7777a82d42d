//! Access tokens of persons in v4 (behaviour 13.4).

use super::entity::Token;
use super::sql::{self, TokenRow};
use super::{NewToken, Rotation, again, create_for_user, make};
use crate::call::path_number;
use crate::call::{Call, Caller};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page};
use crate::params::Parameters;
use crate::policy::scopes;
use crate::store::{Statement, Value};
use crate::users::v4::user_id;
use crate::walk;

/// Parameters of a list.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    user_id: Option<i64>,
    state: Option<State>,
    revoked: Option<bool>,
    search: Option<String>,
    created_after: Option<String>,
    created_before: Option<String>,
    expires_after: Option<String>,
    expires_before: Option<String>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum State {
    Active,
    Inactive,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
enum Sort {
    CreatedAsc,
    CreatedDesc,
}

/// A list as it was asked for.
struct Asked {
    filter: Filter,
    /// Made after and before, expiring after and before.
    times: [Option<i64>; 4],
    page: Page,
}

impl Asked {
    fn read(call: &Call<'_>) -> Result<Asked> {
        let filter: Filter = call.filters()?;
        let times = [
            walk::instant("created_after", filter.created_after.as_deref())?,
            walk::instant("created_before", filter.created_before.as_deref())?,
            walk::instant("expires_after", filter.expires_after.as_deref())?,
            walk::instant("expires_before", filter.expires_before.as_deref())?,
        ];
        Ok(Asked { filter, times, page: call.page()? })
    }

    fn is_filtered(&self) -> bool {
        let Filter { state, revoked, search, .. } = &self.filter;
        state.is_some() || revoked.is_some() || search.is_some() || self.times.iter().any(Option::is_some)
    }

    fn query(&self, now: i64) -> Statement {
        let Asked { filter, times, page } = self;
        let ascending = filter.sort == Some(Sort::CreatedAsc);
        let ([past], offset) = page.begin([Key::Int(if ascending { 0 } else { 1 << 53 })]);
        let mut binds: Vec<Value> = vec![
            past,
            offset.into(),
            walk::steps(page, offset, self.is_filtered()).into(),
            now.into(),
            (page.size + 1).into(),
            filter.user_id.into(),
            filter.state.map(|state| state == State::Active).into(),
            filter.revoked.into(),
            filter.search.as_deref().into(),
        ];
        binds.extend(times.map(Value::from));
        sql::list_of_persons(ascending, binds)
    }
}

/// GET /personal_access_tokens
///
/// The caller's own; for administrators everybody's, or those of the user they name.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (asked, found) = call.sign_in_with(Asked::read(call), |asked| asked.query(call.now)).await?;
    let is_own = asked.filter.user_id.is_none_or(|user_id| user_id == found.caller.user.id);
    if !is_own && !found.caller.admin {
        return Err(Error::Unauthorized);
    }
    let tokens = walk::read(&found.rows, &asked.page, |row: &TokenRow| [row.id.into()])?;
    tokens.reply(call, &asked.page, |row| Token::new(row, call.now, None, call.dialect))
}

/// The token that a request is about: of a number, or `self`.
struct Named(Option<i64>);

impl Named {
    fn read(text: &str) -> Result<Named> {
        Ok(Named(if text == "self" { None } else { Some(path_number("id", text)?) }))
    }

    fn query(&self) -> Statement {
        sql::one_of_persons(self.0)
    }

    /// One that is not there, or not the caller's: others than administrators are not told which.
    fn missing(&self, caller: &Caller) -> Error {
        match self.0 {
            // the one of root is no record
            None => Error::message("400 Bad request - this token is not a stored one"),
            Some(_) if caller.admin => Error::no_record(),
            Some(_) => Error::Unauthorized,
        }
    }
}

/// Lets in who may know of the token. A token of any kind may ask for itself.
async fn find(call: &Call<'_>, id: &str) -> Result<TokenRow> {
    let found = match Named::read(id) {
        Ok(named @ Named(None)) => {
            let found = call.sign_in_with_any_token(named.query()).await?;
            (named, found)
        }
        named => call.sign_in_with(named, Named::query).await?,
    };
    let (named, found) = found;
    found.rows.first()?.ok_or_else(|| named.missing(&found.caller))
}

/// GET /personal_access_tokens/:id, and `self`
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let row = find(call, id).await?;
    Ok(Reply::json(200, &Token::new(row, call.now, None, call.dialect)))
}

/// DELETE /personal_access_tokens/:id, and `self`
pub async fn revoke(call: &Call<'_>, id: &str) -> Result<Reply> {
    let row = find(call, id).await?;
    sql::revoke(&call.store, row.id, call.now).await?;
    Ok(Reply::empty(204))
}

/// POST /users/:id/personal_access_tokens
///
/// One's own, or as an administrator anybody's.
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation::<NewToken>().and_then(|new| {
        if new.scopes.is_empty() {
            return Err(Error::not_given("scopes"));
        }
        new.checked(call.now, scopes::PERSONAL, 0)
    });
    create_for_user(call, user_id(id), input).await
}

/// The end of the day a week from now.
fn in_a_week(now: i64) -> i64 {
    const DAY: i64 = 86_400_000;
    (now / DAY + 7) * DAY
}

/// POST /personal_access_tokens/:id/rotate, and `self`
///
/// A new secret in the place of the old one, which ends. Without a date it lives for a week.
pub async fn rotate(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (input, named) = (Rotation::read(call), Named::read(id));
    let query = named.as_ref().ok().map(Named::query);
    let (found, kept) = call.sign_in_again(Rotation::key(&input), query).await?;
    let (named, old) = (named?, found.rows.first::<TokenRow>()?);
    let old = old.filter(|old| old.bot_id.is_none()).ok_or_else(|| named.missing(&found.caller))?;
    let Rotation { expires_at, key } = input?;
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    if old.revoked_at.is_some() {
        return Err(Error::message("400 Bad request - Token already revoked"));
    }
    let expires_at = Some(expires_at.unwrap_or_else(|| in_a_week(call.now)));
    let user_id = old.user_id;
    make(call, &found.caller, old.again(user_id, expires_at, call.now), key).await
}
