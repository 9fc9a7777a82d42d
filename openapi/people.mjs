import {
  always,
  bool,
  count,
  date,
  extended,
  id,
  list,
  nullable,
  object,
  one,
  params,
  paths,
  ref,
  step,
  text,
  time,
  times,
  whole,
} from "./words.mjs";

export const keep_old_for_a_day = {
  ...bool("Whether the old token works for 24 hours more, unless its own end comes first. It ends at once otherwise."),
  default: false,
};

const user = {
  name: text(),
  username: text(),
  id: whole({ description: "Negative: the user of a project's token. No other request returns this user." }),
  state: one("active", "blocked", "ldap_blocked"),
  avatar_url: nullable(text()),
  web_url: text("Address of the user's page."),
};
const brief = object(user, { description: "The brief form of a user: author, assignee, user." });
const full = extended(
  brief,
  {
    created_at: time,
    is_admin: bool(),
    bio: nullable(text()),
    location: nullable(text()),
    skype: text(),
    linkedin: text(),
    twitter: text(),
    website_url: text(),
  },
  { description: "The full form of a user." },
);
const own = extended(
  full,
  {
    last_sign_in_at: { type: "null" },
    confirmed_at: time,
    email: text(),
    theme_id: always(1),
    color_scheme_id: always(1),
    projects_limit: count(),
    current_sign_in_at: { type: "null" },
    identities: list({}, { maxItems: 0 }),
    can_create_group: bool(),
    can_create_project: bool(),
    two_factor_enabled: bool(),
    external: bool(),
  },
  { description: "Only the user and administrators can see these fields." },
);

const level = { type: "integer", enum: [10, 20, 30, 40, 50], description: "10 guest, 20 reporter, 30 developer, 40 master, 50 owner." };
export const lastDay = text("The day on which the membership ends, in UTC. Not in the past. Blank: it has no end.");
const member = extended(
  brief,
  { access_level: level, created_at: time, expires_at: nullable(date) },
  { description: "A member of a project or group." },
);
const visibility = (description) => ({ type: "integer", enum: [0, 10, 20], description });
const group = object({
  id: id(),
  name: text(),
  path: text(),
  description: text(),
  visibility_level: visibility("0 private, 10 internal, 20 public."),
  avatar_url: { type: "null" },
  web_url: text(),
});
/** Further scopes of GitLab: parts of api and read_api, and parts of api alone. */
export const readingParts = ["read_user", "read_repository", "read_registry", "read_virtual_registry", "read_service_ping"];
export const writingParts = [
  ...["write_repository", "write_registry", "write_virtual_registry", "sudo", "admin_mode", "self_rotate"],
  ...["create_runner", "manage_runner", "ai_features", "k8s_proxy"],
];
const token = object(
  {
    id: id(),
    name: text(),
    revoked: bool(),
    created_at: time,
    scopes: list(one("api", "read_api", "statuses", "deployments", "mirror", ...readingParts, ...writingParts), { minItems: 1 }),
    user_id: whole({ description: "The user that the token acts as." }),
    project_id: id("The only project that the token opens."),
    access_level: { ...level, description: "The highest level of a project's token. It is never above the current level of its creator." },
    active: bool(),
    expires_at: nullable(time),
  },
  { optional: ["project_id", "access_level"] },
);
const tokenParams = {
  name: text({ minLength: 1, maxLength: 255 }),
  expires_at: text(
    `Must not be in the past or later than the end of the token of this request, which is the default. ${times} A date without a time means its midnight.`,
  ),
};
const scopes = (names, description) => ({ ...list(one(...names), { maxItems: names.length }), description });

const noEnd = "(?!.*\\.(?:[Gg][Ii][Tt]|[Aa][Tt][Oo][Mm]|[Jj][Ss][Oo][Nn])$)";
export const path = text({ pattern: `^(?!\\.{1,2}$)${noEnd}[A-Za-z0-9_.][A-Za-z0-9_.-]*$`, maxLength: 255 });
/** A username or the path of a group. It must not be a number or a reserved first word of addresses. */
const space = text({ pattern: `^(?!.*\\.$)(?![0-9]+$)${noEnd}[A-Za-z0-9_.][A-Za-z0-9_.-]*$`, maxLength: 255 });
const profile = {
  email: text({ maxLength: 255, pattern: "^[^@\\s\\x00-\\x1f\\x7f]+@[^@\\s\\x00-\\x1f\\x7f]+$", example: "ann@example.com" }),
  name: text({ minLength: 1, maxLength: 255 }),
  username: space,
  admin: bool(),
  external: bool("Whether the user can only see public projects and those that the user is a member of."),
  bio: text({ maxLength: 255 }),
  location: text({ maxLength: 255 }),
  skype: text({ maxLength: 255 }),
  linkedin: text({ maxLength: 255 }),
  twitter: text({ maxLength: 255 }),
  website_url: text({ maxLength: 255, description: "An address of the web.", example: "https://example.org" }),
  projects_limit: count(),
};
const groupParams = {
  name: text({ minLength: 1, maxLength: 255, pattern: "^[^/<>\\x00-\\x1f\\x7f]*$" }),
  path: space,
  description: text({ maxLength: 2000 }),
  visibility_level: visibility("0 private (default), 10 internal, 20 public."),
};

export const schemas = {
  User: brief,
  FullUser: full,
  OwnUser: own,
  Member: member,
  Group: group,
  GroupWithProjects: extended(
    group,
    { projects: list(ref("Project"), { maxItems: 100 }) },
    { description: "A group and those of its projects that the caller can see." },
  ),
  Namespace: object({ id: id(), path: text(), kind: one("user", "group") }),
  Token: token,
  NewToken: extended(token, { token: text({ minLength: 20, description: "Only this answer contains the token." }) }, { optional: [] }),
  UserParams: params([], profile),
  NewUserParams: params(["email", "name", "username"], profile),
  TokenParams: params(["name"], {
    ...tokenParams,
    scopes: scopes(
      ["api", "read_api", ...readingParts, ...writingParts],
      "api (default): all that the user may. read_api: every GET. GitLab's others are parts of these and add nothing.",
    ),
  }),
  HookTokenParams: params(["name"], {
    ...tokenParams,
    scopes: scopes(["mirror"], "Nothing else."),
    cross_project: {
      ...bool("Whether commits also close and mention issues of other projects, where the maker of the token may edit them."),
      default: false,
    },
  }),
  ProjectTokenParams: params(["name", "scopes"], {
    ...tokenParams,
    scopes: scopes(
      ["api", "read_api", "statuses", "deployments", ...readingParts, ...writingParts],
      "api: all. read_api: every GET. statuses: post and list statuses, and read the project itself. deployments: the same with deployments and environments. GitLab's others are parts of api and read_api and add nothing.",
    ),
    access_level: { type: "integer", enum: [10, 20, 30, 40], default: 30, description: "10 guest, 20 reporter, 30 developer, 40 master." },
  }),
  RotationParams: params([], {
    keep_old_for_a_day,
    expires_at: text(`As of a new token; else it lives as long as the one before it was made for. ${times}`),
  }),
  GroupParams: params([], groupParams),
  NewGroupParams: params(["name", "path"], groupParams),
  NewMemberParams: params(["user_id", "access_level"], { user_id: id(), access_level: level, expires_at: lastDay }),
  MemberParams: params(["access_level"], { access_level: level, expires_at: lastDay }),
};

const aboutUser = { "user": step("showUser", { id: "$response.body#/id" }), "tokens": step("createToken", { id: "$response.body#/id" }) };
const users = paths("Users", {
  "GET /user": { id: "showOwnUser", summary: "The caller", gives: { 200: ref("OwnUser") } },
  "GET /users": {
    id: "listUsers",
    summary: "List users",
    description: "Administrators get more fields.",
    query: {
      search: text("Part of a name or username. Administrators can also search for a whole e-mail address."),
      username: text("Only the user with this username."),
      active: bool(),
      blocked: bool(),
    },
    paged: true,
    gives: { 200: { anyOf: [list(ref("User")), list(ref("OwnUser"))] } },
  },
  "POST /users": {
    id: "createUser",
    summary: "Create a user (administrators)",
    body: schemas.NewUserParams,
    gives: { 201: ref("OwnUser") },
    refuses: [409],
    links: aboutUser,
  },
  "GET /users/{id}": {
    id: "showUser",
    summary: "A user",
    description: "Administrators get more fields.",
    gives: { 200: { anyOf: [ref("FullUser"), ref("OwnUser")] } },
  },
  "PUT /users/{id}": {
    id: "editUser",
    summary: "Change a user (administrators)",
    body: schemas.UserParams,
    gives: { 200: ref("OwnUser") },
    refuses: [409],
  },
  "DELETE /users/{id}": {
    id: "deleteUser",
    summary: "Delete a user (administrators)",
    description: "Name and address are free again. Issues, comments and projects stay, with the name of a ghost.",
    gives: { 200: ref("OwnUser") },
  },
  "PUT /users/{id}/block": { id: "blockUser", summary: "Block a user (administrators)", gives: { 200: always(true) } },
  "PUT /users/{id}/unblock": { id: "unblockUser", summary: "Unblock a user (administrators)", gives: { 200: always(true) } },
});

const tokens = paths("Tokens", {
  "GET /users/{id}/personal_access_tokens": {
    id: "listTokens",
    summary: "List a user's tokens",
    description: "Your own. Administrators can use any user.",
    paged: true,
    gives: { 200: list(ref("Token")) },
  },
  "POST /users/{id}/personal_access_tokens": {
    repeatable: true,
    id: "createToken",
    summary: "Create a token",
    description: "Only this answer contains the token.",
    body: schemas.TokenParams,
    gives: { 201: ref("NewToken") },
    links: { revoke: step("revokeToken", { id: "$request.path.id", token_id: "$response.body#/id" }) },
  },
  "DELETE /users/{id}/personal_access_tokens/{token_id}": { id: "revokeToken", summary: "Revoke a token", gives: { 204: null } },
  "GET /projects/{id}/hook_tokens": {
    id: "listHookTokens",
    summary: "List the tokens of a project's mirror hooks",
    paged: true,
    gives: { 200: list(ref("Token")) },
  },
  "POST /projects/{id}/hook_tokens": {
    repeatable: true,
    id: "createHookToken",
    summary: "Create a token that can only push the project's mirror",
    body: schemas.HookTokenParams,
    gives: { 201: ref("NewToken") },
    links: { revoke: step("revokeHookToken", { id: "$request.path.id", token_id: "$response.body#/id" }) },
  },
  "DELETE /projects/{id}/hook_tokens/{token_id}": { id: "revokeHookToken", summary: "Revoke such a token", gives: { 204: null } },
  "GET /projects/{id}/access_tokens": {
    id: "listProjectTokens",
    summary: "List the project's tokens",
    paged: true,
    gives: { 200: list(ref("Token")) },
  },
  "POST /projects/{id}/access_tokens": {
    repeatable: true,
    id: "createProjectToken",
    summary: "Create a token that only opens this project",
    description:
      "For CI. The author of its records is a user with the token's name. The token cannot do more than its creator is allowed to do now.",
    body: schemas.ProjectTokenParams,
    gives: { 201: ref("NewToken") },
    links: {
      revoke: step("revokeProjectToken", { id: "$request.path.id", token_id: "$response.body#/id" }),
      rotate: step("rotateProjectToken", { id: "$request.path.id", token_id: "$response.body#/id" }),
    },
  },
  "DELETE /projects/{id}/access_tokens/{token_id}": {
    id: "revokeProjectToken",
    summary: "Revoke such a token",
    description: "Records that it wrote keep their author.",
    gives: { 204: null },
  },
  "POST /projects/{id}/access_tokens/{token_id}/rotate": {
    repeatable: true,
    id: "rotateProjectToken",
    summary: "Replace a token by a new one",
    description:
      "The new token has the same author, scopes and level. The old token ends at once, or a day later. The caller becomes the creator.",
    body: schemas.RotationParams,
    gives: { 201: ref("NewToken") },
  },
});

const search = { search: text("Part of a name or path.") };
const groups = paths("Groups", {
  "GET /namespaces": {
    id: "listNamespaces",
    summary: "List the caller's namespaces",
    query: search,
    paged: true,
    gives: { 200: list(ref("Namespace")) },
  },
  "GET /groups": { id: "listGroups", summary: "List groups", query: search, paged: true, gives: { 200: list(ref("Group")) } },
  "POST /groups": {
    id: "createGroup",
    summary: "Create a group",
    body: schemas.NewGroupParams,
    gives: { 201: ref("Group") },
    links: {
      group: step("showGroup", { id: "$response.body#/id" }),
      member: step("addGroupMember", { id: "$response.body#/id" }),
      remove: step("deleteGroup", { id: "$response.body#/id" }),
    },
  },
  "GET /groups/{id}": { id: "showGroup", summary: "A group and its projects", gives: { 200: ref("GroupWithProjects") } },
  "PUT /groups/{id}": { id: "editGroup", summary: "Change a group", body: schemas.GroupParams, gives: { 200: ref("Group") } },
  "DELETE /groups/{id}": {
    id: "deleteGroup",
    summary: "Delete a group that has no projects",
    gives: { 200: ref("Group") },
    refuses: [409],
  },
});

function membersOf(kind, path) {
  const place = kind.toLowerCase();
  const about = { id: "$request.path.id", user_id: "$response.body#/id" };
  return paths("Members", {
    [`GET ${path}`]: {
      id: `list${kind}Members`,
      summary: `List the members of a ${place}`,
      query: { query: text("Part of a name or username.") },
      paged: true,
      gives: { 200: list(ref("Member")) },
    },
    [`POST ${path}`]: {
      id: `add${kind}Member`,
      summary: `Add a member to a ${place}`,
      body: schemas.NewMemberParams,
      gives: { 201: ref("Member") },
      refuses: [409],
      links: { member: step(`show${kind}Member`, about), remove: step(`remove${kind}Member`, about) },
    },
    [`GET ${path}/{user_id}`]: { id: `show${kind}Member`, summary: `A member of a ${place}`, gives: { 200: ref("Member") } },
    [`PUT ${path}/{user_id}`]: {
      id: `edit${kind}Member`,
      summary: `Change a member of a ${place}`,
      body: schemas.MemberParams,
      gives: { 200: ref("Member") },
    },
    [`DELETE ${path}/{user_id}`]: {
      id: `remove${kind}Member`,
      summary: `Remove a member from a ${place}`,
      description: "Every member may leave, except the last owner of a group.",
      gives: { 200: ref("Member") },
    },
  });
}

export const pathsOfPeople = {
  users,
  tokens,
  groups,
  groupMembers: membersOf("Group", "/groups/{id}/members"),
  projectMembers: membersOf("Project", "/projects/{id}/members"),
};
export { visibility };
