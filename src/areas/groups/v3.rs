use super::lists::{CountedRow, Filter};
use super::{GroupRow, sql};
use crate::areas::projects::NamespaceRow;
use crate::areas::projects::v3::Project;
use crate::kernel::lists::Listed;
use crate::kernel::text::fold::patterns;
use crate::kernel::{Call, Entry, Links, Page, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Group {
    id: i64,
    name: String,
    path: String,
    description: String,
    visibility_level: i64,
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

#[derive(Debug, Serialize)]
struct GroupWithProjects {
    #[serde(flatten)]
    group: Group,
    projects: Vec<Project>,
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let ((), group, projects, entry) = super::show(call, Ok(())).await?;
    let (caller, links) = (entry.caller()?, &entry.links);
    let projects = projects.into_iter().map(|row| Project::new(row, caller, links)).collect();
    Ok(Reply::json(200, &GroupWithProjects { group: Group::new(group, links), projects }))
}

fn reply(status: u16, (row, entry): (GroupRow, Entry)) -> Result<Reply> {
    Ok(Reply::json(status, &Group::new(row, &entry.links)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    reply(201, super::create(call, call.creation()).await?)
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    reply(200, super::update(call, call.edit()).await?)
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    reply(200, super::delete(call, false).await?)
}

#[derive(Debug, Parameters)]
struct List {
    search: Option<String>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>();
    let input = input.and_then(|List { search }| {
        Ok((Filter { search, all_available: Some(true), ..Filter::default() }, call.page()?))
    });
    let query = |(filter, page): &(Filter, Page)| filter.query(page.clone().uncounted());
    let ((_, page), entry, groups) = call.authorize_with(input, query).await?;
    Listed::or_empty(groups, page).reply(call, |row| Group::new(row, &entry.links))
}

#[derive(Debug, Serialize)]
struct Namespace {
    id: i64,
    path: String,
    kind: String,
}

pub async fn list_namespaces(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|list| Ok((list, call.page()?)));
    let query = |(list, page): &(List, Page)| {
        let search = list.search.as_deref().map(patterns);
        sql::namespaces { search, by_name: false, least: None::<i64>, page: page.clone().uncounted() }
    };
    let (_, _, namespaces) = call.authorize_with(input, query).await?;
    let shown = |CountedRow { namespace: NamespaceRow { id, path, kind, .. }, .. }| Namespace { id, path, kind };
    namespaces.reply(call, shown)
}
