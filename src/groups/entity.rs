//! Groups as answers show them.

use super::sql::GroupRow;
use crate::call::Links;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Group {
    id: i64,
    name: String,
    path: String,
    description: String,
    visibility_level: i64,
    /// Groups have no pictures.
    avatar_url: Option<String>,
    web_url: String,
}

impl Group {
    pub fn new(row: GroupRow, links: &Links) -> Group {
        let GroupRow { id, name, path, description, visibility, .. } = row;
        let web_url = format!("{}/groups/{path}", links.base);
        Group { id, name, path, description, visibility_level: visibility, avatar_url: None, web_url }
    }
}
