//! The tokens of a project and of its mirror hooks. A caller who may not manage them gets 401 for tokens of the
//! project, as from GitLab, and 403 for tokens of hooks, which GitLab does not have.

use super::super::of_project::{self, TokenRotation};
use super::super::{HOOK, PROJECT, Rotation, revoke as end};
use super::entity::Token;
use super::list::ListRequest;
use crate::kernel::{Call, Entry, Error, Reply, Result};

fn absent() -> Error {
    Error::missing("project Access Token")
}

fn as_gitlab(error: Error) -> Error {
    if error == Error::FORBIDDEN { Error::Unauthorized } else { error }
}

pub async fn list(call: &Call<'_>, of_kind: &str) -> Result<Reply> {
    let tokens = call.authorize_with(ListRequest::read(call), |asked| asked.of_project(of_kind)).await;
    let (_, _, tokens) = tokens.map_err(|error| if of_kind == PROJECT { as_gitlab(error) } else { error })?;
    super::list::reply(call, tokens, &[("id", &call.named())])
}

pub async fn show(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let row = of_project::find(call, PROJECT, token_id, absent).await.map_err(as_gitlab)?;
    Ok(Reply::json(200, &Token::new(row, call.now, None)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    Ok(of_project::create(call).await.map_err(as_gitlab)?.reply(201, Token::new))
}

pub async fn revoke(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let row = of_project::find(call, PROJECT, token_id, absent).await.map_err(as_gitlab)?;
    end(call, row.id, row.user_id).await?;
    Ok(Reply::empty(204))
}

pub async fn rotate(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let absent = |entry: &Entry| match &entry.caller {
        Some(caller) if caller.admin => absent(),
        _ => Error::Unauthorized,
    };
    let found = TokenRotation::find(call, of_project::one(token_id), absent).await.map_err(as_gitlab)?;
    Ok(found.by_caller(call).await?.reply(200, Token::new))
}

/// 405 for a token that is not one of a project.
pub async fn rotate_itself(call: &Call<'_>) -> Result<Reply> {
    let other = |_: &Entry| match Rotation::read(call) {
        Err(error) => error,
        Ok(_) => Error::Refused(405, "405 Method Not Allowed".to_owned()),
    };
    let found = TokenRotation::find(call, of_project::own(), other).await?;
    Ok(found.by_itself(call).await?.reply(200, Token::new))
}

pub async fn create_of_hook(call: &Call<'_>) -> Result<Reply> {
    Ok(of_project::create_of_hook(call).await?.reply(201, Token::new))
}

pub async fn revoke_of_hook(call: &Call<'_>, token_id: &str) -> Result<Reply> {
    let row = of_project::find(call, HOOK, token_id, Error::no_record).await?;
    end(call, row.id, row.user_id).await?;
    Ok(Reply::empty(204))
}
