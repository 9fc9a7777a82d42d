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
  paths,
  ref,
  text,
  time,
  times,
  visitors,
  whole,
} from "../words.mjs";
import { schemas as people } from "../people.mjs";

const basic = object(
  {
    id: whole({ description: "Negative: the user of a project's token, which is in no list." }),
    username: text(),
    public_email: always(""),
    name: text(),
    state: one("active", "blocked", "ldap_blocked"),
    locked: always(false),
    avatar_url: nullable(text()),
    web_url: text("Address of the user's page."),
  },
  { description: "The form of a user in other records." },
);
const user = extended(
  basic,
  {
    created_at: time,
    bio: nullable(text()),
    location: nullable(text()),
    skype: text(),
    linkedin: text(),
    twitter: text(),
    website_url: text(),
    discord: always(""),
    github: always(""),
    job_title: always(""),
    pronouns: { type: "null" },
    organization: always(""),
    bot: bool("The user of a project's token."),
    work_information: { type: "null" },
    local_time: { type: "null" },
    followers: always(0),
    following: always(0),
    is_followed: always(false),
  },
  { description: "The fields of a user that every user can see." },
);

const none = { type: "null" };
const noStatus = object({ emoji: none, message: none, availability: none, message_html: none, clear_status_at: none });
const address = object({ id: whole(), email: text(), confirmed_at: time });
const own = extended(
  user,
  {
    last_sign_in_at: none,
    confirmed_at: time,
    last_activity_on: none,
    email: text(),
    theme_id: always(1),
    color_scheme_id: always(1),
    projects_limit: count(),
    current_sign_in_at: none,
    identities: list({}, { maxItems: 0 }),
    can_create_group: bool(),
    can_create_project: bool(),
    two_factor_enabled: always(false),
    external: bool(),
    private_profile: always(false),
    commit_email: text(),
    preferred_language: always("en"),
  },
  { description: "The fields of their own account that a user can see." },
);
const known = extended(
  own,
  { is_admin: bool(), note: none, namespace_id: id("The user's own namespace. It equals the user's id."), created_by: none },
  { description: "The fields of a user that administrators can see." },
);

export const schemas = {
  UserBasic: basic,
  User: user,
  UserPublic: own,
  UserWithAdmin: known,
  UserParams: people.UserParams,
  NewUserParams: people.NewUserParams,
};

const when = (what) => text(`${what} ${times}`);
const filters = {
  username: text("Only the user with this username, in upper or lower case."),
  search: text("Part of a name or username. Administrators can also search for a whole e-mail address."),
  active: bool(),
  blocked: bool(),
  external: bool("Only users who can only see public projects and their own."),
  admins: bool("Only administrators. Ignored unless the caller is an administrator."),
  exclude_active: bool("Only users who are blocked."),
  exclude_external: bool("Without external users. Ignored unless the caller is an administrator."),
  without_projects: bool("Only users who have no project and are a member of none. Ignored unless the caller is an administrator."),
  two_factor: { ...one("enabled", "disabled"), description: "Nobody has a second factor, so `enabled` finds nobody." },
  extern_uid: text("Finds nobody: no user has an identity elsewhere."),
  provider: text("Finds nobody, as `extern_uid`."),
  saml_provider_id: id("Finds nobody, as `extern_uid`."),
  public_email: text("Finds nobody: no user has a public address."),
  auditors: bool("`true` finds nobody."),
  custom_attributes: { type: "object", additionalProperties: text(), description: "`custom_attributes[key]=value` finds nobody." },
  exclude_humans: bool("`true` finds nobody: only humans are listed."),
  humans: bool("Changes nothing: only humans are listed."),
  exclude_internal: bool("Changes nothing."),
  without_project_bots: bool("Changes nothing."),
  skip_ldap: bool("Changes nothing."),
  created_after: when("Not before this time."),
  created_before: when("Not after this time."),
  order_by: {
    ...one("id", "created_at", "name", "username"),
    description: "`created_at` sorts by id, because newer users have higher ids.",
  },
  sort: { ...one("asc", "desc"), default: "desc" },
};
/** Also the user of a project's token. */
const anyUser = { id: { description: "The id. Negative: the user of a project's token.", schema: whole() } };
const longer = { 200: ref("UserWithAdmin") };
const changed = (unchanged) => ({ 201: or(always(true), always(unchanged)) });
export const pathsOfUsers = {
  users: paths("Users", {
    "GET /user": { id: "showOwnUser", summary: "The caller", gives: { 200: or(ref("UserPublic"), ref("UserWithAdmin")) } },
    "GET /user/status": { id: "showOwnStatus", summary: "The caller has no status", gives: { 200: noStatus } },
    "GET /user/emails": { id: "listAddresses", summary: "The one address of the caller", paged: "counted", gives: { 200: list(address) } },
    "GET /users": {
      id: "listUsers",
      summary: "List users, the newest first",
      description: "Without a token `username` is required. Administrators get all fields.",
      query: filters,
      paged: "keyset",
      open: visitors,
      gives: { 200: or(list(ref("UserBasic")), list(ref("UserWithAdmin"))) },
    },
    "POST /users": {
      id: "createUser",
      summary: "Create a user (administrators)",
      description: "Parameters about passwords are ignored, because there are no passwords.",
      body: people.NewUserParams,
      gives: { 201: ref("UserWithAdmin") },
      refuses: [409],
    },
    "GET /users/{id}": {
      id: "showUser",
      summary: "A user",
      description: "Administrators get all fields. The user of a project's token is there for those who see the project.",
      path: anyUser,
      gives: { 200: or(ref("User"), ref("UserWithAdmin")) },
    },
    "GET /users/{id}/status": {
      path: anyUser,
      id: "showUserStatus",
      summary: "A user has no status",
      open: visitors,
      gives: { 200: noStatus },
    },
    "PUT /users/{id}": {
      id: "editUser",
      summary: "Change a user (administrators)",
      body: people.UserParams,
      gives: longer,
      refuses: [409],
    },
    "DELETE /users/{id}": {
      id: "deleteUser",
      summary: "Delete a user (administrators)",
      description: "Name and address are free again. Issues, comments and projects stay, with the name of a ghost.",
      gives: { 204: null },
    },
    "POST /users/{id}/block": {
      id: "blockUser",
      summary: "Block a user (administrators)",
      description: "Null if the user is already blocked.",
      gives: changed(null),
    },
    "POST /users/{id}/unblock": {
      id: "unblockUser",
      summary: "Unblock a user (administrators)",
      description: "False if the user is not blocked.",
      gives: changed(false),
    },
  }),
};
