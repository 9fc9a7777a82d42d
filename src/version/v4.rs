//! Which API this is, in v4 (behaviour 13.1).

use super::REVISION;
use crate::call::Call;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::http::Reply;
use crate::store::Batch;
use serde_json::{Value, json};

/// Clients compare what stands before the first `-`.
const VERSION: &str = "17.0.0-edgeforge";

/// GET /api/v4: where the documentation is.
pub async fn entrance(call: &Call<'_>) -> Result<Reply> {
    call.params()?;
    let base = call.links(false).base;
    let description = format!("{base}{}/openapi.json", Dialect::V4.base_path());
    Ok(Reply::json(
        200,
        &json!({ "api": "v4", "documentation": format!("{base}/"), "description": description }),
    ))
}

/// GET /version
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    call.authorize(Batch::default()).await?;
    Ok(Reply::json(200, &json!({ "version": VERSION, "revision": REVISION })))
}

/// GET /metadata
pub async fn metadata(call: &Call<'_>) -> Result<Reply> {
    call.authorize(Batch::default()).await?;
    let kas = json!({ "enabled": false, "externalUrl": Value::Null, "externalK8sProxyUrl": Value::Null, "version": Value::Null });
    Ok(Reply::json(
        200,
        &json!({ "version": VERSION, "revision": REVISION, "kas": kas, "enterprise": false }),
    ))
}
