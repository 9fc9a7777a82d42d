//! Lists of an issue that are always empty (behaviour 13.4).

use crate::call::{Call, path_number};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql;
use crate::page::Page;
use crate::policy::Action;

/// For those who see the issue, without a token too.
pub async fn anybody(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, call.page()?)));
    let query = |(iid, _): &(i64, Page)| sql::is_seen(*iid);
    let ((_, page), visited) = call.visit_with(id, Action::ReadIssues, input, query).await?;
    visited.rows.first::<bool>()?.ok_or_else(Error::no_record)?;
    empty::reply(call, &page)
}

/// The same for signed-in callers alone.
pub async fn signed_in(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    if !call.has_credentials() {
        return Err(Error::Unauthorized);
    }
    anybody(call, id, iid).await
}
