mod entity;
mod list;
pub mod of_project;

use super::create::{Draft, Ends, create_for_user, make};
use super::{Creation, Rotation, TokenRow, sql};
use crate::areas::users::v4::user_id;
use crate::kernel::call::{Caller, Gate, Place, path_number};
use crate::kernel::policy::scopes;
use crate::kernel::time::DAY;
use crate::kernel::{Call, Error, Parameters, PreparedQuery, Query, Reply, Result, Row};
use entity::Token;
use list::ListRequest;

#[derive(Debug, Parameters)]
struct Owner {
    user_id: Option<i64>,
}

/// Returns the list and the filter's user.
fn listing(call: &Call<'_>) -> Result<(ListRequest, Option<i64>)> {
    let (request, owner) = (ListRequest::read(call), call.filters::<Owner>());
    Ok((request?, owner?.user_id))
}

/// The caller's own. Administrators list the tokens of all users, or of `user_id`.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query = |(asked, user_id): &(ListRequest, Option<i64>)| asked.of_users(*user_id);
    let ((_, user_id), entry, tokens) = call.authorize_with(listing(call), query).await?;
    let caller = entry.caller()?;
    if !caller.admin && user_id.is_some_and(|user_id| user_id != caller.user.id) {
        return Err(Error::Unauthorized);
    }
    list::reply(call, tokens, &[])
}

/// The token in the path: an id, or None for `self`.
struct TokenRef(Option<i64>);

impl TokenRef {
    fn read(text: &str) -> Result<TokenRef> {
        Ok(TokenRef(if text == "self" { None } else { Some(path_number("id", text)?) }))
    }

    fn query(&self) -> PreparedQuery<Option<FoundRow>> {
        sql::one { token_id: self.0 }.prepare()
    }

    /// The error if there is no such token. Only administrators get another error for a missing token than for one of
    /// another user.
    fn missing(&self, caller: &Caller) -> Error {
        match self.0 {
            // ADMIN_TOKEN is not in the database
            None => Error::message("400 Bad request - this token is not a stored one"),
            Some(_) if caller.admin => Error::no_record(),
            Some(_) => Error::Unauthorized,
        }
    }
}

#[derive(Debug, Row)]
pub struct FoundRow {
    #[row(flatten)]
    token: TokenRow,
    /// Whether the row is the token of the request.
    is_own: bool,
}

/// For `self` the route accepts a token of any kind. Otherwise the caller needs a personal one.
async fn find(call: &Call<'_>, id: &str) -> Result<TokenRow> {
    let token = TokenRef::read(id);
    if !matches!(token, Ok(TokenRef(None))) {
        call.arrive(Gate { place: Place::User, ..Gate::default() });
    }
    let (token, entry, row) = call.authorize_with(token, TokenRef::query).await?;
    row.map_or_else(|| Err(token.missing(entry.caller()?)), |found| Ok(found.token))
}

pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let row = find(call, id).await?;
    Ok(Reply::json(200, &Token::new(row, call.now, None)))
}

pub async fn revoke(call: &Call<'_>, id: &str) -> Result<Reply> {
    let row = find(call, id).await?;
    super::revoke(call, row.id, row.user_id).await?;
    Ok(Reply::empty(204))
}

pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = Creation::read(call).and_then(|new| {
        if new.scopes.is_empty() {
            return Err(Error::not_given("scopes"));
        }
        new.validated(call, scopes::PERSONAL, 0)
    });
    Ok(create_for_user(call, user_id(id), input).await?.reply(201, Token::new))
}

/// By default the new token ends at the beginning of the day a week from now, in UTC. If a token rotates itself, the new
/// one has at most the old lifetime. Otherwise the new one ends no later than the token of the request.
pub async fn rotate(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (input, token) = (Rotation::read(call), TokenRef::read(id));
    let query = token.as_ref().ok().map(TokenRef::query);
    let (entry, answer) = call.authorize_first(Rotation::query(call, &input, query)).await?;
    let (found, kept) = answer.unzip();
    let (token, caller) = (token?, entry.caller()?);
    let found = found.flatten().filter(|found| found.token.bot_id.is_none());
    let FoundRow { token: old, is_own } = found.ok_or_else(|| token.missing(caller))?;
    let Rotation { expires_at, old_ends, key } = input?;
    let draft = || {
        let old = old.if_active(call.now, Error::message("400 Bad request - Token already revoked"))?;
        let most = if is_own { old.same_lifetime_from(call.now) } else { caller.token_expires_at };
        let ends = Ends { usual: Some((call.now / DAY + 7) * DAY), most, old: old_ends };
        Ok(Draft::instead_of(old.clone(), old.user_id, expires_at, ends))
    };
    Ok(make(call, caller, draft, key, kept.flatten().as_ref()).await?.reply(201, Token::new))
}
