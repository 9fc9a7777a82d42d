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
  params,
  paths,
  ref,
  text,
  time,
  visitors,
  whole,
} from "../words.mjs";
import { schemas as people } from "../people.mjs";
import { accepted, namespace } from "./projects.mjs";

const none = { type: "null" };
const nothing = list({}, { maxItems: 0 });
const visibility = one("private", "internal", "public");
const group = object({
  id: id(),
  web_url: text(),
  name: text(),
  path: text(),
  description: text(),
  visibility,
  share_with_group_lock: always(false),
  require_two_factor_authentication: always(false),
  two_factor_grace_period: always(48),
  project_creation_level: always("developer"),
  auto_devops_enabled: none,
  subgroup_creation_level: always("owner"),
  emails_disabled: always(false),
  emails_enabled: always(true),
  mentions_disabled: none,
  lfs_enabled: always(false),
  archived: always(false),
  default_branch: none,
  default_branch_protection: whole({ enum: [0, 1, 2], description: "From the settings of the server." }),
  avatar_url: none,
  request_access_enabled: always(false),
  full_name: text(),
  full_path: text(),
  created_at: time,
  parent_id: none,
  shared_runners_setting: always("enabled"),
});
const { name, path, description } = people.NewGroupParams.properties;
const fields = {
  name,
  path,
  description,
  visibility: { ...visibility, description: "Default: private." },
  parent_id: nullable(text("Must be blank, because groups cannot contain groups.")),
};

export const schemas = {
  Group: group,
  GroupWithProjects: extended(
    group,
    { shared_with_groups: nothing, projects: list(ref("Project"), { maxItems: 100 }), shared_projects: nothing },
    { optional: ["projects"], description: "A group and those of its projects that the caller can see." },
  ),
  Namespace: extended(
    namespace,
    { members_count_with_descendants: count("Of a group, for its owners."), projects_count: count("For owners.") },
    { optional: ["members_count_with_descendants", "projects_count"] },
  ),
  NewGroupParams: params(["name", "path"], fields),
  GroupParams: params([], fields),
};

const filters = {
  search: text("Part of a name or path."),
  owned: bool("Only those with the caller as owner."),
  all_available: bool("Also groups that the caller sees without being a member. Default: only for administrators and without a token."),
  min_access_level: {
    type: "integer",
    enum: [5, 10, 15, 20, 30, 40, 50],
    description: "Only groups in which the caller has at least this level.",
  },
  visibility,
  skip_groups: { ...list(id()), description: "Excludes these groups." },
  active: bool("`false` finds nothing, because no group is archived."),
  archived: bool("`true` finds nothing."),
  marked_for_deletion_on: text("Finds nothing, because no group waits for its deletion."),
  custom_attributes: {
    type: "object",
    additionalProperties: text(),
    description: "`custom_attributes[key]=value` finds nothing, because no group has any.",
  },
  repository_storage: text("Another name than `default` finds nothing."),
  order_by: { ...one("name", "path", "id", "similarity"), default: "name", description: "`similarity` is `name`." },
  sort: { ...one("asc", "desc"), default: "asc" },
};
const early = "A page with filters may end early, and then has a `next` address all the same.";
const IdOrPath = { description: "Id or path.", schema: { type: "string", minLength: 1, maxLength: 255 } };
export const pathsOfGroups = {
  groups: paths("Groups", {
    "GET /groups": {
      id: "listGroups",
      summary: "List groups that the caller can see",
      description: early,
      query: filters,
      paged: "keyset",
      open: visitors,
      gives: { 200: list(ref("Group")) },
    },
    "POST /groups": { id: "createGroup", summary: "Create a group", body: schemas.NewGroupParams, gives: { 201: ref("Group") } },
    "GET /groups/{id}": {
      id: "showGroup",
      summary: "A group and its projects",
      query: { with_projects: bool("Whether to include its projects. Default: true.") },
      open: visitors,
      gives: { 200: ref("GroupWithProjects") },
    },
    "PUT /groups/{id}": { id: "editGroup", summary: "Change a group", body: schemas.GroupParams, gives: { 200: ref("Group") } },
    "DELETE /groups/{id}": {
      id: "deleteGroup",
      summary: "Delete a group and its projects",
      description:
        "A group with more than 10,000 projects is not deleted: 409. Of very many projects and tokens one request deletes " +
        "a part, and answers 409 as well: send it again.",
      gives: { 202: accepted },
      refuses: [409],
    },
    "GET /namespaces": {
      id: "listNamespaces",
      summary: "List the caller's namespaces",
      description: early,
      query: {
        search: filters.search,
        owned_only: bool("Only those with the caller as owner."),
        top_level_only: bool("Has no effect, because all groups are top-level groups."),
      },
      paged: "known",
      gives: { 200: list(ref("Namespace")) },
    },
    "GET /namespaces/{id}": { id: "showNamespace", summary: "A namespace", path: { id: IdOrPath }, gives: { 200: ref("Namespace") } },
    "GET /namespaces/{path}/exists": {
      id: "namespaceExists",
      summary: "Check whether a username or path of a group is already used",
      path: { path: IdOrPath },
      gives: { 200: object({ exists: bool(), suggests: nothing }) },
    },
  }),
};
