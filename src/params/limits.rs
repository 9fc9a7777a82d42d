//! How long a text may be. Every text that an endpoint reads is held against this table, so that none is forgotten; an
//! endpoint with a narrower limit checks that itself.

use crate::error;

/// Bytes of any text as JSON, without its quotes: control characters take six. A row of the database takes 2 MB, and
/// an answer may have to tell two such texts in one row.
const MOST_AS_JSON: usize = 900_000;

/// Characters that the parameter `name` may have.
fn most(name: &str) -> usize {
    match name {
        "body" | "description" | "note" => 1_000_000,
        "sign_in_text" => 65_535,
        "target_url" => 16_384,
        "home_page_url" | "after_sign_out_path" => 2000,
        // files in a repository
        "path" => 4096,
        // branches and tags
        "after" | "default_branch" | "ref" | "ref_name" | "sha" => 1024,
        _ => 255,
    }
}

/// What is wrong with a text that is too long.
pub(super) fn too_long(name: &str, text: &str) -> Option<String> {
    // most texts are short, and none has more characters than bytes
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
    (text.len() > MOST_AS_JSON / 6 && as_json() > MOST_AS_JSON)
        .then(|| error::too_long(MOST_AS_JSON, "bytes as JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_measured_in_characters_and_as_json() {
        let fault = |name: &str, text: &str, times: usize| too_long(name, &text.repeat(times));
        assert_eq!(fault("title", "🐙", 255), None);
        assert_eq!(fault("title", "x", 256), Some(error::too_long(255, "characters")));
        assert_eq!(fault("description", "x", 1_000_001), Some(error::too_long(1_000_000, "characters")));
        for (text, length) in [("x", 1), ("\u{1}", 6), ("\n", 2), ("é", 2)] {
            assert_eq!(fault("note", text, MOST_AS_JSON / length), None, "{text:?}");
            let refused = fault("note", text, MOST_AS_JSON / length + 1);
            assert_eq!(refused, Some(error::too_long(MOST_AS_JSON, "bytes as JSON")), "{text:?}");
        }
    }

    #[test]
    fn a_branch_is_measured_in_bytes() {
        assert_eq!(too_long("default_branch", &"é".repeat(512)), None);
        assert_eq!(too_long("default_branch", &"é".repeat(513)), Some(error::too_long(1024, "characters")));
    }
}
