//! License templates in v4 (behaviour 13.4), in pages and for a project.

use super::template::License;
use super::{ListLicenses, ShowLicense, filled, find, key_of, listed, sql};
use crate::kernel::lists::Listed;
use crate::kernel::{Call, Error, Reply, Result};
use serde_json::json;

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let filter: ListLicenses = call.filters()?;
    let page = call.page()?;
    // the list is too short to need cursors
    call.params()?.pass_over("cursor");
    let licenses = listed(call, filter.popular).await?;
    Listed::whole(licenses, page).reply(call, |license| license)
}

pub async fn list_for_project(call: &Call<'_>) -> Result<Reply> {
    let (filter, ..): (ListLicenses, _, ()) = call.authorize_with(call.filters(), |_| ()).await?;
    let licenses = listed(call, filter.popular).await?;
    let entry = |license: &License| json!({ "key": license.key, "name": license.name });
    Ok(Reply::json(200, &licenses.iter().map(entry).collect::<Vec<_>>()))
}

/// The placeholders default to the names of the project and the caller.
pub async fn show_for_project(call: &Call<'_>, key: &str) -> Result<Reply> {
    let input = call.filters::<ShowLicense>().and_then(|params| Ok((params, key_of(key)?)));
    let ((params, key), entry, name) = call.authorize_with(input, |_| sql::project_name {}).await?;
    let name = name.ok_or_else(|| Error::missing("Project"))?;
    let license = find(call, &key).await?;
    let project = params.project.unwrap_or(name);
    let fullname = params.fullname.or(entry.caller.map(|caller| caller.user.name));
    Ok(filled(call, license, Some(&project), fullname.as_deref()))
}
