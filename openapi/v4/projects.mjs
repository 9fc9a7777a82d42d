import {
  always,
  bool,
  count,
  extended,
  id,
  list,
  nullable,
  object,
  one,
  or,
  params,
  paths,
  ref,
  text,
  time,
  times,
  visitors,
  whole,
} from "../words.mjs";
import { path } from "../people.mjs";
import { schemas as server } from "../projects.mjs";

const none = { type: "null" };
const nothing = list({}, { maxItems: 0 });
const visibility = one("private", "internal", "public");
export const namespace = object({
  id: id(),
  name: text(),
  path: text(),
  kind: one("user", "group"),
  full_path: text(),
  parent_id: none,
  avatar_url: nullable(text()),
  web_url: text(),
});
const every = (value, names) => Object.fromEntries(names.split(/\s+/).map((name) => [name, always(value)]));

const simple = object(
  {
    id: id(),
    description: nullable(text()),
    name: text(),
    name_with_namespace: text(),
    path: text(),
    path_with_namespace: text(),
    created_at: time,
    default_branch: nullable(text()),
    tag_list: nothing,
    topics: nothing,
    ssh_url_to_repo: text("Address on the git server, of the setting `GIT_SSH_URL` of the deployment. Empty without it."),
    http_url_to_repo: text("The same by HTTP, of the setting `GIT_HTTP_URL` of the deployment. Empty without it."),
    web_url: text(),
    readme_url: nullable(text("Of the README at the root of the default branch, if the mirror has its tree and the caller may read it.")),
    forks_count: always(0),
    avatar_url: none,
    star_count: always(0),
    last_activity_at: time,
    visibility,
    archived: bool("It is only read."),
    namespace,
  },
  { description: "The fields for callers without a token, and with `simple`." },
);
const access = one("enabled", "disabled");
const permission = nullable(object({ access_level: whole(), notification_level: always(3) }));
const sizes = every(0, "wiki_size lfs_objects_size pipeline_artifacts_size snippets_size container_registry_size");
const project = extended(
  simple,
  {
    _links: object(
      Object.fromEntries(
        "self issues merge_requests repo_branches labels events members cluster_agents".split(" ").map((name) => [name, text()]),
      ),
    ),
    empty_repo: bool(),
    creator_id: id(),
    updated_at: time,
    owner: ref("UserBasic"),
    issues_enabled: bool(),
    jobs_enabled: bool(),
    issues_access_level: access,
    builds_access_level: access,
    autoclose_referenced_issues: bool(
      "Whether commits that come into the default branch close the issues that their messages say they close.",
    ),
    ...every(
      false,
      `merge_requests_enabled wiki_enabled snippets_enabled container_registry_enabled lfs_enabled shared_runners_enabled
    group_runners_enabled service_desk_enabled request_access_enabled can_create_merge_request_in mirror emails_disabled only_allow_merge_if_pipeline_succeeds
    only_allow_merge_if_all_discussions_are_resolved auto_devops_enabled resolve_outdated_diff_discussions printing_merge_request_link_enabled
    remove_source_branch_after_merge ci_job_token_scope_enabled`,
    ),
    ...every(true, "emails_enabled packages_enabled public_jobs"),
    ...every("enabled", "repository_access_level environments_access_level releases_access_level package_registry_access_level"),
    ...every(
      "disabled",
      `merge_requests_access_level wiki_access_level snippets_access_level forking_access_level pages_access_level
    container_registry_access_level security_and_compliance_access_level feature_flags_access_level infrastructure_access_level
    monitor_access_level model_experiments_access_level model_registry_access_level analytics_access_level`,
    ),
    import_status: always("none"),
    merge_method: always("merge"),
    squash_option: always("default_off"),
    ci_config_path: always(""),
    build_timeout: always(3600),
    repository_object_format: always("sha1"),
    open_issues_count: count("Counts the issues that the caller can see. Absent if issues are disabled."),
    shared_with_groups: nothing,
    description_html: text(),
    permissions: object({ project_access: permission, group_access: permission }),
    statistics: object({
      commit_count: count("Of the default branch."),
      storage_size: count("Bytes in the object store."),
      repository_size: count("Of trees and files, as they are stored."),
      uploads_size: count(),
      packages_size: count(),
      job_artifacts_size: count("Of reports of CI, as they are stored."),
      ...sizes,
    }),
    license: nullable(object({ key: always("other"), name: always("Other"), nickname: none, html_url: none, source_url: none })),
    license_url: nullable(text("Of the file with the license at the root of the default branch, as readme_url.")),
  },
  { optional: ["owner", "open_issues_count", "permissions", "statistics", "license", "license_url"] },
);

export const accepted = object({ message: always("202 Accepted") });
const { name, description, default_branch, issues_enabled, builds_enabled } = server.ProjectParams.properties;
const feature = (what) => ({ ...one("disabled", "private", "enabled"), description: `Instead of \`${what}\`; the last two are the same.` });
const fields = {
  name,
  path,
  description,
  visibility,
  visibility_level: {
    type: "integer",
    enum: [0, 10, 20],
    description: "0 private, 10 internal, 20 public, where `visibility` is not given.",
  },
  issues_enabled,
  issues_access_level: feature("issues_enabled"),
  jobs_enabled: bool(),
  builds_enabled,
  builds_access_level: feature("builds_enabled"),
  autoclose_referenced_issues: bool("Default: true."),
};

export const schemas = {
  SimpleProject: simple,
  Project: project,
  NewProjectParams: {
    ...params([], {
      ...fields,
      default_branch: {
        ...default_branch,
        description: "A name that git allows. The first push replaces it by the default branch of the repository.",
      },
      namespace_id: id("A user's or group's id. Default: the caller's own."),
    }),
    description: "`name` or `path` is required.",
  },
  ProjectParams: {
    ...params([], { ...fields, default_branch }),
    minProperties: 1,
    description: "Other fields of GitLab are taken without effect, and named in `X-Unread-Parameters`.",
  },
};

const when = (what) => text(`${what} ${times}`);
const filters = {
  membership: bool("Only projects with the caller as a member, directly or through a group."),
  owned: bool("Only projects with the caller as owner."),
  min_access_level: {
    type: "integer",
    enum: [5, 10, 15, 20, 30, 40, 50],
    description: "Only projects in which the caller is a member with at least this level.",
  },
  archived: bool(),
  visibility,
  search: text("Part of a name, path or description."),
  search_namespaces: bool("Whether `search` includes the namespace's path."),
  with_issues_enabled: bool("Only projects with issues enabled."),
  id_after: count("Only higher ids."),
  id_before: count("Only lower ids."),
  updated_after: when("Not changed before this time."),
  updated_before: when("Not changed after this time."),
  last_activity_after: when("The same as `updated_after`."),
  last_activity_before: when("The same as `updated_before`."),
  simple: bool("The short form."),
  statistics: bool("Of projects where the caller is a reporter at least."),
  order_by: {
    ...one("id", "name", "path", "created_at", "updated_at", "last_activity_at", "star_count", "similarity"),
    default: "created_at",
    description: "The last two values sort like `created_at`.",
  },
  sort: { ...one("asc", "desc"), default: "desc" },
  starred: bool("`true` returns an empty list, because projects have no stars."),
  active: bool("The contrary of `archived`."),
  topic_id: id("Returns an empty list, as `topic`."),
  imported: bool("`true` returns an empty list, because projects are not imported."),
  marked_for_deletion_on: text("Returns an empty list, because no project that waits for its deletion is shown."),
  repository_checksum_failed: bool("`true` returns an empty list."),
  wiki_checksum_failed: bool("`true` returns an empty list."),
  custom_attributes: {
    type: "object",
    additionalProperties: text(),
    description: "`custom_attributes[key]=value` returns an empty list, because no project has any.",
  },
  repository_storage: text("Any value but `default` returns an empty list."),
  topic: text("Returns an empty list, because projects have no topics."),
  with_programming_language: text("Returns an empty list, because the server does not detect languages."),
};
const listed = {
  query: filters,
  paged: "keyset",
  open: visitors,
  gives: { 200: or(list(ref("SimpleProject")), list(ref("Project"))) },
  description: "A page with filters may have fewer entries. Follow its `next` address.",
};
export const pathsOfProjects = {
  projects: paths("Projects", {
    "GET /projects": { id: "listProjects", summary: "List projects that the caller can see", ...listed },
    "GET /groups/{id}/projects": { id: "listGroupProjects", summary: "List the projects of a group", ...listed },
    "GET /users/{id}/projects": {
      id: "listUserProjects",
      summary: "List the projects in a user's own namespace",
      ...listed,
      path: { id: { description: "Id or username.", schema: { type: "string", minLength: 1, maxLength: 255 } } },
    },
    "GET /projects/{id}": {
      id: "showProject",
      summary: "A project",
      query: { statistics: filters.statistics, license: bool("Includes `license`, which is always null, and `license_url`.") },
      open: visitors,
      gives: { 200: ref("Project") },
    },
    "POST /projects": { id: "createProject", summary: "Create a project", body: schemas.NewProjectParams, gives: { 201: ref("Project") } },
    "POST /projects/user/{user_id}": {
      id: "createProjectForUser",
      summary: "Create a project for another user (administrators)",
      body: schemas.NewProjectParams,
      gives: { 201: ref("Project") },
    },
    "PUT /projects/{id}": {
      guarded: true,
      id: "editProject",
      summary: "Change a project",
      body: schemas.ProjectParams,
      gives: { 200: ref("Project") },
    },
    "DELETE /projects/{id}": { guarded: true, id: "deleteProject", summary: "Delete a project", gives: { 202: accepted } },
    "POST /projects/{id}/archive": { id: "archiveProject", summary: "Archive a project", gives: { 201: ref("Project") } },
    "POST /projects/{id}/unarchive": { id: "unarchiveProject", summary: "Unarchive a project", gives: { 201: ref("Project") } },
    "POST /projects/{id}/restore": {
      id: "restoreProject",
      summary: "Restore a deleted project (administrators)",
      description: "Needs the project's id. It works until the project's records are removed. Its tokens stay revoked.",
      gives: { 201: ref("Project") },
    },
  }),
};
