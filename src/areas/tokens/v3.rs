use super::create::create_for_user;
use super::of_project::{self, TokenRotation};
use super::{Creation, OwnerRow, TokenFields, TokenRow, owner, sql};
use crate::areas::users::v3::user_id;
use crate::kernel::call::path_id;
use crate::kernel::lists::Listed;
use crate::kernel::policy::scopes;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Token {
    #[serde(flatten)]
    begin: TokenFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    access_level: Option<i64>,
    active: bool,
    expires_at: Option<String>,
    /// Only in the answer that creates the token.
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
            begin: TokenFields::new(row),
        }
    }
}

fn listing(call: &Call<'_>, id: &str, tokens: Listed<TokenRow>) -> Result<Reply> {
    tokens.reply_at(call, &[("id", id)], |row| Token::new(row, call.now, None))
}

pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, call.page()?)));
    let query = |(user_id, page): &(i64, Page)| {
        let user_id = *user_id;
        (sql::owner { user_id, token_id: None::<i64> }, sql::list { user_id, page: page.clone() })
    };
    let (_, entry, (found, tokens)) = call.authorize_with(input, query).await?;
    owner(&entry, found)?;
    listing(call, id, tokens)
}

pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = Creation::read(call).and_then(|new| new.validated(call, scopes::PERSONAL, scopes::API));
    Ok(create_for_user(call, user_id(call, id), input).await?.reply(201, Token::new))
}

pub async fn revoke(call: &Call<'_>, id: &str, token_id: &str) -> Result<Reply> {
    let input = user_id(call, id).and_then(|id| Ok((id, path_id(token_id)?)));
    let query = |(user_id, token_id): &(i64, i64)| sql::owner { user_id: *user_id, token_id: *token_id };
    let (_, entry, found) = call.authorize_with(input, query).await?;
    let OwnerRow { token_id, user_id } = owner(&entry, found)?;
    super::revoke(call, token_id.ok_or_else(Error::no_record)?, user_id).await?;
    Ok(Reply::empty(204))
}

/// `of_kind`: the tokens of the project or of its hooks.
pub async fn list_in_project(call: &Call<'_>, of_kind: &str) -> Result<Reply> {
    let query = |page: &Page| sql::list_in_project { of_kind, page: page.clone() };
    let (_, _, tokens) = call.authorize_with(call.page(), query).await?;
    listing(call, &call.named(), tokens)
}

pub async fn revoke_in_project(call: &Call<'_>, of_kind: &str, token_id: &str) -> Result<Reply> {
    let row = of_project::find(call, of_kind, token_id, Error::no_record).await?;
    super::revoke(call, row.id, row.user_id).await?;
    Ok(Reply::empty(204))
}

pub async fn create_of_hook(call: &Call<'_>) -> Result<Reply> {
    Ok(of_project::create_of_hook(call).await?.reply(201, Token::new))
}

pub async fn create_of_project(call: &Call<'_>) -> Result<Reply> {
    Ok(of_project::create(call).await?.reply(201, Token::new))
}

pub async fn rotate_of_project(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let found = TokenRotation::find(call, of_project::one(token_id), |_| Error::no_record()).await?;
    Ok(found.by_caller(call).await?.reply(201, Token::new))
}
