//! The length of every text parameter is checked here. An endpoint with a lower limit checks that itself.

use crate::kernel::error;

/// Bytes as JSON, without quotes. A row of the database takes 2 MB, and an answer may need two such texts in
/// one row.
const MOST_AS_JSON: usize = 900_000;

fn most(name: &str) -> usize {
    match name {
        "body" | "description" | "note" | "text" => 1_000_000,
        "sign_in_text" => 65_535,
        "target_url" => 16_384,
        "home_page_url" | "after_sign_out_path" => 2000,
        "path" | "file_path" | "filepath" | "direct_asset_path" | "custom_webhook_template" => 4096,
        "url" | "value" => 2048,
        // a path in base64
        "page_token" => 6000,
        // an id or the path of a project
        "target_project_id" => 511,
        // branches and tags, in bytes
        "after" | "default_branch" | "from" | "ref" | "ref_name" | "refs" | "sha" | "tag_name" | "to" => 1024,
        _ => 255,
    }
}

pub fn too_long(name: &str, text: &str) -> Option<String> {
    // shortcut: a text has no more characters than bytes
    if text.len() <= 255 {
        return None;
    }
    let most = most(name);
    // git measures names in bytes
    let length = if most == 1024 { text.len() } else { text.chars().count() };
    if length > most {
        return Some(error::too_long(most, "characters"));
    }
    let as_json = || serde_json::to_string(text).map_or(0, |json| json.len() - 2);
    (text.len() > MOST_AS_JSON / 6 && as_json() > MOST_AS_JSON).then(|| error::too_long(MOST_AS_JSON, "bytes as JSON"))
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/params/limits.rs"]
mod tests;
