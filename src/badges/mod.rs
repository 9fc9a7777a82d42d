//! Badges: pictures of the status of the last commit of a branch or tag.

mod picture;

use crate::call::Call;
use crate::commits::counts::Counts;
use crate::error::Result;
use crate::http::Reply;
use crate::policy::Visibility;

crate::sql::include_statements!(mod sql: "src/badges/badges.sql");

/// A browser may open the picture as a document, so it must not load or run anything.
const POLICY: &str = "default-src 'none'; sandbox";

pub async fn show(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let entry = call.authorize(sql::counts { sha: git_ref }).await?;
    let counts: Option<Counts> = entry.rows.first()?;
    let state = counts.and_then(|counts| counts.aggregate()).unwrap_or("unknown");
    let picture = Reply::of("image/svg+xml", 200, picture::build(state))
        .with("Content-Security-Policy", POLICY)
        .with_strong_tag();
    let is_public = entry.resource.visibility == Visibility::Public;
    Ok(if is_public { picture.with("Cache-Control", "public, max-age=60") } else { picture })
}
