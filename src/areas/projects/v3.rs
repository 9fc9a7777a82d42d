use super::edit::{self, ProjectChange};
use super::lists::{Filter, Order, Place};
use super::{Columns, NamespaceRow, NewProject, Permissions, ProjectRow, sql};
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::Caller;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::policy::{Access, Visibility};
use crate::kernel::store::Value;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, Patch, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Project {
    id: i64,
    description: Option<String>,
    default_branch: Option<String>,
    tag_list: [String; 0],
    public: bool,
    archived: bool,
    visibility_level: i64,
    ssh_url_to_repo: String,
    http_url_to_repo: String,
    web_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<BriefUser>,
    name: String,
    name_with_namespace: String,
    path: String,
    path_with_namespace: String,
    issues_enabled: bool,
    merge_requests_enabled: bool,
    wiki_enabled: bool,
    builds_enabled: bool,
    snippets_enabled: bool,
    container_registry_enabled: bool,
    created_at: String,
    last_activity_at: String,
    shared_runners_enabled: bool,
    creator_id: i64,
    namespace: Namespace,
    avatar_url: Option<String>,
    star_count: i64,
    forks_count: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_issues_count: Option<i64>,
    public_builds: bool,
    shared_with_groups: [String; 0],
    permissions: Permissions,
}

impl Project {
    pub fn new(row: ProjectRow, caller: &Caller, links: &Links) -> Project {
        let open_issues_count = row.open_issues(Some(caller));
        let permissions = Permissions::new(&row);
        let ProjectRow { project, namespace, .. } = row;
        let Columns { full_path, visibility, created_at, updated_at, .. } = &project;
        let active_at = if caller.reads_activity() { updated_at } else { created_at };
        Project {
            tag_list: [],
            public: *visibility == Visibility::Public,
            visibility_level: visibility.level(),
            ssh_url_to_repo: links.git_ssh.replace("{path}", full_path),
            http_url_to_repo: links.git_http.replace("{path}", full_path),
            web_url: format!("{}/{full_path}", links.base),
            owner: namespace.owner.clone().map(|owner| BriefUser::new(owner, links)),
            merge_requests_enabled: false,
            wiki_enabled: false,
            snippets_enabled: false,
            container_registry_enabled: false,
            created_at: time::utc(*created_at),
            last_activity_at: time::utc(*active_at),
            shared_runners_enabled: false,
            namespace: Namespace::new(namespace),
            avatar_url: None,
            star_count: 0,
            forks_count: 0,
            open_issues_count,
            public_builds: true,
            shared_with_groups: [],
            permissions,
            id: project.id,
            description: project.description,
            default_branch: project.default_branch,
            archived: project.archived,
            name: project.name,
            name_with_namespace: project.full_name,
            path: project.path,
            path_with_namespace: project.full_path,
            issues_enabled: project.issues_enabled,
            builds_enabled: project.builds_enabled,
            creator_id: project.creator_id,
        }
    }

    fn reply(status: u16, (row, entry): (ProjectRow, Entry)) -> Result<Reply> {
        Ok(Reply::json(status, &Project::new(row, entry.caller()?, &entry.links)))
    }
}

#[derive(Debug, Serialize)]
struct Namespace {
    id: i64,
    name: String,
    path: String,
    kind: String,
    owner_id: Option<i64>,
    created_at: String,
    updated_at: String,
    description: String,
    avatar: Option<String>,
}

impl Namespace {
    fn new(row: NamespaceRow) -> Namespace {
        let NamespaceRow { id, kind, path, name, description, created_at, owner } = row;
        let owner_id = owner.map(|owner| owner.id);
        let created_at = time::utc(created_at);
        let updated_at = created_at.clone();
        Namespace { id, name, path, kind, owner_id, created_at, updated_at, description, avatar: None }
    }
}

fn level(level: Option<i64>, public: Option<bool>) -> Option<i64> {
    let of_flag = public.map(|public| if public { Visibility::Public } else { Visibility::Private });
    level.or(of_flag.map(Visibility::level))
}

#[derive(Debug, Parameters)]
struct Creation {
    name: String,
    path: Option<String>,
    namespace_id: Option<i64>,
    description: Option<String>,
    visibility_level: Option<i64>,
    public: Option<bool>,
    issues_enabled: Option<bool>,
    builds_enabled: Option<bool>,
}

fn new_project(call: &Call<'_>) -> Result<NewProject> {
    let new: Creation = call.creation()?;
    let visibility = level(new.visibility_level, new.public);
    let Creation { name, path, namespace_id, description, issues_enabled, builds_enabled, .. } = new;
    Ok(NewProject {
        name,
        path,
        namespace_id,
        description,
        default_branch: None,
        visibility,
        issues_enabled,
        builds_enabled,
        autoclose: None,
    })
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    Project::reply(201, super::create(call, new_project(call)).await?)
}

pub async fn create_for_user(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    Project::reply(201, super::create_for_user(call, user_id, new_project(call)).await?)
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::one {}).await?;
    Project::reply(200, (row.ok_or_else(|| Error::missing("Project"))?, entry))
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    visibility_level: Option<i64>,
    public: Option<bool>,
    default_branch: Patch<String>,
    issues_enabled: Option<bool>,
    builds_enabled: Option<bool>,
}

impl Edit {
    fn change(self) -> ProjectChange {
        ProjectChange {
            visibility: level(self.visibility_level, self.public),
            name: self.name,
            path: self.path,
            description: self.description,
            default_branch: self.default_branch,
            issues_enabled: self.issues_enabled,
            builds_enabled: self.builds_enabled,
            autoclose: None,
        }
    }
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    let change = call.edit::<Edit>().map(Edit::change);
    Project::reply(200, edit::update(call, change).await?)
}

pub async fn set_archived(call: &Call<'_>, archived: bool) -> Result<Reply> {
    Project::reply(201, edit::set_archived(call, archived).await?)
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    edit::delete(call).await?;
    Ok(Reply::json(200, &true))
}

#[derive(Debug, Parameters)]
#[param(default)]
struct List<T> {
    search: Option<String>,
    archived: Option<bool>,
    visibility: Option<Visibility>,
    order_by: Option<T>,
    sort: Option<Sort>,
}

impl<T> List<T> {
    fn filter(self, order: impl Fn(T) -> Order) -> Filter {
        let List { search, archived, visibility, order_by, sort } = self;
        let (order, ascending) = (order_by.map_or(Order::Id, order), sort == Some(Sort::Asc));
        Filter { order, ascending, search, archived, visibility, ..Filter::default() }
    }
}

#[derive(Debug, Parameters)]
enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
}

impl From<OrderBy> for Order {
    fn from(order_by: OrderBy) -> Order {
        match order_by {
            OrderBy::Id | OrderBy::CreatedAt => Order::Id,
            OrderBy::Name => Order::Name,
            OrderBy::Path => Order::Path,
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => Order::Update,
        }
    }
}

/// Both sort by creation.
#[derive(Debug, Parameters)]
enum Age {
    Id,
    CreatedAt,
}

/// `all`: for an administrator, also those that only members see.
pub async fn list_everywhere(call: &Call<'_>, all: bool) -> Result<Reply> {
    let input = call.filters::<List<Age>>();
    let input = input.and_then(|list| Ok((Filter { all, ..list.filter(|_| Order::Id) }, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| filter.query(Place::Everywhere, page.clone().uncounted());
    let (_, entry, projects) = call.authorize_with(input, query).await?;
    reply(call, &entry, projects)
}

/// `is_own`: lists the caller's own namespace instead of all memberships.
pub async fn list_counted(call: &Call<'_>, is_own: bool) -> Result<Reply> {
    let least = Some(Access::Guest.level()).filter(|_| !is_own);
    let input = call.filters::<List<OrderBy>>();
    let input = input.and_then(|list| Ok((Filter { least, ..list.filter(Order::from) }, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| {
        let place = if is_own { Place::Namespace(Value::Null) } else { Place::Everywhere };
        (filter.query(place, page.clone().uncounted()), filter.total(is_own))
    };
    let (_, entry, (projects, total)) = call.authorize_with(input, query).await?;
    reply(call, &entry, projects.with_count(total))
}

fn reply(call: &Call<'_>, entry: &Entry, projects: Listed<ProjectRow>) -> Result<Reply> {
    let caller = entry.caller()?;
    projects.reply(call, |row| Project::new(row, caller, &entry.links))
}
