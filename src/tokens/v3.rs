use super::create::{Draft, Ends, create_for_project, create_for_user, make};
use super::{Begin, Creation, OwnerRow, Rotation, TokenRow, owner, sql};
use crate::call::{Call, path_id};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::{Access, scopes};
use crate::store::Rows;
use crate::time;
use crate::users::v3::user_id;
use crate::walk;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Token {
    #[serde(flatten)]
    begin: Begin,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    access_level: Option<i64>,
    active: bool,
    expires_at: Option<String>,
    /// Only in the answer to its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl Token {
    fn new(row: TokenRow, now: i64, token: Option<String>) -> Token {
        Token {
            project_id: row.project_id,
            access_level: row.access,
            active: row.is_active(now),
            expires_at: row.expires_at.map(time::utc),
            token,
            begin: Begin::new(row),
        }
    }
}

fn listing(call: &Call<'_>, id: &str, page: &Page, rows: &Rows) -> Result<Reply> {
    let tokens = walk::page(rows, page, |row: &TokenRow| [row.id.into()])?;
    tokens.reply_at(call, page, &[("id", id)], |row| Token::new(row, call.now, None))
}

pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, call.page()?)));
    let query = |(user_id, page): &(i64, Page)| {
        let (user_id, (after, skip)) = (*user_id, page.after());
        [
            sql::owner { user_id, token_id: None::<i64> }.into(),
            sql::list { user_id, after, most: page.size + 1, skip }.into(),
        ]
    };
    let ((_, page), entry) = call.authorize_with(input, query).await?;
    owner(&entry)?;
    listing(call, id, &page, entry.more.first().unwrap_or(&entry.rows))
}

pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation::<Creation>();
    let input = input.and_then(|new| new.validated(call.now, scopes::PERSONAL, scopes::API));
    Ok(create_for_user(call, user_id(call, id), input).await?.reply(Token::new))
}

pub async fn revoke(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, path_id(token_id)?)));
    let query = |(user_id, token_id): &(i64, i64)| sql::owner { user_id: *user_id, token_id: *token_id };
    let (_, entry) = call.authorize_with(input, query).await?;
    let OwnerRow { token_id, .. } = owner(&entry)?;
    super::revoke(call, token_id.ok_or_else(Error::no_record)?).await?;
    Ok(Reply::empty(204))
}

async fn list_in_project(call: &Call<'_>, of_kind: &str) -> Result<Reply> {
    let query = |page: &Page| {
        let (after, skip) = page.after();
        sql::list_in_project { of_kind, after, most: page.size + 1, skip }
    };
    let (page, entry) = call.authorize_with(call.page(), query).await?;
    listing(call, &call.named(), &page, &entry.rows)
}

async fn revoke_in_project(call: &Call<'_>, of_kind: &str, token_id: &str) -> Result<Reply> {
    let query = |token_id: &i64| sql::one_in_project { token_id: *token_id, of_kind };
    let (_, entry) = call.authorize_with(path_id(token_id), query).await?;
    let row: TokenRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    super::revoke(call, row.id).await?;
    Ok(Reply::empty(204))
}

pub async fn create_of_hook(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<Creation>();
    let input = input.and_then(|new| Ok((new.validated(call.now, scopes::HOOK, scopes::MIRROR)?, None)));
    Ok(create_for_project(call, input).await?.reply(Token::new))
}

pub async fn list_of_hooks(call: &Call<'_>) -> Result<Reply> {
    list_in_project(call, "hook").await
}

pub async fn revoke_of_hook(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    revoke_in_project(call, "hook", token_id).await
}

/// Read in addition to [`Creation`]. The highest level is that of a master.
#[derive(Debug, Parameters)]
struct Level {
    access_level: Option<i64>,
}

impl Level {
    fn validated(self) -> Result<i64> {
        let level = self.access_level.unwrap_or(Access::Developer.level());
        let is_valid = (10..=Access::Master.level()).contains(&level) && Access::from(level).level() == level;
        if is_valid { Ok(level) } else { Err(Error::field("access_level", "is not included in the list")) }
    }
}

pub async fn create_of_project(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<Creation>().and_then(|new| {
        let new = new.validated(call.now, scopes::PROJECT, 0)?;
        if new.scopes == 0 {
            return Err(Error::not_given("scopes"));
        }
        Ok((new, Some(call.creation::<Level>()?.validated()?)))
    });
    Ok(create_for_project(call, input).await?.reply(Token::new))
}

pub async fn list_of_project(call: &Call<'_>) -> Result<Reply> {
    list_in_project(call, "project").await
}

pub async fn revoke_of_project(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    revoke_in_project(call, "project", token_id).await
}

/// The new token acts as the same user, and the caller becomes its creator. By default it has the lifetime of the old one.
pub async fn rotate_of_project(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let (input, token_id) = (Rotation::read(call), path_id(token_id));
    let query = token_id.as_ref().ok();
    let query = query.map(|token_id| sql::one_in_project { token_id: *token_id, of_kind: "project" }.into());
    let entry = call.authorize_first(Rotation::batch(call, &input, query)).await?;
    token_id?;
    let old: TokenRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    let Rotation { expires_at, key } = input?;
    let caller = entry.caller()?;
    let draft = || {
        let old = old.if_active(call.now, Error::no_record())?;
        let ends = Ends { usual: old.same_lifetime_from(call.now), most: caller.token_expires_at };
        Ok(Draft::instead_of(old, caller.user.id, expires_at, ends))
    };
    Ok(make(call, caller, draft, key, &entry.more).await?.reply(Token::new))
}
