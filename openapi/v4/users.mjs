// Users as v4 shows them.
import { always, bool, count, extended, id, list, nullable, object, one, or, paths, ref, text, time, times, visitors, whole } from "../words.mjs";
import { schemas as people } from "../people.mjs";

const basic = object({
  id: whole({ description: "Less than 0: the user of a project's token, whom no other request finds." }),
  username: text(),
  public_email: always(""),
  name: text(),
  state: one("active", "blocked", "ldap_blocked"),
  locked: always(false),
  avatar_url: nullable(text()),
  web_url: text("Address of the user's page."),
}, { description: "Wherever another record names a user." });
const user = extended(basic, {
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
  bot: bool(),
  work_information: { type: "null" },
  local_time: { type: "null" },
  followers: always(0),
  following: always(0),
  is_followed: always(false),
}, { description: "What everybody signed in may know of a user." });

const none = { type: "null" };
const own = extended(user, {
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
}, { description: "What people see of themselves." });
const known = extended(own, { is_admin: bool(), note: none, namespace_id: id("The user's own namespace: the same number."), created_by: none }, { description: "What administrators see of a user." });

export const schemas = { UserBasic: basic, User: user, UserPublic: own, UserWithAdmin: known, UserParams: people.UserParams, NewUserParams: people.NewUserParams };

const when = (what) => text(`${what} ${times}`);
const filters = {
  username: text("The one of that username, in any case of letters."),
  search: text("Part of a name or username; for administrators a whole e-mail address, too."),
  active: bool(),
  blocked: bool(),
  external: bool("Only those who see nothing but public projects and their own."),
  admins: bool("Only administrators; others than administrators have it passed over."),
  created_after: when("Not before this time."),
  created_before: when("Not after this time."),
  order_by: { ...one("id", "created_at"), description: "One order: those made later have higher ids." },
  sort: { ...one("asc", "desc"), default: "desc" },
};
const longer = { 200: ref("UserWithAdmin") };
const changed = (unchanged) => ({ 201: or(always(true), always(unchanged)) });
export const pathsOfUsers = {
  users: paths("Users", {
    "GET /user": { id: "showOwnUser", summary: "The caller", gives: { 200: or(ref("UserPublic"), ref("UserWithAdmin")) } },
    "GET /users": {
      id: "listUsers",
      summary: "List users, the newest first",
      description: "Without a token only with `username`. Administrators see the longest form.",
      query: filters,
      paged: "keyset",
      open: visitors,
      gives: { 200: or(list(ref("UserBasic")), list(ref("UserWithAdmin"))) },
    },
    "POST /users": { id: "createUser", summary: "Make a user (administrators)", description: "There are no passwords: what is said of them is passed over.", body: people.NewUserParams, gives: { 201: ref("UserWithAdmin") }, refuses: [409] },
    "GET /users/{id}": { id: "showUser", summary: "A user", description: "Administrators see the longest form.", gives: { 200: or(ref("User"), ref("UserWithAdmin")) } },
    "PUT /users/{id}": { id: "editUser", summary: "Change a user (administrators)", body: people.UserParams, gives: longer, refuses: [409] },
    "DELETE /users/{id}": { id: "deleteUser", summary: "Block a user and revoke their tokens (administrators)", description: "What they wrote goes on naming them.", gives: { 204: null } },
    "POST /users/{id}/block": { id: "blockUser", summary: "Block a user (administrators)", description: "Null where they are blocked already.", gives: changed(null) },
    "POST /users/{id}/unblock": { id: "unblockUser", summary: "Unblock a user (administrators)", description: "False where they are not blocked.", gives: changed(false) },
  }),
};
