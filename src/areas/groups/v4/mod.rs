pub mod namespaces;

use super::lists::{Filter, Order};
use super::{GroupChange, GroupRow, NewGroup};
use crate::areas::projects::v4::edit::accepted;
use crate::areas::projects::v4::lists::{check_level, is_elsewhere};
use crate::areas::projects::v4::{Extras, Project};
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::params::Sent;
use crate::kernel::policy::{Access, Visibility};
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, Patch, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Group {
    id: i64,
    web_url: String,
    name: String,
    full_name: String,
    path: String,
    full_path: String,
    description: String,
    visibility: &'static str,
    default_branch_protection: i64,
    created_at: String,
    #[serde(flatten)]
    constants: Constants,
}

const OF_GROUP: Constants = Constants(&[
    (
        Constant::Bool(false),
        &[
            "share_with_group_lock",
            "require_two_factor_authentication",
            "emails_disabled",
            "lfs_enabled",
            "archived",
            "request_access_enabled",
        ],
    ),
    (Constant::Bool(true), &["emails_enabled"]),
    (Constant::Number(48), &["two_factor_grace_period"]),
    (Constant::Text("developer"), &["project_creation_level"]),
    (Constant::Text("owner"), &["subgroup_creation_level"]),
    (Constant::Text("enabled"), &["shared_runners_setting"]),
    (Constant::Null, &["auto_devops_enabled", "mentions_disabled", "default_branch", "avatar_url", "parent_id"]),
]);

impl Group {
    pub fn new(row: GroupRow, links: &Links) -> Group {
        let GroupRow { id, name, path, description, visibility, created_at, branch_protection } = row;
        Group {
            id,
            web_url: format!("{}/groups/{path}", links.base),
            full_name: name.clone(),
            name,
            full_path: path.clone(),
            path,
            description,
            visibility: Visibility::from(visibility).word(),
            default_branch_protection: branch_protection,
            created_at: time::utc(created_at),
            constants: OF_GROUP,
        }
    }
}

#[derive(Debug, Serialize)]
struct GroupWithProjects {
    #[serde(flatten)]
    group: Group,
    shared_with_groups: [(); 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    projects: Option<Vec<Project>>,
    shared_projects: [(); 0],
}

#[derive(Debug, Parameters)]
struct ShowParams {
    with_projects: Option<bool>,
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let (show, group, projects, entry) = super::show(call, call.filters::<ShowParams>()).await?;
    let (caller, links) = (entry.caller.as_ref(), &entry.links);
    let shown = |row| Project::new(row, caller, Extras::default(), links);
    let projects = (show.with_projects != Some(false)).then(|| projects.into_iter().map(shown).collect());
    let group = Group::new(group, links);
    Ok(Reply::json(200, &GroupWithProjects { group, shared_with_groups: [], projects, shared_projects: [] }))
}

#[derive(Debug, Parameters)]
struct NewParams {
    name: String,
    path: String,
    #[param(default)]
    description: String,
    visibility: Option<Visibility>,
    parent_id: Option<String>,
}

/// Groups have no subgroups.
fn refuse_parent(parent_id: Option<String>) -> Result<()> {
    match parent_id {
        Some(_) => Err(Error::field("parent_id", "is not supported")),
        None => Ok(()),
    }
}

fn reply(status: u16, (row, entry): (GroupRow, Entry)) -> Result<Reply> {
    Ok(Reply::json(status, &Group::new(row, &entry.links)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let new = call.creation::<NewParams>().and_then(|new| {
        let NewParams { name, path, description, visibility, parent_id } = new;
        refuse_parent(parent_id)?;
        Ok(NewGroup { name, path, description, visibility: visibility.map(Visibility::level) })
    });
    reply(201, super::create(call, new).await?)
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    visibility: Option<Visibility>,
    parent_id: Option<String>,
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    let change = call.edit::<Edit>().and_then(|edit| {
        let Edit { name, path, description, visibility, parent_id } = edit;
        refuse_parent(parent_id)?;
        Ok(GroupChange { name, path, description, visibility: visibility.map(Visibility::level) })
    });
    reply(200, super::update(call, change).await?)
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    super::delete(call, true).await?;
    Ok(accepted())
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    search: Option<String>,
    owned: bool,
    all_available: Option<bool>,
    min_access_level: Option<i64>,
    visibility: Option<Visibility>,
    skip_groups: Vec<i64>,
    // no group is archived or waits for its deletion
    active: Option<bool>,
    archived: bool,
    marked_for_deletion_on: Option<String>,
    custom_attributes: Sent,
    repository_storage: Option<String>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

/// A group is as similar to a search as any other.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    Name,
    Path,
    Id,
    Similarity,
}

impl From<OrderBy> for Order {
    fn from(order: OrderBy) -> Order {
        match order {
            OrderBy::Name | OrderBy::Similarity => Order::Name,
            OrderBy::Path => Order::Path,
            OrderBy::Id => Order::Id,
        }
    }
}

impl List {
    fn filter(self) -> Result<Filter> {
        check_level(self.min_access_level)?;
        let owned = self.owned.then_some(Access::Owner.level());
        Ok(Filter {
            order: self.order_by.map_or(Order::Name, Order::from),
            descending: self.sort == Some(Sort::Desc),
            least: owned.max(self.min_access_level),
            all_available: self.all_available,
            search: self.search,
            visibility: self.visibility,
            without: self.skip_groups,
            matches_nothing: self.archived
                || self.active == Some(false)
                || self.marked_for_deletion_on.is_some()
                || self.custom_attributes.0
                || is_elsewhere(self.repository_storage.as_deref()),
        })
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|list| Ok((list.filter()?, call.page_or_keyset()?)));
    let query = |(filter, page): &(Filter, Page)| filter.query(page.clone());
    let ((_, page), entry, groups) = call.authorize_with(input, query).await?;
    Listed::or_empty(groups, page).reply(call, |row| Group::new(row, &entry.links))
}
