//! Badges: how the commit stands that a branch or tag points to, as a small picture for readmes and pages.

pub mod entity;
pub mod sql;

use crate::call::Call;
use crate::commits::counts::Counts;
use crate::error::Result;
use crate::http::Reply;
use crate::policy::{Action, Visibility};

/// Opened by itself a picture is a document: it may neither load nor run anything.
const POLICY: &str = "default-src 'none'; sandbox";

/// GET /projects/:id/badges/:ref/build.svg
pub async fn show(call: &Call<'_>, id: &str, git_ref: &str) -> Result<Reply> {
    let visited = call.visit_anyhow(id, Action::ReadStatuses, sql::counts(git_ref)).await?;
    let counts: Option<Counts> = visited.rows.first()?;
    let state = counts.and_then(|counts| counts.aggregate()).unwrap_or("unknown");
    let picture = Reply::of("image/svg+xml", 200, entity::build(state))
        .with("Content-Security-Policy", POLICY)
        .with_strong_tag();
    let is_public = visited.resource.visibility == Visibility::Public;
    Ok(if is_public { picture.with("Cache-Control", "public, max-age=60") } else { picture })
}
