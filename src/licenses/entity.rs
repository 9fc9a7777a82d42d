//! License templates as stored and as shown (specification, "License template").

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};
use serde_json::value::RawValue;

/// A template as its entry in KV has it. Nothing but the text must be there: an operator may write one by hand.
#[derive(Debug, Clone, Deserialize)]
pub struct License {
    #[serde(default, deserialize_with = "given")]
    pub key: String,
    #[serde(default, deserialize_with = "given")]
    pub name: String,
    #[serde(default)]
    pub nickname: Option<String>,
    #[serde(default, deserialize_with = "given")]
    pub featured: bool,
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

/// Null is what absent is.
fn given<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl License {
    /// The template of one entry, under the entry's key.
    pub fn read(key: &str, text: &str) -> serde_json::Result<License> {
        let license: License = serde_json::from_str(text)?;
        let name = if license.name.is_empty() { key.to_owned() } else { license.name };
        Ok(License { key: key.to_owned(), name, ..license })
    }
}

/// The templates of a list, and what is wrong with the others.
pub fn read_list(text: &str) -> (Vec<License>, Option<serde_json::Error>) {
    let entries: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(entries) => entries,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut wrong = None;
    let readable =
        |entry: &&RawValue| serde_json::from_str(entry.get()).map_err(|error| wrong = Some(error)).ok();
    (entries.iter().filter_map(readable).collect(), wrong)
}

/// `featured` goes out under the original's name, too.
impl Serialize for License {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("License", 12)?;
        fields.serialize_field("key", &self.key)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("nickname", &self.nickname)?;
        fields.serialize_field("featured", &self.featured)?;
        fields.serialize_field("popular", &self.featured)?;
        fields.serialize_field("html_url", &self.html_url)?;
        fields.serialize_field("source_url", &self.source_url)?;
        fields.serialize_field("description", &self.description)?;
        fields.serialize_field("conditions", &self.conditions)?;
        fields.serialize_field("permissions", &self.permissions)?;
        fields.serialize_field("limitations", &self.limitations)?;
        fields.serialize_field("content", &self.content)?;
        fields.end()
    }
}
