//! Empty lists of records that v4's clients ask for and this server does not have (behaviour 13.4).

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Page, Total};

/// The empty page, for an endpoint that has authorized the caller.
pub fn reply(call: &Call<'_>, page: &Page) -> Result<Reply> {
    call.listing(page, Total::Both(0, false), &[], None, &[(); 0])
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (page, ..) = call.authorize_with(call.page(), |_| ()).await?;
    reply(call, &page)
}

/// Always 403: this server has no such records.
pub async fn refuse(call: &Call<'_>) -> Result<Reply> {
    call.authorize(()).await?;
    Err(Error::FORBIDDEN)
}

/// An empty object.
pub async fn languages(call: &Call<'_>) -> Result<Reply> {
    call.authorize(()).await?;
    Ok(Reply::json_text(200, "{}".to_owned()))
}
