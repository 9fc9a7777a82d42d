//! Projects as answers show them.

use super::sql::{Columns, NamespaceRow, ProjectRow};
use crate::call::{Caller, Links};
use crate::policy::visible;
use crate::time;
use crate::users::entity::Brief;
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
    /// The user in whose own namespace it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<Brief>,
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
    /// Of those that the caller may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_issues_count: Option<i64>,
    public_builds: bool,
    shared_with_groups: [String; 0],
    permissions: Permissions,
}

#[derive(Debug, Serialize)]
struct Permissions {
    project_access: Option<Permission>,
    group_access: Option<Permission>,
}

#[derive(Debug, Serialize)]
struct Permission {
    access_level: i64,
    /// v3's "as set for all projects".
    notification_level: i64,
}

impl Permission {
    fn new(level: Option<i64>) -> Option<Permission> {
        level.map(|access_level| Permission { access_level, notification_level: 3 })
    }
}

impl Project {
    /// The project as the caller stands to it.
    pub fn new(row: ProjectRow, caller: &Caller, links: &Links) -> Project {
        let open_issues_count = row.open_issues(row.access(Some(caller)));
        let ProjectRow { project, namespace, project_access, group_access, .. } = row;
        let Columns { full_path, visibility, created_at, updated_at, .. } = &project;
        Project {
            tag_list: [],
            public: *visibility == visible!(Public),
            visibility_level: *visibility,
            ssh_url_to_repo: links.git_ssh.replace("{path}", full_path),
            http_url_to_repo: links.git_http.replace("{path}", full_path),
            web_url: format!("{}/{full_path}", links.base),
            owner: namespace.owner.clone().map(|owner| Brief::new(owner, links)),
            merge_requests_enabled: false,
            wiki_enabled: false,
            snippets_enabled: false,
            container_registry_enabled: false,
            created_at: time::utc(*created_at),
            last_activity_at: time::utc(*updated_at),
            shared_runners_enabled: false,
            namespace: Namespace::new(namespace),
            avatar_url: None,
            star_count: 0,
            forks_count: 0,
            open_issues_count,
            public_builds: true,
            shared_with_groups: [],
            permissions: Permissions {
                project_access: Permission::new(project_access),
                group_access: Permission::new(group_access),
            },
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
}

/// Where a project lies.
#[derive(Debug, Serialize)]
pub struct Namespace {
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
    pub fn new(row: NamespaceRow) -> Namespace {
        let NamespaceRow { id, kind, path, name, description, created_at, owner } = row;
        Namespace {
            id,
            name,
            path,
            kind,
            owner_id: owner.map(|owner| owner.id),
            created_at: time::utc(created_at),
            updated_at: time::utc(created_at),
            description,
            avatar: None,
        }
    }
}
