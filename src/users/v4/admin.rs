//! What administrators do with users in v4.

use super::{Own, user_id};
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::users::{create_checked, edit};

/// POST /users
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, links) = create_checked(call).await?;
    Ok(Reply::json(201, &Own::new(row, true, &links)))
}

/// PUT /users/:id
pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = edit::apply(call, user_id(id)).await?;
    Ok(Reply::json(200, &Own::new(row, true, &links)))
}

/// DELETE /users/:id
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    edit::shut_out(call, user_id(id)).await?;
    Ok(Reply::empty(204))
}

/// POST /users/:id/block. Clients take `true` for a change; the original says null of who is blocked already.
pub async fn block(call: &Call<'_>, id: &str) -> Result<Reply> {
    let changed = edit::set_blocked(call, user_id(id), true).await?;
    Ok(Reply::json(201, &changed.then_some(true)))
}

/// POST /users/:id/unblock. As above, but the original says false of who is not blocked.
pub async fn unblock(call: &Call<'_>, id: &str) -> Result<Reply> {
    let changed = edit::set_blocked(call, user_id(id), false).await?;
    Ok(Reply::json(201, &changed))
}
