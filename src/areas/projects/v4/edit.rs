use super::reply;
use crate::areas::projects::edit::{self, ProjectChange};
use crate::areas::projects::{self, NewProject};
use crate::kernel::params::read::Parameters as _;
use crate::kernel::policy::Visibility;
use crate::kernel::{Call, Parameters, Patch, Reply, Result};
use serde_json::json;

/// `private` counts as enabled, because a project stores only on and off.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Feature {
    Disabled,
    Private,
    Enabled,
}

fn first_sent(flags: [Option<bool>; 2], feature: Option<Feature>) -> Option<bool> {
    flags.into_iter().flatten().next().or(feature.map(|feature| feature != Feature::Disabled))
}

fn level(word: Option<Visibility>, number: Option<i64>) -> Option<i64> {
    word.map(Visibility::level).or(number)
}

#[derive(Debug, Parameters)]
struct NewParams {
    name: Option<String>,
    path: Option<String>,
    namespace_id: Option<i64>,
    description: Option<String>,
    default_branch: Option<String>,
    visibility: Option<Visibility>,
    visibility_level: Option<i64>,
    issues_enabled: Option<bool>,
    issues_access_level: Option<Feature>,
    jobs_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    builds_access_level: Option<Feature>,
    autoclose_referenced_issues: Option<bool>,
}

fn read_new(call: &Call<'_>) -> Result<NewProject> {
    let new: NewParams = call.creation()?;
    if new.name.is_none() && new.path.is_none() {
        call.params()?.require_one_of(&["name", "path"])?;
    }
    Ok(NewProject {
        name: new.name.or_else(|| new.path.clone()).unwrap_or_default(),
        path: new.path,
        namespace_id: new.namespace_id,
        description: new.description,
        default_branch: new.default_branch,
        visibility: level(new.visibility, new.visibility_level),
        issues_enabled: first_sent([new.issues_enabled, None], new.issues_access_level),
        builds_enabled: first_sent([new.jobs_enabled, new.builds_enabled], new.builds_access_level),
        autoclose: new.autoclose_referenced_issues,
    })
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    reply(201, projects::create(call, read_new(call)).await?)
}

pub async fn create_for_user(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    reply(201, projects::create_for_user(call, user_id, read_new(call)).await?)
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Patch<String>,
    path: Patch<String>,
    description: Patch<String>,
    default_branch: Patch<String>,
    visibility: Option<Visibility>,
    visibility_level: Option<i64>,
    issues_enabled: Option<bool>,
    issues_access_level: Option<Feature>,
    jobs_enabled: Option<bool>,
    builds_enabled: Option<bool>,
    builds_access_level: Option<Feature>,
    autoclose_referenced_issues: Option<bool>,
}

/// Fields of GitLab that are accepted but have no effect.
const WITHOUT_EFFECT: &str = "allow_merge_on_skipped_pipeline allow_pipeline_trigger_approve_deployment analytics_access_level \
    approvals_before_merge auto_cancel_pending_pipelines auto_devops_deploy_strategy auto_devops_enabled \
    auto_duo_code_review_enabled avatar build_coverage_regex build_git_strategy build_timeout \
    ci_allow_fork_pipelines_to_run_in_parent_project ci_config_path ci_default_git_depth \
    ci_delete_pipelines_in_seconds ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed \
    ci_id_token_sub_claim_components ci_pipeline_variables_minimum_override_role \
    ci_push_repository_for_job_token_allowed ci_restrict_pipeline_cancellation_role ci_separated_caches \
    container_expiration_policy_attributes container_registry_access_level container_registry_enabled \
    emails_disabled emails_enabled enforce_auth_checks_on_uploads environments_access_level \
    external_authorization_classification_label feature_flags_access_level forking_access_level \
    group_runners_enabled import_url infrastructure_access_level issue_branch_template issues_template \
    keep_latest_artifact lfs_enabled max_artifacts_size merge_commit_template merge_method \
    merge_pipelines_enabled merge_request_title_regex merge_request_title_regex_description \
    merge_requests_access_level merge_requests_enabled merge_requests_template merge_trains_enabled \
    merge_trains_skip_train_allowed mirror mirror_branch_regex mirror_overwrites_diverged_branches \
    mirror_trigger_builds mirror_user_id model_experiments_access_level model_registry_access_level \
    monitor_access_level mr_default_target_self only_allow_merge_if_all_discussions_are_resolved \
    only_allow_merge_if_all_status_checks_passed only_allow_merge_if_pipeline_succeeds \
    only_mirror_protected_branches package_registry_access_level packages_enabled pages_access_level \
    prevent_merge_without_jira_issue printing_merge_request_link_enabled public_builds public_jobs \
    releases_access_level remove_source_branch_after_merge repository_access_level repository_storage \
    request_access_enabled requirements_access_level resolve_outdated_diff_discussions \
    resource_group_default_process_mode restrict_user_defined_variables security_and_compliance_access_level \
    service_desk_enabled shared_runners_enabled show_default_award_emojis snippets_access_level snippets_enabled \
    squash_commit_template squash_option suggestion_commit_message tag_list topics \
    warn_about_potentially_unwanted_characters wiki_access_level wiki_enabled";

fn read_change(call: &Call<'_>) -> Result<ProjectChange> {
    let edit: Edit = call.edit()?;
    let params = call.params()?;
    if !WITHOUT_EFFECT.split(' ').any(|name| params.sent().contains_key(name)) {
        params.require_one_of(Edit::NAMES)?;
    }
    Ok(ProjectChange {
        visibility: level(edit.visibility, edit.visibility_level),
        issues_enabled: first_sent([edit.issues_enabled, None], edit.issues_access_level),
        builds_enabled: first_sent([edit.jobs_enabled, edit.builds_enabled], edit.builds_access_level),
        autoclose: edit.autoclose_referenced_issues,
        name: edit.name,
        path: edit.path,
        description: edit.description,
        default_branch: edit.default_branch,
    })
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    reply(200, edit::update(call, read_change(call)).await?)
}

pub async fn set_archived(call: &Call<'_>, archived: bool) -> Result<Reply> {
    reply(201, edit::set_archived(call, archived).await?)
}

/// The answer to a deletion, which clients expect to happen later.
pub fn accepted() -> Reply {
    Reply::json(202, &json!({ "message": "202 Accepted" }))
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    edit::delete(call).await?;
    Ok(accepted())
}

pub async fn restore(call: &Call<'_>, id: &str) -> Result<Reply> {
    reply(201, edit::restore(call, id).await?)
}
