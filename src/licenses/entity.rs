//! License templates as stored and as shown (specification, "License template").

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

#[derive(Debug, Clone, Deserialize)]
pub struct License {
    pub key: String,
    pub name: String,
    pub nickname: Option<String>,
    #[serde(default)]
    pub featured: bool,
    #[serde(default)]
    pub html_url: String,
    #[serde(default)]
    pub source_url: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub conditions: Vec<String>,
    #[serde(default)]
    pub permissions: Vec<String>,
    #[serde(default)]
    pub limitations: Vec<String>,
    pub content: String,
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
