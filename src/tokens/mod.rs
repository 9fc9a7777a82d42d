//! Access tokens: of users, and of the hooks that push a project's mirror.

pub mod entity;
pub mod sql;

use crate::call::idempotency::{Kept, Key};
use crate::call::{Call, Caller, SignedIn, path_id, token_hash};
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::names;
use crate::page::Page;
use crate::policy::Action;
use crate::store::Rows;
use crate::users::user_id;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use entity::Token;
use serde::Deserialize;
use sql::{Draft, SaltedRow, TokenRow, Whose};

/// Parameters of a new token.
#[derive(Debug, Deserialize)]
struct NewToken {
    name: String,
    expires_at: Option<String>,
}

/// A [`NewToken`] that can be made: its name, and when it expires.
#[derive(Debug, Clone)]
struct Checked {
    name: String,
    expires_at: Option<i64>,
}

impl NewToken {
    fn checked(self, now: i64) -> Result<Checked> {
        let name = self.name.trim().to_owned();
        let mut faults = Faults::default();
        names::check_letters(&mut faults, "name", Some(&name));
        let expires_at = faults.read_time("expires_at", self.expires_at.as_deref());
        if expires_at.is_some_and(|at| at <= now) {
            faults.add("expires_at", "is in the past");
        }
        faults.result().map(|()| Checked { name, expires_at })
    }
}

/// 20 characters that fit into an address and a header.
fn fresh(random: &[u8; 16]) -> String {
    let (fifteen, _) = random.split_at(15);
    BASE64_URL_SAFE_NO_PAD.encode(fifteen)
}

impl Checked {
    /// When it expires: no later than the token that asks for it, which may outlive its user's trust otherwise.
    fn expiry(&self, caller: &Caller) -> Result<Option<i64>> {
        match (self.expires_at, caller.token_expires_at) {
            (Some(asked), Some(most)) if asked > most => {
                Err(Error::field("expires_at", "cannot be later than that of the token that makes it"))
            }
            (asked, most) => Ok(asked.or(most)),
        }
    }
}

/// The fresh token's hash is kept; the token itself is in this answer alone. With an Idempotency-Key it follows from what
/// the caller has, so that a repeat can be answered with it: see [`Call::derived`].
async fn make(
    call: &Call<'_>,
    caller: &Caller,
    (user_id, project_id): (i64, Option<i64>),
    new: Checked,
    key: Option<Key>,
) -> Result<Reply> {
    let salt: String = call.random.iter().map(|byte| format!("{byte:02x}")).collect();
    let random = key.as_ref().map_or(call.random, |key| call.derived(key, &salt));
    let token = fresh(&random);
    let expires_at = new.expiry(caller)?;
    let name = new.name;
    let draft = Draft { hash: token_hash(&token), user_id, project_id, name, expires_at, now: call.now };
    let kept_for = key.as_ref().map(|key| (key, caller.user.id, salt.as_str()));
    match (sql::create(&call.store, draft, kept_for).await, key) {
        (Err(failure), Some(key)) if failure.is_expectation() => {
            let kept = key.find(&call.store, caller.user.id, call.now).await?;
            again(call, kept.ok_or(failure)?, &key)
        }
        (made, _) => {
            let row = made?.ok_or_else(|| Error::Internal("a new token is not there".to_owned()))?;
            Ok(Reply::json(201, &Token::new(row, call.now, Some(token))))
        }
    }
}

/// The first answer again, as of the token's first moment.
fn again(call: &Call<'_>, kept: Kept, key: &Key) -> Result<Reply> {
    kept.reply(201, |SaltedRow { token, salt }, _| {
        let secret = fresh(&call.derived(key, &salt));
        let made_at = token.created_at;
        Token::new(token, made_at, Some(secret))
    })
}

/// None, or one for the token that the request was sent with.
fn key_of(call: &Call<'_>) -> Result<Option<Key>> {
    Ok(call.idempotency_key()?.map(|key| key.bound_to_token(call)))
}

fn listed(call: &Call<'_>, id: &str, page: &Page, rows: &Rows) -> Result<Reply> {
    let mut rows: Vec<TokenRow> = rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.id.into()]));
    let tokens: Vec<Token> = rows.into_iter().map(|row| Token::new(row, call.now, None)).collect();
    call.listing(page, total, &[("id", id)], cursor, &tokens)
}

/// Lets through the user himself and administrators.
fn admit(entered: &SignedIn) -> Result<Whose> {
    let whose: Whose = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    let own = whose.user_id == entered.caller.user.id;
    if own || entered.caller.admin { Ok(whose) } else { Err(Error::FORBIDDEN) }
}

/// POST /users/:id/personal_access_tokens
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let user_id = user_id(call, id);
    let input = call.creation().and_then(|new: NewToken| new.checked(call.now));
    let key = key_of(call);
    // whose it would be is judged before what it would be called
    let question = user_id.map(|id| sql::whose(id, None));
    let (entered, kept) = call.sign_in_again(key.as_ref().ok().and_then(Option::as_ref), question).await?;
    let whose = admit(&entered)?;
    let (new, key) = (input?, key?);
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    make(call, &entered.caller, (whose.user_id, None), new, key).await
}

/// GET /users/:id/personal_access_tokens
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let page = call.page();
    let question = user_id(call, id).and_then(|id| match &page {
        Ok(page) => Ok(sql::list(id, page)),
        Err(error) => Err(error.clone()),
    });
    let mut entered = call.sign_in(question).await?;
    admit(&entered)?;
    // the first row says whose they are
    let _: Option<Whose> = entered.rows.shift()?;
    listed(call, id, &page?, &entered.rows)
}

/// DELETE /users/:id/personal_access_tokens/:token_id
pub async fn revoke(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let question = user_id(call, id).and_then(|id| Ok(sql::whose(id, Some(path_id(token_id)?))));
    let entered = call.sign_in(question).await?;
    let token_id = admit(&entered)?.token_id.ok_or_else(Error::no_record)?;
    sql::revoke(&call.store, token_id, call.now).await?;
    Ok(Reply::empty(204))
}

/// POST /projects/:id/hook_tokens
pub async fn create_for_hook(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation().and_then(|new: NewToken| new.checked(call.now));
    let input = input.and_then(|new| Ok((new, key_of(call)?)));
    let key = input.as_ref().ok().and_then(|(_, key)| key.as_ref());
    let (entered, kept) = call.enter_again(id, Action::ManageHooks, key, Ok(sql::project())).await?;
    let (new, key) = input?;
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    make(call, &entered.caller, (entered.caller.user.id, Some(entered.place.id)), new, key).await
}

/// GET /projects/:id/hook_tokens
pub async fn list_of_hooks(call: &Call<'_>, id: &str) -> Result<Reply> {
    let page = call.page();
    let question = page.as_ref().map(sql::list_of_hooks).map_err(Error::clone);
    let entered = call.enter(id, Action::ManageHooks, question).await?;
    listed(call, id, &page?, &entered.rows)
}

/// DELETE /projects/:id/hook_tokens/:token_id
pub async fn revoke_of_hook(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let question = path_id(token_id).map(sql::of_hook);
    let entered = call.enter(id, Action::ManageHooks, question).await?;
    let row: TokenRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    sql::revoke(&call.store, row.id, call.now).await?;
    Ok(Reply::empty(204))
}
