//! Badges: pictures of the status of the last commit of a branch or tag.

pub mod of_project;
mod picture;
mod placeholders;
pub mod v4;

use crate::areas::commits::counts::Counts;
use crate::kernel::policy::Visibility;
use crate::kernel::{Call, Entry, Reply, Result};

edgeforge_row::statements!(mod sql: "src/areas/badges/badges.sql");

/// A browser may open the picture as a document, so it must not load or run anything.
const POLICY: &str = "default-src 'none'; sandbox";

pub async fn show(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let (entry, counts) = call.authorize(sql::counts { sha: git_ref }).await?;
    Ok(sent(&entry, picture::build(state(counts))))
}

fn state(counts: Option<Counts>) -> &'static str {
    counts.and_then(|counts| counts.aggregate()).unwrap_or("unknown")
}

fn sent(entry: &Entry, picture: String) -> Reply {
    let picture = Reply::of("image/svg+xml", 200, picture).with("Content-Security-Policy", POLICY).with_strong_tag();
    let is_public = entry.resource.visibility == Visibility::Public;
    if is_public { picture.with("Cache-Control", "public, max-age=60") } else { picture }
}
