pub mod edit;
pub mod lists;
mod simple;

use super::{Permissions, ProjectRow, RootFiles, Sizes, sql};
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::call::Caller;
use crate::kernel::dialect::Dialect;
use crate::kernel::http::escaped;
use crate::kernel::policy::Access;
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry, Error, Links, Parameters, Reply, Result};
use serde::Serialize;
pub use simple::{Namespace, SimpleProject};

#[derive(Debug)]
struct ProjectLinks(String);

impl Serialize for ProjectLinks {
    fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_map(
            [
                ("self", ""),
                ("issues", "/issues"),
                ("merge_requests", "/merge_requests"),
                ("repo_branches", "/repository/branches"),
                ("labels", "/labels"),
                ("events", "/events"),
                ("members", "/members"),
                ("cluster_agents", "/cluster_agents"),
            ]
            .map(|(name, end)| (name, format!("{}{end}", self.0))),
        )
    }
}

#[derive(Debug, Serialize)]
struct Statistics {
    commit_count: i64,
    storage_size: i64,
    repository_size: i64,
    uploads_size: i64,
    packages_size: i64,
    #[serde(flatten)]
    before: Constants,
    job_artifacts_size: i64,
    #[serde(flatten)]
    constants: Constants,
}

const OF_STATISTICS: Constants =
    Constants(&[(Constant::Number(0), &["pipeline_artifacts_size", "snippets_size", "container_registry_size"])]);

const BEFORE_ARTIFACTS: Constants = Constants(&[(Constant::Number(0), &["wiki_size", "lfs_objects_size"])]);

#[derive(Debug, Serialize)]
pub struct Project {
    #[serde(flatten)]
    simple: SimpleProject,
    _links: ProjectLinks,
    empty_repo: bool,
    creator_id: i64,
    updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<BasicUser>,
    issues_enabled: bool,
    jobs_enabled: bool,
    issues_access_level: &'static str,
    builds_access_level: &'static str,
    autoclose_referenced_issues: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_issues_count: Option<i64>,
    description_html: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    permissions: Option<Permissions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Statistics>,
    #[serde(flatten)]
    license: Option<LicenseFields>,
    #[serde(flatten)]
    constants: Constants,
}

impl Statistics {
    fn new(commits: Option<i64>, Sizes { contents, uploads, packages, reports }: Sizes) -> Statistics {
        Statistics {
            commit_count: commits.unwrap_or_default(),
            storage_size: contents + uploads + packages,
            repository_size: contents,
            uploads_size: uploads - reports,
            packages_size: packages,
            before: BEFORE_ARTIFACTS,
            job_artifacts_size: reports,
            constants: OF_STATISTICS,
        }
    }
}

const OF_PROJECT: Constants = Constants(&[
    (
        Constant::Bool(false),
        &[
            "merge_requests_enabled",
            "wiki_enabled",
            "snippets_enabled",
            "container_registry_enabled",
            "lfs_enabled",
            "shared_runners_enabled",
            "group_runners_enabled",
            "service_desk_enabled",
            "request_access_enabled",
            "can_create_merge_request_in",
            "mirror",
            "emails_disabled",
            "only_allow_merge_if_pipeline_succeeds",
            "only_allow_merge_if_all_discussions_are_resolved",
            "auto_devops_enabled",
            "resolve_outdated_diff_discussions",
            "printing_merge_request_link_enabled",
            "remove_source_branch_after_merge",
            "ci_job_token_scope_enabled",
        ],
    ),
    (Constant::Bool(true), &["emails_enabled", "packages_enabled", "public_jobs"]),
    (
        Constant::Text("enabled"),
        &[
            "repository_access_level",
            "environments_access_level",
            "releases_access_level",
            "package_registry_access_level",
        ],
    ),
    (
        Constant::Text("disabled"),
        &[
            "merge_requests_access_level",
            "wiki_access_level",
            "snippets_access_level",
            "forking_access_level",
            "pages_access_level",
            "container_registry_access_level",
            "security_and_compliance_access_level",
            "feature_flags_access_level",
            "infrastructure_access_level",
            "monitor_access_level",
            "model_experiments_access_level",
            "model_registry_access_level",
            "analytics_access_level",
        ],
    ),
    (Constant::Text("none"), &["import_status"]),
    (Constant::Text("merge"), &["merge_method"]),
    (Constant::Text("default_off"), &["squash_option"]),
    (Constant::Text(""), &["ci_config_path"]),
    (Constant::Number(3600), &["build_timeout"]),
    (Constant::Text("sha1"), &["repository_object_format"]),
    (Constant::Nothing([]), &["shared_with_groups"]),
]);

#[derive(Debug, Serialize)]
struct LicenseFields {
    license: Option<License>,
    license_url: Option<String>,
}

/// That of a file whose text is none of those that GitLab knows: no text is compared with those of licenses.
#[derive(Debug, Serialize)]
struct License {
    key: &'static str,
    name: &'static str,
    nickname: Option<()>,
    html_url: Option<()>,
    source_url: Option<()>,
}

impl LicenseFields {
    fn new(license_url: Option<String>) -> LicenseFields {
        let other = License { key: "other", name: "Other", nickname: None, html_url: None, source_url: None };
        LicenseFields { license: license_url.is_some().then_some(other), license_url }
    }
}

#[derive(Debug, Clone, Copy, Parameters, Default)]
#[param(default)]
pub struct Extras {
    statistics: bool,
    license: bool,
}

impl Project {
    pub fn new(mut row: ProjectRow, caller: Option<&Caller>, extras: Extras, links: &Links) -> Project {
        if caller.is_some_and(|caller| !caller.reads_activity()) {
            row.project.updated_at = row.project.created_at;
        }
        let (access, reads_code) = (row.access(caller), row.may(Action::ReadCommits, caller));
        let open_issues_count = row.open_issues(caller);
        // release tools read it, so the owner of a personal project has a level, too
        if access == Access::Owner && row.group_access.is_none() {
            row.project_access = Some(access.level());
        }
        row.project_access = row.project_access.or(row.token_access);
        let permissions = caller.map(|_| Permissions::new(&row));
        let ProjectRow { project, namespace, commits, sizes, root_files, has_branches, .. } = row;
        // for who may not read commits, whether there are some is hidden
        let empty_repo = project.default_branch.is_none() || reads_code && !has_branches;
        let files = RootFiles::addresses(root_files, &project, reads_code, links);
        let word = |enabled: bool| if enabled { "enabled" } else { "disabled" };
        let statistics = Statistics::new(commits, sizes.unwrap_or_default());
        let base = Dialect::V4.base_path();
        Project {
            _links: ProjectLinks(format!("{}{base}/projects/{}", links.base, project.id)),
            empty_repo,
            creator_id: project.creator_id,
            updated_at: time::utc(project.updated_at),
            owner: namespace.owner.clone().map(|owner| BasicUser::new(owner, links)),
            issues_enabled: project.issues_enabled,
            jobs_enabled: project.builds_enabled,
            issues_access_level: word(project.issues_enabled),
            builds_access_level: word(project.builds_enabled),
            autoclose_referenced_issues: project.autoclose,
            open_issues_count,
            description_html: escaped(project.description.as_deref().unwrap_or_default()),
            permissions,
            statistics: (extras.statistics && access >= Access::Reporter).then_some(statistics),
            license: extras.license.then(|| LicenseFields::new(files.license)),
            constants: OF_PROJECT,
            simple: SimpleProject::new(project, namespace, files.readme, links),
        }
    }
}

pub async fn show(call: &Call<'_>) -> Result<Reply> {
    let (extras, entry, row) = call.authorize_with(call.filters(), |_| sql::one {}).await?;
    let row = row.ok_or_else(|| Error::missing("Project"))?;
    let project = Project::new(row, entry.caller.as_ref(), extras, &entry.links);
    Ok(Reply::json(200, &project))
}

fn reply(status: u16, (row, entry): (ProjectRow, Entry)) -> Result<Reply> {
    let project = Project::new(row, entry.caller.as_ref(), Extras::default(), &entry.links);
    Ok(Reply::json(status, &project))
}
