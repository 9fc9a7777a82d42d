//! Groups and namespaces in v3.

use super::lists::{Filter, namespaces, read_namespaces};
use super::{GroupChange, GroupRow, NewGroup};
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::page::Page;
use crate::params::{Parameters, Patch};
use crate::projects::NamespaceRow;
use crate::projects::v3::Project;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Group {
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
    fn new(row: GroupRow, links: &Links) -> Group {
        let GroupRow { id, name, path, description, visibility, .. } = row;
        let web_url = format!("{}/groups/{path}", links.base);
        Group { id, name, path, description, visibility_level: visibility, avatar_url: None, web_url }
    }
}

/// The form of a single group.
#[derive(Debug, Serialize)]
struct GroupWithProjects {
    #[serde(flatten)]
    group: Group,
    /// Those that the caller may see, a hundred at most.
    projects: Vec<Project>,
}

/// GET /groups/:id
pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let ((), group, projects, entry) = super::show(call, Ok(())).await?;
    let (caller, links) = (entry.caller()?, &entry.links);
    let projects = projects.into_iter().map(|row| Project::new(row, caller, links)).collect();
    Ok(Reply::json(200, &GroupWithProjects { group: Group::new(group, links), projects }))
}

/// Parameters of `POST /groups`.
#[derive(Debug, Parameters)]
struct Creation {
    name: String,
    path: String,
    #[param(default)]
    description: String,
    visibility_level: Option<i64>,
}

/// POST /groups
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let new = call.creation().map(|new: Creation| {
        let Creation { name, path, description, visibility_level: visibility } = new;
        NewGroup { name, path, description, visibility }
    });
    let (row, entry) = super::create(call, new).await?;
    Ok(Reply::json(201, &Group::new(row, &entry.links)))
}

/// Parameters of `PUT /groups/:id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    visibility_level: Patch<i64>,
}

/// PUT /groups/:id
pub async fn update(call: &Call<'_>) -> Result<Reply> {
    let change = call.edit().map(|edit: Edit| {
        let visibility = edit.visibility_level.set().copied();
        GroupChange { name: edit.name, path: edit.path, description: edit.description, visibility }
    });
    let (row, entry) = super::update(call, change).await?;
    Ok(Reply::json(200, &Group::new(row, &entry.links)))
}

/// DELETE /groups/:id
pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    let (row, entry) = super::delete(call).await?;
    Ok(Reply::json(200, &Group::new(row, &entry.links)))
}

/// Parameters of the lists.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    search: Option<String>,
}

/// GET /groups
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call
        .filters::<List>()
        .and_then(|List { search }| Ok((Filter { search, ..Filter::default() }, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| filter.page(page);
    let ((filter, page), entry) = call.authorize_with(input, query).await?;
    filter.read(&entry, &page)?.reply(call, &page, |row| Group::new(row, &entry.links))
}

/// A name under which projects live.
#[derive(Debug, Serialize)]
struct Namespace {
    id: i64,
    path: String,
    kind: String,
}

/// GET /namespaces
pub async fn list_namespaces(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|list| Ok((list, call.page()?)));
    let query = |(list, page): &(List, Page)| namespaces(list.search.as_deref(), false, None, page);
    let ((_, page), entry) = call.authorize_with(input, query).await?;
    let shown = |NamespaceRow { id, path, kind, .. }| Namespace { id, path, kind };
    read_namespaces(&entry, &page)?.reply(call, &page, shown)
}
