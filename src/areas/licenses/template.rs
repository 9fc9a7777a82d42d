use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Only `content` is required, because operators may write entries by hand.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct License {
    #[serde(default, deserialize_with = "given")]
    pub key: String,
    #[serde(default, deserialize_with = "given")]
    pub name: String,
    #[serde(default)]
    pub nickname: Option<String>,
    #[serde(default, deserialize_with = "given")]
    pub featured: bool,
    /// The original's second name for `featured`.
    #[serde(skip_deserializing)]
    popular: bool,
    #[serde(default, deserialize_with = "given")]
    pub html_url: String,
    #[serde(default, deserialize_with = "given")]
    pub source_url: String,
    #[serde(default, deserialize_with = "given")]
    pub description: String,
    #[serde(default, deserialize_with = "given")]
    pub conditions: Vec<String>,
    #[serde(default, deserialize_with = "given")]
    pub permissions: Vec<String>,
    #[serde(default, deserialize_with = "given")]
    pub limitations: Vec<String>,
    pub content: String,
}

/// Reads null like an absent member.
fn given<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl License {
    fn parse(text: &str) -> serde_json::Result<License> {
        let license: License = serde_json::from_str(text)?;
        Ok(License { popular: license.featured, ..license })
    }

    /// The entry's `key` replaces the one in the text.
    pub fn read(key: &str, text: &str) -> serde_json::Result<License> {
        let license = License::parse(text)?;
        let name = if license.name.is_empty() { key.to_owned() } else { license.name };
        Ok(License { key: key.to_owned(), name, ..license })
    }
}

/// Returns the templates that can be read, and the last error.
pub fn read_list(text: &str) -> (Vec<License>, Option<serde_json::Error>) {
    let entries: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(entries) => entries,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut wrong = None;
    let readable = |entry: &&RawValue| License::parse(entry.get()).map_err(|error| wrong = Some(error)).ok();
    (entries.iter().filter_map(readable).collect(), wrong)
}
