import { always, bool, date, extended, id, list, nullable, object, one, params, paths, ref, text, time, times, whole } from "../words.mjs";
import { keep_old_for_a_day, readingParts, writingParts } from "../people.mjs";

const token = object({
  id: id(),
  name: text(),
  revoked: bool(),
  created_at: time,
  description: nullable(text()),
  scopes: list(text(), { minItems: 1 }),
  user_id: whole({ description: "The user that the token acts as." }),
  last_used_at: { ...nullable(time), description: "Moves at most once an hour." },
  active: bool(),
  expires_at: { ...nullable(date), description: "The token ends when this day begins in UTC." },
});
const description = text({ maxLength: 255, description: "What the token is for." });
const expires_at = text(`Not in the past. ${times} A date alone is its midnight.`);

const resource_type = always("project");
const resource_id = id("The project.");
const claim = text({ minLength: 3, maxLength: 255 });
const projectToken = extended(token, {
  access_level: whole({ enum: [10, 20, 30, 40] }),
  issuer: { ...nullable(text({ maxLength: 255 })), description: "Of a trust, a token without a secret: who signs its JWTs." },
  claims: { ...nullable(list(claim, { minItems: 1, maxItems: 20 })), description: "Of a trust: what its JWTs must have." },
  audience: { ...nullable(text({ maxLength: 40 })), description: "Of a trust: the audience of its JWTs." },
  resource_type,
  resource_id,
});
const hookToken = extended(token, { cross_project: bool(), resource_type, resource_id });
const secret = { token: text({ minLength: 20, description: "Only this answer contains the token." }) };

export const schemas = {
  Token: token,
  ProjectToken: projectToken,
  NewProjectToken: extended(projectToken, {
    token: { ...nullable(text({ minLength: 20 })), description: "Only this answer contains the token. A trust has none." },
  }),
  HookToken: hookToken,
  NewHookToken: extended(hookToken, secret),
  ProjectTokenParams: params(["name", "scopes"], {
    name: text({ minLength: 1, maxLength: 255 }),
    description,
    issuer: text({
      maxLength: 255,
      description: "With it the token is a trust: it has no secret, and a CI sends its own JWT instead. Who signs the JWTs, by CI_ISSUERS.",
    }),
    claims: {
      ...list(claim, { maxItems: 20 }),
      description:
        "Required for a trust: texts `name=value`. A JWT needs each name, with one of its values. A value that ends in `*` is a beginning. One of them is the id of the repository, such as `repository_id=123`.",
    },
    scopes: {
      ...list(one("api", "read_api", "statuses", "deployments", ...readingParts, ...writingParts), { maxItems: 19 }),
      description:
        "A trust may lack them, and then has statuses. api: all that the level allows. read_api: every GET. statuses: post and list statuses, and read the project itself. deployments: the same with deployments and environments. GitLab's others are parts of api and read_api and add nothing.",
    },
    access_level: {
      type: "integer",
      enum: [10, 20, 30, 40],
      default: 30,
      description: "10 guest, 20 reporter, 30 developer, 40 maintainer.",
    },
    expires_at,
  }),
  HookTokenParams: params(["name"], {
    name: text({ minLength: 1, maxLength: 255 }),
    description,
    scopes: { ...list(one("mirror"), { maxItems: 1 }), description: "Nothing else." },
    cross_project: {
      ...bool("Whether commits also close and mention issues of other projects, where the maker of the token may edit them."),
      default: false,
    },
    expires_at,
  }),
  ProjectRotationParams: params([], {
    keep_old_for_a_day,
    expires_at: {
      ...expires_at,
      description: `${expires_at.description} Default: the new token lives as long as the old one was made for.`,
    },
  }),
  NewToken: extended(token, { token: text({ minLength: 20, description: "Only this answer contains the token." }) }),
  TokenParams: params(["name", "scopes"], {
    name: text({ minLength: 1, maxLength: 255 }),
    description,
    scopes: {
      ...list(one("api", "read_api", ...readingParts, ...writingParts), { maxItems: 17 }),
      description: `api: everything that the user is allowed to do. read_api: every GET. One of these is required. GitLab's others are parts of it and add nothing: ${readingParts.join(", ")} of both, the rest of api.`,
    },
    expires_at,
  }),
  RotationParams: params([], {
    keep_old_for_a_day,
    expires_at: { ...expires_at, description: `${expires_at.description} Default: in a week.` },
  }),
};

const when = (what) => text(`${what} ${times}`);
const filters = {
  user_id: id("The user of the tokens. Only administrators can list tokens of others."),
  state: one("active", "inactive"),
  revoked: bool(),
  search: text("Part of the name."),
  created_after: when("Not made before this time."),
  created_before: when("Not made after this time."),
  last_used_after: when("Not used before this time."),
  last_used_before: when("Used, but not after this time."),
  expires_after: when("Not ending before this time."),
  expires_before: when("Not ending after this time."),
  sort: {
    ...one("created_asc", "created_desc", "expires_asc", "expires_desc", "last_used_asc", "last_used_desc", "name_asc", "name_desc"),
    default: "created_desc",
    description: "Other orders than by creation are of the 2,001 newest tokens.",
  },
};
const { user_id: _, ...filtersInProject } = filters;
const which = {
  id: {
    description: "Id of the token, or `self` for the token of this request.",
    schema: { type: "string", pattern: "^(?:[0-9]+|self)$", maxLength: 19 },
    example: "self",
  },
};

export const pathsOfTokens = {
  tokens: paths("Tokens", {
    "GET /personal_access_tokens": {
      id: "listTokens",
      summary: "List personal access tokens",
      description: "Your own. Administrators can list all.",
      query: filters,
      paged: "known",
      gives: { 200: list(ref("Token")) },
    },
    "POST /users/{id}/personal_access_tokens": {
      repeatable: true,
      id: "createToken",
      summary: "Create a token",
      description: "For yourself. Administrators can create it for any user. Only this answer contains the token.",
      body: schemas.TokenParams,
      gives: { 201: ref("NewToken") },
    },
    "GET /personal_access_tokens/{id}": { id: "showToken", summary: "A token", path: which, gives: { 200: ref("Token") } },
    "DELETE /personal_access_tokens/{id}": { id: "revokeToken", summary: "Revoke a token", path: which, gives: { 204: null } },
    "POST /personal_access_tokens/{id}/rotate": {
      repeatable: true,
      id: "rotateToken",
      summary: "Replace a token by a new one",
      path: which,
      body: schemas.RotationParams,
      gives: { 201: ref("NewToken") },
    },
  }),
  projectTokens: paths("Tokens", {
    "GET /projects/{id}/access_tokens": {
      id: "listProjectTokens",
      summary: "List the tokens of a project",
      query: filtersInProject,
      paged: "known",
      gives: { 200: list(ref("ProjectToken")) },
    },
    "POST /projects/{id}/access_tokens": {
      repeatable: true,
      id: "createProjectToken",
      summary: "Create a token that only opens this project",
      description: "For CI. The token acts as a user of its own. Only this answer contains the token.",
      body: schemas.ProjectTokenParams,
      gives: { 201: ref("NewProjectToken") },
    },
    "GET /projects/{id}/access_tokens/{token_id}": {
      id: "showProjectToken",
      summary: "A token of a project",
      gives: { 200: ref("ProjectToken") },
    },
    "DELETE /projects/{id}/access_tokens/{token_id}": {
      id: "revokeProjectToken",
      summary: "Revoke a token of a project",
      description: "Records that it wrote keep their author.",
      gives: { 204: null },
    },
    "POST /projects/{id}/access_tokens/{token_id}/rotate": {
      repeatable: true,
      id: "rotateProjectToken",
      summary: "Replace a token of a project by a new one",
      description:
        "The new token has the same author, scopes and level. The old token ends at once, or a day later. The caller becomes the creator.",
      body: schemas.ProjectRotationParams,
      gives: { 200: ref("NewProjectToken") },
    },
    "POST /projects/{id}/access_tokens/self/rotate": {
      repeatable: true,
      id: "rotateOwnProjectToken",
      summary: "Replace the token of this request by a new one",
      description:
        "For a token of the project with the scope `api`. The creator stays, and the new token lives at most as long as the old one was made for.",
      body: schemas.ProjectRotationParams,
      gives: { 200: ref("NewProjectToken") },
      refuses: [405],
    },
    "GET /projects/{id}/hook_tokens": {
      id: "listHookTokens",
      summary: "List the tokens of a project's mirror hooks",
      query: filtersInProject,
      paged: "known",
      gives: { 200: list(ref("HookToken")) },
    },
    "POST /projects/{id}/hook_tokens": {
      repeatable: true,
      id: "createHookToken",
      summary: "Create a token that can only push the project's mirror",
      body: schemas.HookTokenParams,
      gives: { 201: ref("NewHookToken") },
    },
    "DELETE /projects/{id}/hook_tokens/{token_id}": { id: "revokeHookToken", summary: "Revoke such a token", gives: { 204: null } },
  }),
};
