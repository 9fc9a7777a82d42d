//! Badges: the status of the commit that a branch or tag points to, as a small picture for readmes and pages.

mod picture;

use crate::call::Call;
use crate::commits::counts::Counts;
use crate::error::Result;
use crate::http::Reply;
use crate::policy::Visibility;

mod sql {
    use crate::sql::{impl_sql, include_sql};
    include_sql!("src/badges/badges.sql");
}

/// Opened by itself a picture is a document: it may neither load nor run anything.
const POLICY: &str = "default-src 'none'; sandbox";

/// GET /projects/:id/badges/:ref/build.svg
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
