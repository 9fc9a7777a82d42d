use crate::areas::projects::{Columns, NamespaceRow, ProjectRow, RootFiles};
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::call::Caller;
use crate::kernel::time;
use crate::kernel::{Action, Links};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Namespace {
    id: i64,
    name: String,
    full_path: String,
    path: String,
    kind: String,
    /// Always null: groups have no subgroups.
    parent_id: Option<i64>,
    avatar_url: Option<String>,
    web_url: String,
}

impl Namespace {
    pub fn new(row: NamespaceRow, links: &Links) -> Namespace {
        let NamespaceRow { id, kind, path, name, owner, .. } = row;
        let user = owner.map(|owner| BasicUser::new(owner, links));
        let (name, avatar_url) = user.map_or((name, None), |user| (user.name, user.avatar_url));
        let groups = if kind == "group" { "groups/" } else { "" };
        let web_url = format!("{}/{groups}{path}", links.base);
        Namespace { id, name, full_path: path.clone(), path, kind, parent_id: None, avatar_url, web_url }
    }
}

/// The form for `simple=true` and for callers without a token.
#[derive(Debug, Serialize)]
pub struct SimpleProject {
    id: i64,
    description: Option<String>,
    name: String,
    name_with_namespace: String,
    path: String,
    path_with_namespace: String,
    created_at: String,
    default_branch: Option<String>,
    ssh_url_to_repo: String,
    http_url_to_repo: String,
    web_url: String,
    readme_url: Option<String>,
    last_activity_at: String,
    visibility: &'static str,
    archived: bool,
    namespace: Namespace,
    #[serde(flatten)]
    constants: Constants,
}

const OF_SIMPLE: Constants = Constants(&[
    (Constant::Nothing([]), &["tag_list", "topics"]),
    (Constant::Null, &["avatar_url"]),
    (Constant::Number(0), &["forks_count", "star_count"]),
]);

impl SimpleProject {
    pub fn of(row: ProjectRow, caller: Option<&Caller>, links: &Links) -> SimpleProject {
        let reads_code = row.may(Action::ReadCommits, caller);
        let files = RootFiles::addresses(row.root_files, &row.project, reads_code, links);
        SimpleProject::new(row.project, row.namespace, files.readme, links)
    }

    pub fn new(project: Columns, namespace: NamespaceRow, readme_url: Option<String>, links: &Links) -> SimpleProject {
        let full_path = &project.full_path;
        SimpleProject {
            readme_url,
            ssh_url_to_repo: links.git_ssh.replace("{path}", full_path),
            http_url_to_repo: links.git_http.replace("{path}", full_path),
            web_url: format!("{}/{full_path}", links.base),
            created_at: time::utc(project.created_at),
            last_activity_at: time::utc(project.updated_at),
            visibility: project.visibility.word(),
            archived: project.archived,
            namespace: Namespace::new(namespace, links),
            constants: OF_SIMPLE,
            id: project.id,
            description: project.description,
            name: project.name,
            name_with_namespace: project.full_name,
            path: project.path,
            path_with_namespace: project.full_path,
            default_branch: project.default_branch,
        }
    }
}
