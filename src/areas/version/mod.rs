pub mod v4;

use crate::kernel::{Call, Reply, Result};
use serde_json::json;

/// Clients of v3 compare this version.
const VERSION: &str = "8.12.0-edgeforge";
const REVISION: &str = env!("CARGO_PKG_VERSION");

/// The root of an API: links to the documentation.
pub async fn entrance(call: &Call<'_>) -> Result<Reply> {
    call.params()?;
    let (base, path) = (call.links(false).base, call.dialect.base_path());
    let entrance = json!({
        "api": path.trim_start_matches("/api/"),
        "documentation": format!("{base}/docs"),
        "description": format!("{base}{path}/openapi.json"),
    });
    Ok(Reply::json(200, &entrance))
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    call.authorize(()).await?;
    Ok(Reply::json(200, &json!({ "version": VERSION, "revision": REVISION })))
}
