//! Branches and tags, in v3's shapes.

pub mod entity;
pub mod sql;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::Action;
use entity::{Branch, Tag};
use sql::RefRow;

/// GET /projects/:id/repository/branches
pub async fn branches(call: &Call<'_>, id: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, Ok(sql::list("refs/heads/"))).await?;
    let protection = entered.rows.shift()?.unwrap_or_default();
    let default = entered.place.default_branch.as_deref();
    let rows: Vec<RefRow> = entered.rows.all()?;
    let branches: Vec<Branch> = rows.into_iter().map(|row| Branch::new(row, default, protection)).collect();
    Ok(Reply::json(200, &branches))
}

/// GET /projects/:id/repository/branches/:branch
pub async fn branch(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, Ok(sql::one("refs/heads/", name))).await?;
    let protection = entered.rows.shift()?.unwrap_or_default();
    let row = entered.rows.first()?.ok_or_else(|| Error::missing("Branch"))?;
    Ok(Reply::json(200, &Branch::new(row, entered.place.default_branch.as_deref(), protection)))
}

/// GET /projects/:id/repository/tags
pub async fn tags(call: &Call<'_>, id: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, Ok(sql::list("refs/tags/"))).await?;
    let _protection: Option<i64> = entered.rows.shift()?;
    let rows: Vec<RefRow> = entered.rows.all()?;
    // the original listed the last name first
    let tags: Vec<Tag> = rows.into_iter().rev().map(Tag::new).collect();
    Ok(Reply::json(200, &tags))
}

/// GET /projects/:id/repository/tags/:tag
pub async fn tag(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, Ok(sql::one("refs/tags/", name))).await?;
    let _protection: Option<i64> = entered.rows.shift()?;
    let row = entered.rows.first()?.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row)))
}
