//! Protected branches. Only the default branch can be one, by the setting `default_branch_protection`.

use super::sql;
use crate::kernel::lists::Listed;
use crate::kernel::policy::Access;
use crate::kernel::{Call, Error, Parameters, Reply, Result, Row};
use serde::Serialize;

#[derive(Row)]
pub struct ProtectedRow {
    project_id: i64,
    name: String,
    /// 1: developers may push. 2: full.
    protection: i64,
}

#[derive(Serialize)]
struct Level {
    id: i64,
    access_level: i64,
    access_level_description: &'static str,
}

/// A project has at most one protected branch, so its id is that of the project.
#[derive(Serialize)]
struct ProtectedBranch {
    id: i64,
    name: String,
    push_access_levels: [Level; 1],
    merge_access_levels: [Level; 1],
    allow_force_push: bool,
}

impl ProtectedBranch {
    fn new(ProtectedRow { project_id: id, name, protection }: ProtectedRow) -> ProtectedBranch {
        let level = |least: Access| Level {
            id,
            access_level: least.level(),
            access_level_description: match least {
                Access::Developer => "Developers + Maintainers",
                _ => "Maintainers",
            },
        };
        ProtectedBranch {
            id,
            name,
            push_access_levels: [level(if protection == 1 { Access::Developer } else { Access::Master })],
            merge_access_levels: [level(Access::Master)],
            allow_force_push: false,
        }
    }
}

#[derive(Parameters)]
struct ListParams {
    search: Option<String>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.search, call.page()?)));
    let ((search, page), _, row) = call.authorize_with(input, |_| sql::protected_branch {}).await?;
    let part = search.unwrap_or_default().to_lowercase();
    let found = row.into_iter().filter(|row| row.name.to_lowercase().contains(&part)).collect();
    Listed::whole(found, page).reply(call, ProtectedBranch::new)
}

pub async fn show(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::protected_branch {}).await?;
    let row = row.filter(|row| row.name == name).ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &ProtectedBranch::new(row)))
}

pub const OF_BRANCHES: &str =
    "the setting default_branch_protection of the server protects default branches, and no others are";
pub const OF_TAGS: &str = "tags come from the git host, which decides who makes and moves them";

/// Always 403: nothing can be protected, nor a protection changed or ended.
pub async fn refuse(call: &Call<'_>, reason: &str) -> Result<Reply> {
    call.authorize_without_body().await?;
    Err(Error::Refused(403, call.dialect.forbidden(reason)))
}
