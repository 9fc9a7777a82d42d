//! Lists that are always empty: of what clients of v4 look for and this server has none of (behaviour 13.4). Whoever sees
//! the project, group or issue is told so in a list with the usual headers; for others it is not there.

use crate::call::{Call, scope};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::policy::Action;
use crate::store::sql;

/// The list, for an endpoint that has let its caller in.
pub fn reply(call: &Call<'_>, page: &Page) -> Result<Reply> {
    call.listing(page, Total::Both(0, false), &[], None, &[(); 0])
}

/// For those who see the project, without a token too.
pub async fn in_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |_: &Page| sql!(scope::PROJECT_HEAD);
    let (page, _) = call.visit_with(id, Action::ReadProject, call.page(), query).await?;
    reply(call, &page)
}

/// For those who see the group, without a token too.
pub async fn in_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |_: &Page| sql!(scope::GROUP_HEAD);
    let (page, _) = call.visit_group_with(id, Action::ReadProject, call.page(), query).await?;
    reply(call, &page)
}

/// Nothing of this kind can be made, by nobody.
pub async fn refuse_in_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    call.enter_group(id, Action::ReadProject, sql!(scope::GROUP_HEAD)).await?;
    Err(Error::FORBIDDEN)
}

/// GET /projects/:id/languages: no list, but an object without members.
pub async fn languages(call: &Call<'_>, id: &str) -> Result<Reply> {
    call.visit(id, Action::ReadProject, sql!(scope::PROJECT_HEAD)).await?;
    Ok(Reply::json_text(200, "{}".to_owned()))
}

/// For those who are signed in.
pub async fn alone(call: &Call<'_>) -> Result<Reply> {
    let (page, _) = call.sign_in_with(call.page(), |_| scope::caller_head()).await?;
    reply(call, &page)
}
