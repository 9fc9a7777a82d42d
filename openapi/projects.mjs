import { always, anyone, bool, count, id, list, nullable, object, one, params, paths, ref, step, text, time, whole } from "./words.mjs";
import { path, visibility } from "./people.mjs";

const namespace = object({
  id: id(),
  name: text(),
  path: text(),
  kind: one("user", "group"),
  owner_id: nullable(id()),
  created_at: time,
  updated_at: time,
  description: text(),
  avatar: { type: "null" },
});
const permission = nullable(object({ access_level: whole(), notification_level: always(3) }));
const project = object(
  {
    id: id(),
    description: nullable(text()),
    default_branch: nullable(text()),
    tag_list: list({}, { maxItems: 0 }),
    public: bool(),
    archived: bool(),
    visibility_level: visibility("0 private, 10 internal, 20 public."),
    ssh_url_to_repo: text("Address on the git server, of the setting `GIT_SSH_URL` of the deployment. Empty without it."),
    http_url_to_repo: text("The same by HTTP, of the setting `GIT_HTTP_URL` of the deployment. Empty without it."),
    web_url: text(),
    owner: ref("User"),
    name: text(),
    name_with_namespace: text(),
    path: text(),
    path_with_namespace: text(),
    issues_enabled: bool(),
    merge_requests_enabled: always(false),
    wiki_enabled: always(false),
    builds_enabled: bool(),
    snippets_enabled: always(false),
    container_registry_enabled: always(false),
    created_at: time,
    last_activity_at: time,
    shared_runners_enabled: always(false),
    creator_id: id(),
    namespace,
    avatar_url: { type: "null" },
    star_count: count(),
    forks_count: count(),
    open_issues_count: count("Counts the issues that the caller can see. Absent if issues are disabled."),
    public_builds: bool(),
    shared_with_groups: list({}, { maxItems: 0 }),
    permissions: object({ project_access: permission, group_access: permission }),
  },
  { optional: ["owner", "open_issues_count"] },
);

const projectParams = {
  name: text({ minLength: 1, maxLength: 255, pattern: "^[^/<>\\x00-\\x1f\\x7f]*$" }),
  path,
  description: text({ maxLength: 2000 }),
  visibility_level: visibility("0 private, 10 internal, 20 public; at first as the settings have it."),
  public: bool("Sets `visibility_level` to 20 (true) or 0 (false), unless that is given."),
  issues_enabled: bool(),
  builds_enabled: bool(),
};

const settings = {
  default_projects_limit: count("Projects that a user may have in the namespace of their own."),
  signup_enabled: bool(),
  signin_enabled: bool(),
  avatar_enabled: bool("Whether users have pictures of the external avatar service."),
  sign_in_text: nullable(text({ maxLength: 65_535 })),
  home_page_url: nullable(text({ maxLength: 2000 })),
  default_branch_protection: whole({ enum: [0, 1, 2], description: "0 none, 1 partial, 2 full." }),
  restricted_visibility_levels: list(whole({ enum: [0, 1, 2] }), {
    description: "Levels that only administrators may give: 0 private, 1 internal, 2 public.",
  }),
  max_attachment_size: whole({ minimum: 1, description: "Megabytes." }),
  session_expire_delay: count("Minutes."),
  default_project_visibility: whole({ enum: [0, 1, 2] }),
  default_snippet_visibility: whole({ enum: [0, 1, 2] }),
  domain_whitelist: nullable(
    list(text(), { description: "Domains that e-mail addresses of new users must have; `*` stands for anything. Null: any." }),
  ),
  domain_blacklist_enabled: bool(),
  domain_blacklist: list(text(), { description: "Domains that they must not have; needed if `domain_blacklist_enabled`." }),
  user_oauth_applications: bool(),
  after_sign_out_path: nullable(text({ maxLength: 2000 })),
  container_registry_token_expire_delay: whole({ minimum: 1, description: "Minutes." }),
  repository_storage: text("One of the names that the server is configured with."),
  enabled_git_access_protocol: nullable(one("ssh", "http")),
};
const settingsParams = {
  ...settings,
  enabled_git_access_protocol: { ...one("ssh", "http", "nil"), description: "`nil`: both." },
  gravatar_enabled: bool("Another name of `avatar_enabled`."),
};

export const schemas = {
  Project: project,
  ProjectParams: params([], { ...projectParams, default_branch: text({ maxLength: 1024 }) }),
  NewProjectParams: params(["name"], { ...projectParams, namespace_id: id("A user's or group's id. Default: the caller's own.") }),
  Settings: object({ id: always(1), created_at: time, updated_at: time, ...settings }),
  SettingsParams: params([], settingsParams),
  License: object({
    key: text(),
    name: text(),
    nickname: nullable(text()),
    featured: bool(),
    popular: bool("The original's name of `featured`."),
    html_url: text(),
    source_url: text(),
    description: text(),
    conditions: list(text()),
    permissions: list(text()),
    limitations: list(text()),
    content: text("The license. In the answer for a single license the placeholders are filled in."),
  }),
  Version: object({ version: text(), revision: text() }),
};

const shared = { search: text("Part of a name, path or description."), archived: bool(), visibility: one("private", "internal", "public") };
const sort = { ...one("asc", "desc"), default: "desc" };
const own = {
  ...shared,
  order_by: { ...one("id", "name", "path", "created_at", "updated_at", "last_activity_at"), default: "created_at" },
  sort,
};
const all = { ...shared, order_by: { ...one("id", "created_at"), default: "created_at" }, sort };
const projectList = { 200: list(ref("Project")) };
const made = { id: "$response.body#/id" };
const links = {
  project: step("showProject", made),
  edit: step("editProject", made),
  issue: step("createIssue", made),
  label: step("createLabel", made),
  milestone: step("createMilestone", made),
  archive: step("archiveProject", made),
  remove: step("deleteProject", made),
};

const projects = paths("Projects", {
  "GET /projects": { id: "listProjects", summary: "List the caller's projects", query: own, paged: "bounded", gives: projectList },
  "POST /projects": {
    id: "createProject",
    summary: "Create a project",
    body: schemas.NewProjectParams,
    gives: { 201: ref("Project") },
    links,
  },
  "GET /projects/all": {
    id: "listAllProjects",
    summary: "List every project (administrators)",
    query: all,
    paged: true,
    gives: projectList,
  },
  "GET /projects/owned": {
    id: "listOwnedProjects",
    summary: "List the projects of the caller's own namespace",
    query: own,
    paged: "bounded",
    gives: projectList,
  },
  "GET /projects/visible": {
    id: "listVisibleProjects",
    summary: "List the projects that the caller can see",
    query: all,
    paged: true,
    gives: projectList,
  },
  "POST /projects/user/{user_id}": {
    id: "createProjectForUser",
    summary: "Create a project for another user (administrators)",
    body: schemas.NewProjectParams,
    gives: { 201: ref("Project") },
  },
  "GET /projects/{id}": { id: "showProject", summary: "A project", gives: { 200: ref("Project") } },
  "PUT /projects/{id}": { id: "editProject", summary: "Change a project", body: schemas.ProjectParams, gives: { 200: ref("Project") } },
  "DELETE /projects/{id}": { id: "deleteProject", summary: "Delete a project", gives: { 200: always(true) } },
  "POST /projects/{id}/archive": { id: "archiveProject", summary: "Archive a project", gives: { 201: ref("Project") } },
  "POST /projects/{id}/unarchive": { id: "unarchiveProject", summary: "Unarchive a project", gives: { 201: ref("Project") } },
});

const server = paths("Server", {
  "GET /": {
    id: "showEntrance",
    summary: "Where the documentation is",
    gives: { 200: object({ api: always("v3"), documentation: text("The page for people."), description: text("This description.") }) },
    open: anyone,
  },
  "GET /version": { id: "showVersion", summary: "Version of the API and of its server", gives: { 200: ref("Version") } },
  "GET /application/settings": {
    id: "showSettings",
    summary: "The application settings (administrators)",
    gives: { 200: ref("Settings") },
  },
  "PUT /application/settings": {
    id: "editSettings",
    summary: "Change application settings (administrators)",
    description: "Changes all settings in the request or none. Null or blank clears a text or list and does not change other settings.",
    body: schemas.SettingsParams,
    gives: { 200: ref("Settings") },
  },
});

const licenses = paths("License templates", {
  "GET /licenses": {
    id: "listLicenses",
    summary: "List license templates",
    query: { popular: bool("Only the most used licenses.") },
    open: anyone,
    gives: { 200: list(ref("License")) },
  },
  "GET /licenses/{key}": {
    id: "showLicense",
    summary: "A license template, filled in",
    description: "The year is always filled in, the project and the copyright holder if they are known.",
    query: {
      project: text("Name of the project."),
      fullname: text("Name of the copyright holder. Default with a token: the caller's name."),
    },
    open: anyone,
    gives: { 200: ref("License") },
    refuses: [404],
  },
});

export const pathsOfProjects = { projects, server, licenses };
