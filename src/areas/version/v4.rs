use super::REVISION;
use crate::kernel::{Call, Reply, Result};
use serde_json::{Value, json};

/// Clients compare the part before the first `-`.
const VERSION: &str = "17.0.0-edgeforge";

/// The same as `/version` and as `/metadata`.
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    call.authorize(()).await?;
    let kas = json!({ "enabled": false, "externalUrl": Value::Null, "externalK8sProxyUrl": Value::Null, "version": Value::Null });
    Ok(Reply::json(200, &json!({ "version": VERSION, "revision": REVISION, "kas": kas, "enterprise": false })))
}
