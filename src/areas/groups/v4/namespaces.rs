use crate::areas::groups::lists::{CountedRow, Counts};
use crate::areas::groups::sql;
use crate::areas::projects::v4::Namespace;
use crate::kernel::call::place_named;
use crate::kernel::policy::Access;
use crate::kernel::text::fold::patterns;
use crate::kernel::{Call, Error, Links, Page, Parameters, Reply, Result};
use serde::Serialize;
use serde_json::json;

#[derive(Debug, Serialize)]
struct OwnNamespace {
    #[serde(flatten)]
    namespace: Namespace,
    #[serde(flatten)]
    counts: Option<Counts>,
}

impl OwnNamespace {
    fn new(CountedRow { namespace, counts }: CountedRow, links: &Links) -> OwnNamespace {
        OwnNamespace { namespace: Namespace::new(namespace, links), counts }
    }
}

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
        let search = list.search.as_deref().map(patterns);
        sql::namespaces { search, by_name: true, least, page: page.clone() }
    };
    let (_, entry, namespaces) = call.authorize_with(input, query).await?;
    namespaces.reply(call, |row| OwnNamespace::new(row, &entry.links))
}

/// `id`: an id or a path.
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::namespace { named: place_named(id) }).await?;
    let row = row.ok_or_else(|| Error::missing("Namespace"))?;
    Ok(Reply::json(200, &OwnNamespace::new(row, &entry.links)))
}

pub async fn exists(call: &Call<'_>, path: &str) -> Result<Reply> {
    let (_, rows) = call.authorize(sql::path_exists { path_key: path.to_lowercase() }).await?;
    Ok(Reply::json(200, &json!({ "exists": !rows.is_empty(), "suggests": [] })))
}
