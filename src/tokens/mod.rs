//! Access tokens: of users, of projects, and of the hooks that push a project's mirror.

pub mod entity;
pub mod of_project;
pub mod sql;
pub mod v4;

use crate::call::Key;
use crate::call::idempotency::Kept;
use crate::call::{Call, Caller, SignedIn, path_id, token_hash};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::{Action, scopes};
use crate::store::Rows;
use crate::users::user_id;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use edgeforge_wire::text::hex;
use entity::Token;
use sql::{Draft, Origin, SaltedRow, TokenRow, Whose};

/// Parameters of a new token.
#[derive(Debug, Parameters)]
struct NewToken {
    name: String,
    expires_at: Option<String>,
    #[param(default)]
    scopes: Vec<String>,
}

/// A [`NewToken`] that can be made.
#[derive(Debug, Clone)]
struct Checked {
    name: String,
    expires_at: Option<i64>,
    scopes: i64,
}

impl NewToken {
    /// `known`: the scopes that it may have. `usual`: those of a token that asks for none.
    fn checked(self, now: i64, known: &[(&str, i64)], usual: i64) -> Result<Checked> {
        let name = self.name.trim().to_owned();
        let mut errors = ValidationErrors::default();
        names::check_letters(&mut errors, "name", Some(&name));
        let expires_at = read_expiry(&mut errors, self.expires_at.as_deref(), now);
        let bit = |name: &String| known.iter().find(|(scope, _)| scope == name).map(|(_, bit)| *bit);
        let scopes: Option<i64> = self.scopes.iter().try_fold(0, |bits, name| Some(bits | bit(name)?));
        if scopes.is_none() {
            errors.add("scopes", "can only contain available scopes");
        }
        let scopes = scopes.filter(|bits| *bits != 0).unwrap_or(usual);
        errors.result().map(|()| Checked { name, expires_at, scopes })
    }
}

fn read_expiry(errors: &mut ValidationErrors, text: Option<&str>, now: i64) -> Option<i64> {
    let expires_at = errors.read_time("expires_at", text);
    if expires_at.is_some_and(|at| at <= now) {
        errors.add("expires_at", "is in the past");
    }
    expires_at
}

/// What is asked of a rotation.
struct Rotation {
    expires_at: Option<i64>,
    key: Option<Key>,
}

/// Its parameters.
#[derive(Debug, Parameters)]
struct RotationParams {
    expires_at: Option<String>,
}

impl Rotation {
    fn read(call: &Call<'_>) -> Result<Rotation> {
        let asked: RotationParams = call.creation()?;
        let mut errors = ValidationErrors::default();
        let expires_at = read_expiry(&mut errors, asked.expires_at.as_deref(), call.now);
        errors.result()?;
        Ok(Rotation { expires_at, key: key_of(call)? })
    }

    fn key(input: &Result<Rotation>) -> Option<&Key> {
        input.as_ref().ok().and_then(|rotation| rotation.key.as_ref())
    }
}

impl TokenRow {
    /// A token with another secret in the place of this one. `user_id`: who counts as its maker.
    fn again(self, user_id: i64, expires_at: Option<i64>, now: i64) -> Draft {
        Draft {
            hash: String::new(),
            user_id,
            project_id: self.project_id,
            scopes: self.scopes,
            access: self.access,
            name: self.name.clone(),
            expires_at,
            now,
            origin: Origin::Instead(self),
        }
    }
}

/// 20 characters that fit into an address and a header.
fn fresh(random: &[u8; 16]) -> String {
    let (fifteen, _) = random.split_at(15);
    BASE64_URL_SAFE_NO_PAD.encode(fifteen)
}

/// When it expires: no later than the token that asks for it, which may outlive its user's trust otherwise.
fn expiry(asked: Option<i64>, caller: &Caller) -> Result<Option<i64>> {
    match (asked, caller.token_expires_at) {
        (Some(asked), Some(most)) if asked > most => {
            Err(Error::field("expires_at", "cannot be later than that of the token that makes it"))
        }
        (asked, most) => Ok(asked.or(most)),
    }
}

/// The fresh token's hash is kept; the token itself is in this answer alone. With an Idempotency-Key it follows from what
/// the caller has, so that a repeat can be answered with it: see [`Call::derived`].
async fn make(call: &Call<'_>, caller: &Caller, draft: Draft, key: Option<Key>) -> Result<Reply> {
    let salt = hex(&call.random);
    let random = key.as_ref().map_or(call.random, |key| call.derived(key, &salt));
    let token = fresh(&random);
    let expires_at = if draft.replaces_own() { draft.expires_at } else { expiry(draft.expires_at, caller)? };
    let draft = Draft { hash: token_hash(&token), expires_at, ..draft };
    let kept_for = key.as_ref().map(|key| (key, caller.user.id, salt.as_str()));
    match (sql::create(&call.store, draft, kept_for).await, key) {
        (Err(failure), Some(key)) if failure.is_expectation() => {
            let kept = key.find(&call.store, caller.user.id, call.now).await?;
            again(call, kept.ok_or_else(Error::no_record)?, &key)
        }
        // what it was to replace has ended
        (Err(failure), None) if failure.is_expectation() => Err(Error::no_record()),
        (made, _) => {
            let row = made?.ok_or_else(|| Error::Internal("a new token is not there".to_owned()))?;
            Ok(Reply::json(201, &Token::new(row, call.now, Some(token), call.dialect)))
        }
    }
}

/// The first answer again, as of the token's first moment.
fn again(call: &Call<'_>, kept: Kept, key: &Key) -> Result<Reply> {
    kept.reply(201, |SaltedRow { token, salt }, _| {
        let secret = fresh(&call.derived(key, &salt));
        let made_at = token.created_at;
        Token::new(token, made_at, Some(secret), call.dialect)
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
    let tokens: Vec<Token> =
        rows.into_iter().map(|row| Token::new(row, call.now, None, call.dialect)).collect();
    call.listing(page, total, &[("id", id)], cursor, &tokens)
}

/// Whose tokens they are: the caller's own, or anybody's for administrators.
fn subject(entered: &SignedIn) -> Result<Whose> {
    let whose: Whose = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    let own = whose.user_id == entered.caller.user.id;
    if own || entered.caller.admin { Ok(whose) } else { Err(Error::FORBIDDEN) }
}

impl Checked {
    fn draft(self, call: &Call<'_>, user_id: i64, project_id: Option<i64>) -> Draft {
        let Checked { name, expires_at, scopes } = self;
        let hash = String::new();
        Draft {
            hash,
            user_id,
            project_id,
            origin: Origin::New,
            scopes,
            access: None,
            name,
            expires_at,
            now: call.now,
        }
    }
}

async fn list_in_project(call: &Call<'_>, id: &str, kind: &str) -> Result<Reply> {
    let (page, entered) = call
        .enter_with(id, Action::ManageTokens, call.page(), |page| sql::list_of_project(kind, page))
        .await?;
    listed(call, id, &page, &entered.rows)
}

async fn revoke_in_project(call: &Call<'_>, id: &str, kind: &str, token_id: &str) -> Result<Reply> {
    let (_, entered) =
        call.enter_with(id, Action::ManageTokens, path_id(token_id), |id| sql::of_project(kind, *id)).await?;
    let row: TokenRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    sql::revoke(&call.store, row.id, call.now).await?;
    Ok(Reply::empty(204))
}

/// Makes a token of a user. `input`: what it is to be.
async fn create_for_user(call: &Call<'_>, user_id: Result<i64>, input: Result<Checked>) -> Result<Reply> {
    let key = key_of(call);
    // whose it would be is judged before what it would be called
    let query = user_id.as_ref().ok().map(|id| sql::whose(*id, None));
    let (entered, kept) = call.sign_in_again(key.as_ref().ok().and_then(Option::as_ref), query).await?;
    user_id?;
    let whose = subject(&entered)?;
    let (new, key) = (input?, key?);
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    make(call, &entered.caller, new.draft(call, whose.user_id, None), key).await
}

/// POST /users/:id/personal_access_tokens
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation::<NewToken>();
    let input = input.and_then(|new| new.checked(call.now, scopes::PERSONAL, scopes::API));
    create_for_user(call, user_id(call, id), input).await
}

/// GET /users/:id/personal_access_tokens
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, call.page()?)));
    let ((_, page), mut entered) = call.sign_in_with(input, |(id, page)| sql::list(*id, page)).await?;
    subject(&entered)?;
    // the first row says whose they are
    let _: Option<Whose> = entered.rows.shift()?;
    listed(call, id, &page, &entered.rows)
}

/// DELETE /users/:id/personal_access_tokens/:token_id
pub async fn revoke(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, path_id(token_id)?)));
    let (_, entered) = call.sign_in_with(input, |(id, token_id)| sql::whose(*id, Some(*token_id))).await?;
    let token_id = subject(&entered)?.token_id.ok_or_else(Error::no_record)?;
    sql::revoke(&call.store, token_id, call.now).await?;
    Ok(Reply::empty(204))
}

/// POST /projects/:id/hook_tokens
pub async fn create_for_hook(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation().and_then(|new: NewToken| new.checked(call.now, scopes::HOOK, scopes::MIRROR));
    let input = input.and_then(|new| Ok((new, key_of(call)?)));
    let key = input.as_ref().ok().and_then(|(_, key)| key.as_ref());
    let (entered, kept) = call.enter_again(id, Action::ManageTokens, key, Some(sql::project())).await?;
    let (new, key) = input?;
    if let (Some(kept), Some(key)) = (kept, &key) {
        return again(call, kept, key);
    }
    let draft = new.draft(call, entered.caller.user.id, Some(entered.resource.id));
    make(call, &entered.caller, draft, key).await
}

/// GET /projects/:id/hook_tokens
pub async fn list_of_hooks(call: &Call<'_>, id: &str) -> Result<Reply> {
    list_in_project(call, id, "hook").await
}

/// DELETE /projects/:id/hook_tokens/:token_id
pub async fn revoke_of_hook(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    revoke_in_project(call, id, "hook", token_id).await
}
