//! Namespaces in v4: the caller's own and those of their groups; administrators' are all.

use super::sql::{EXISTS, NAMESPACE};
use crate::call::{Call, path_id};
use crate::error::{Error, Result};
use crate::groups::list::namespaces_with;
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::level;
use crate::projects::sql::NamespaceRow;
use crate::projects::v4::Namespace;
use crate::store::{Statement, sql};
use crate::walk;
use serde_json::json;

/// Parameters of `GET /namespaces`. All of them lie at the top.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    search: Option<String>,
    owned_only: bool,
    top_level_only: bool,
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    let least = filter.owned_only.then_some(level!(Owner));
    namespaces_with(filter.search.as_deref(), true, least, page)
}

/// GET /namespaces
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        let _ = filter.top_level_only;
        Ok((filter, call.page()?))
    });
    let ((_, page), found) = call.sign_in_with(input, query).await?;
    let namespaces = walk::read(&found.rows, &page, |row: &NamespaceRow| [row.id.into()])?;
    namespaces.reply(call, &page, |row| Namespace::new(row, &found.links))
}

/// GET /namespaces/:id
///
/// By id or path.
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let number = path_id(id).ok();
    let path = number.is_none().then(|| id.to_lowercase());
    let found = call.sign_in(sql!(NAMESPACE, number, path)).await?;
    let row: NamespaceRow = found.rows.first()?.ok_or_else(|| Error::missing("Namespace"))?;
    Ok(Reply::json(200, &Namespace::new(row, &found.links)))
}

/// GET /namespaces/:path/exists
pub async fn exists(call: &Call<'_>, path: &str) -> Result<Reply> {
    let found = call.sign_in(sql!(EXISTS, path.to_lowercase())).await?;
    let exists: bool = found.rows.first()?.unwrap_or_default();
    Ok(Reply::json(200, &json!({ "exists": exists, "suggests": [] })))
}
