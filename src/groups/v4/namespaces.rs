use crate::call::{Call, place_named};
use crate::error::{Error, Result};
use crate::groups::lists::{namespaces, read_namespaces};
use crate::groups::sql;
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::Access;
use crate::projects::NamespaceRow;
use crate::projects::v4::Namespace;
use serde_json::json;

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    search: Option<String>,
    owned_only: bool,
    #[expect(dead_code, reason = "groups have no subgroups, so every namespace is at the top")]
    top_level_only: bool,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|list| Ok((list, call.page()?)));
    let query = |(list, page): &(List, Page)| {
        let least = list.owned_only.then_some(Access::Owner.level());
        namespaces(list.search.as_deref(), true, least, page)
    };
    let ((_, page), entry) = call.authorize_with(input, query).await?;
    read_namespaces(&entry, &page)?.reply(call, &page, |row| Namespace::new(row, &entry.links))
}

/// `id`: an id or a path.
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let entry = call.authorize(sql::namespace { named: place_named(id) }).await?;
    let row: NamespaceRow = entry.rows.first()?.ok_or_else(|| Error::missing("Namespace"))?;
    Ok(Reply::json(200, &Namespace::new(row, &entry.links)))
}

pub async fn exists(call: &Call<'_>, path: &str) -> Result<Reply> {
    let entry = call.authorize(sql::path_exists { path_key: path.to_lowercase() }).await?;
    Ok(Reply::json(200, &json!({ "exists": !entry.rows.is_empty(), "suggests": [] })))
}
