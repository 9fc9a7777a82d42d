//! Empty lists of records that v4's clients ask for and this server does not have (behaviour 13.4).

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Page, Total};
use crate::kernel::store::Batch;

/// For callers that are authorized already.
pub fn reply(call: &Call<'_>, page: &Page) -> Result<Reply> {
    call.listing(page, Total::Both(0, false), &[], None, &[(); 0])
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (page, _) = call.authorize_rows_with(call.page(), |_| Batch::default()).await?;
    reply(call, &page)
}

/// Always 403: this server has no such records.
pub async fn refuse(call: &Call<'_>) -> Result<Reply> {
    call.authorize_rows(Batch::default()).await?;
    Err(Error::FORBIDDEN)
}

/// An empty object.
pub async fn languages(call: &Call<'_>) -> Result<Reply> {
    call.authorize_rows(Batch::default()).await?;
    Ok(Reply::json_text(200, "{}".to_owned()))
}
