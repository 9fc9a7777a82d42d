import { always, anyone, bool, id, list, nullable, object, one, paths, ref, text, time, times, visitors, whole } from "../words.mjs";
import { schemas as v3 } from "../projects.mjs";

const settingsOfV3 = v3.Settings.properties;
const same = (names) => Object.fromEntries(names.split(/\s+/).map((name) => [name, settingsOfV3[name]]));
const visibility = one("private", "internal", "public");
const hooksLimit = whole({ minimum: 0, description: "The most branches and tags of a push that hooks get. Of more they get none." });
const settings = object({
  id: always(1),
  created_at: time,
  updated_at: time,
  ...same("default_projects_limit signup_enabled signin_enabled sign_in_text home_page_url default_branch_protection max_attachment_size"),
  ...same(
    "session_expire_delay user_oauth_applications after_sign_out_path container_registry_token_expire_delay enabled_git_access_protocol",
  ),
  ...same("domain_whitelist domain_blacklist_enabled domain_blacklist"),
  push_event_hooks_limit: hooksLimit,
  password_authentication_enabled: bool(),
  password_authentication_enabled_for_web: bool(),
  password_authentication_enabled_for_git: always(true),
  gravatar_enabled: bool(),
  restricted_visibility_levels: list(visibility),
  default_project_visibility: visibility,
  default_snippet_visibility: visibility,
  default_group_visibility: always("private"),
  domain_allowlist: settingsOfV3.domain_whitelist,
  domain_denylist_enabled: bool(),
  domain_denylist: settingsOfV3.domain_blacklist,
  repository_storages: list(text(), { minItems: 1, maxItems: 1 }),
  repository_storages_weighted: { type: "object", additionalProperties: whole() },
  after_sign_up_text: always(""),
  can_create_group: always(true),
  usage_ping_enabled: always(false),
  version_check_enabled: always(false),
  default_branch_name: { type: "null" },
});
const word = { description: "A word, or its number: 0, 1, 2, or 0, 10, 20." };
const params = {
  ...v3.SettingsParams,
  properties: {
    ...v3.SettingsParams.properties,
    push_event_hooks_limit: hooksLimit,
    password_authentication_enabled: bool("Another name of `signin_enabled`."),
    password_authentication_enabled_for_web: bool("Another name of `signin_enabled`."),
    restricted_visibility_levels: list({ ...visibility, ...word }),
    default_project_visibility: { ...visibility, ...word },
    default_snippet_visibility: { ...visibility, ...word },
    domain_allowlist: v3.SettingsParams.properties.domain_whitelist,
    domain_denylist_enabled: bool("Another name of `domain_blacklist_enabled`."),
    domain_denylist: v3.SettingsParams.properties.domain_blacklist,
  },
};
const entities = ["User", "Group", "Project", "SystemHook", "ApplicationSetting"];
const auditEvent = object({
  id: id(),
  author_id: id("The owner of the token, also with SUDO."),
  entity_id: nullable(id("Null for the settings.")),
  entity_type: one(...entities),
  event_name: text("Verb and path of the operation, such as `POST /users/:id/block`."),
  details: object({
    author_name: text(),
    author_email: text(),
    custom_message: text("As `event_name`."),
    target_id: nullable(id("As `entity_id`.")),
    target_type: one(...entities),
    target_details: text({ maxLength: 200, description: "The path of the request, cut after 200 bytes." }),
    change: nullable(text("The names of the settings that changed, with commas. Null for other acts.")),
    ip_address: { type: "null", description: "No address is kept." },
  }),
  created_at: time,
});
export const schemas = { Settings: settings, SettingsParams: params, License: v3.License, AuditEvent: auditEvent };

const popular = bool("Only the most used licenses.");
const placeholders = {
  project: text("Name of the project."),
  fullname: text("Name of the copyright holder. Default with a token: the caller's name."),
};
const templates = (path, id) => ({
  [`GET /templates/${path}`]: {
    id: `list${id}`,
    summary: "List license templates",
    query: { popular },
    paged: "counted",
    cursors: false,
    open: anyone,
    gives: { 200: list(ref("License")) },
  },
  [`GET /templates/${path}/{key}`]: {
    id: `show${id}`,
    summary: "A license template, filled in",
    query: placeholders,
    open: anyone,
    gives: { 200: ref("License") },
    refuses: [404],
  },
});
export const pathsOfServer = {
  settings: paths("Server", {
    "GET /application/settings": {
      id: "showSettings",
      summary: "The application settings (administrators)",
      gives: { 200: ref("Settings") },
    },
    "PUT /application/settings": {
      guarded: true,
      id: "editSettings",
      summary: "Change application settings (administrators)",
      description: "Changes all settings in the request or none. Null or blank clears a text or list and does not change other settings.",
      body: params,
      gives: { 200: ref("Settings") },
    },
  }),
  audit: paths("Server", {
    "GET /audit_events": {
      id: "listAuditEvents",
      summary: "List what administrators did (administrators)",
      description:
        "Writes by operations for administrators alone and with SUDO, changes of tokens of other people and in their projects, and deletions and memberships of groups and projects of others. Newest first. Rows are kept for a year by default.",
      query: {
        created_after: text(`Not before this time. ${times}`),
        created_before: text(`Not after this time. ${times}`),
        entity_type: one(...entities),
        entity_id: id("Needs `entity_type`."),
      },
      paged: "keyset",
      gives: { 200: list(ref("AuditEvent")) },
    },
    "GET /audit_events/{id}": {
      id: "showAuditEvent",
      summary: "One act of an administrator (administrators)",
      gives: { 200: ref("AuditEvent") },
    },
  }),
  templates: paths("License templates", {
    ...templates("licenses", "Licenses"),
    ...templates("Licenses", "LicensesOfGitbeaker"),
    "GET /projects/{id}/templates/licenses": {
      id: "listProjectLicenses",
      summary: "List license templates for a project",
      query: { popular },
      open: visitors,
      gives: { 200: list(object({ key: text(), name: text() })) },
    },
    "GET /projects/{id}/templates/licenses/{key}": {
      id: "showProjectLicense",
      summary: "A license template, filled in for the project",
      query: placeholders,
      open: visitors,
      gives: { 200: ref("License") },
    },
  }),
};
