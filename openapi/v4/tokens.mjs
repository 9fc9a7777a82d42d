import { bool, date, extended, id, list, nullable, object, one, params, paths, ref, text, time, times, whole } from "../words.mjs";
import { readingParts, writingParts } from "../people.mjs";

const token = object({
  id: id(),
  name: text(),
  revoked: bool(),
  created_at: time,
  description: { type: "null" },
  scopes: list(text(), { minItems: 1 }),
  user_id: whole({ description: "The user that the token acts as." }),
  last_used_at: { type: "null" },
  active: bool(),
  expires_at: { ...nullable(date), description: "The token ends when this day begins in UTC." },
});
const expires_at = text(`Not in the past. ${times} A date alone is its midnight.`);

export const schemas = {
  Token: token,
  NewToken: extended(token, { token: text({ minLength: 20, description: "Only this answer contains the token." }) }),
  TokenParams: params(["name", "scopes"], {
    name: text({ minLength: 1, maxLength: 255 }),
    scopes: {
      ...list(one("api", "read_api", ...readingParts, ...writingParts), { maxItems: 17 }),
      description: `api: everything that the user is allowed to do. read_api: every GET. One of these is required. GitLab's others are parts of it and add nothing: ${readingParts.join(", ")} of both, the rest of api.`,
    },
    expires_at,
  }),
  RotationParams: params([], { expires_at: { ...expires_at, description: `${expires_at.description} Default: in a week.` } }),
};

const when = (what) => text(`${what} ${times}`);
const filters = {
  user_id: id("The user of the tokens. Only administrators can list tokens of others."),
  state: one("active", "inactive"),
  revoked: bool(),
  search: text("Part of the name."),
  created_after: when("Not made before this time."),
  created_before: when("Not made after this time."),
  expires_after: when("Not ending before this time."),
  expires_before: when("Not ending after this time."),
  sort: { ...one("created_asc", "created_desc"), default: "created_desc" },
};
const which = { id: { description: "Id of the token, or `self` for the token of this request.", schema: { type: "string", pattern: "^(?:[0-9]+|self)$", maxLength: 19 }, example: "self" } };

export const pathsOfTokens = {
  tokens: paths("Tokens", {
    "GET /personal_access_tokens": { id: "listTokens", summary: "List personal access tokens", description: "Your own. Administrators can list all.", query: filters, paged: "known", gives: { 200: list(ref("Token")) } },
    "POST /users/{id}/personal_access_tokens": { repeatable: true, id: "createToken", summary: "Create a token", description: "For yourself. Administrators can create it for any user. Only this answer contains the token.", body: schemas.TokenParams, gives: { 201: ref("NewToken") } },
    "GET /personal_access_tokens/{id}": { id: "showToken", summary: "A token", path: which, gives: { 200: ref("Token") } },
    "DELETE /personal_access_tokens/{id}": { id: "revokeToken", summary: "Revoke a token", path: which, gives: { 204: null } },
    "POST /personal_access_tokens/{id}/rotate": { repeatable: true, id: "rotateToken", summary: "Replace a token by a new one", path: which, body: schemas.RotationParams, gives: { 201: ref("NewToken") } },
  }),
};
