import { bool, extended, id, list, nullable, object, one, params, paths, real, ref, text, time, whole } from "../words.mjs";

const first = ["push_events", "tag_push_events", "merge_requests_events", "repository_update_events"];
const others = [
  "issues_events",
  "confidential_issues_events",
  "note_events",
  "confidential_note_events",
  "pipeline_events",
  "wiki_page_events",
  "deployment_events",
  "feature_flag_events",
  "job_events",
  "releases_events",
  "milestone_events",
  "emoji_events",
  "resource_access_token_events",
  "resource_deploy_token_events",
  "vulnerability_events",
];
const flags = (names) => Object.fromEntries(names.map((name) => [name, bool()]));
const named = list(object({ key: text() }), { description: "Values are never answered.", maxItems: 20 });
const strategy = one("wildcard", "regex", "all_branches");
const hook = object({
  id: id(),
  url: text("A password in it is shown as `*****`."),
  name: nullable(text()),
  description: nullable(text()),
  created_at: time,
  ...flags(first),
  enable_ssl_verification: bool("Kept and answered. The platform always verifies."),
  alert_status: {
    ...one("executable", "temporarily_disabled", "disabled"),
    description: "From the fourth failed try in a row on, nothing is sent for a time; after the fortieth, nothing more.",
  },
  disabled_until: nullable(time),
  url_variables: named,
  custom_headers: named,
  push_events_branch_filter: nullable(text()),
  branch_filter_strategy: strategy,
  custom_webhook_template: nullable(text()),
  token_present: bool(),
  signing_token_present: bool(),
});
const pairs = list(params(["key", "value"], { key: text({ maxLength: 255 }), value: text({ maxLength: 2048 }) }), { maxItems: 20 });
const given = (names) => ({
  name: text(),
  description: text({ maxLength: 2048 }),
  ...flags(names),
  enable_ssl_verification: bool(),
  push_events_branch_filter: text("Which branches Push Hooks are about."),
  branch_filter_strategy: {
    ...strategy,
    description: "wildcard: `*` is any run of characters. regex: an expression that fits anywhere in the name.",
  },
  custom_webhook_template: text({
    maxLength: 4096,
    description: "JSON. Each `{{a.b}}` becomes the value of the body there. The result has at most 1,000,000 bytes.",
  }),
  token: text("Sent in X-Gitlab-Token. Another url drops it."),
  signing_token: text(
    "`whsec_` and base64 of 32 bytes, by Standard Webhooks. The one before signs for one more day, too. Another url drops it.",
  ),
  url_variables: { ...pairs, description: "`{key}` in url becomes the value." },
  custom_headers: { ...pairs, description: "Names such as Authorization, User-Agent, X-Custom or PRIVATE-TOKEN. Another url drops them." },
});
const url = text({ maxLength: 2048, description: "Of http or https, on the public internet." });
const value = params(["value"], { value: text({ maxLength: 2048 }) });

export const schemas = {
  ProjectHook: extended(hook, { project_id: id(), ...flags(others) }),
  ProjectHookParams: params(["url"], { url, ...given([...first, ...others]) }),
  ProjectHookEditParams: params([], { url, ...given([...first, ...others]) }),
  Hook: hook,
  HookParams: params(["url"], { url, ...given(first) }),
  HookEditParams: params([], { url, ...given(first) }),
  HookEvent: object({
    id: id(),
    url: text(),
    trigger: text(),
    request_headers: { type: "object", description: "Secrets are `[REDACTED]`." },
    request_data: { type: "object", description: "The body, or `oversize` instead of a long one." },
    response_headers: { type: "object" },
    response_body: text("The first 8 kB, or why there was no answer."),
    execution_duration: real({ description: "Seconds." }),
    response_status: text("A status as text, or `internal error`."),
    created_at: time,
    attempt: whole({ minimum: 0, maximum: 7 }),
    next_attempt_at: nullable(time),
  }),
};

const key = {
  key: {
    description: "The name.",
    schema: { type: "string", pattern: "^[A-Za-z]+[0-9]*(?:[._-][A-Za-z0-9]+)*$", maxLength: 255 },
    example: "key",
  },
};
const trigger = { trigger: { description: "The kind of event.", schema: one(...first.slice(0, 3), ...others), example: "issues_events" } };

const pairsOf = (base, named, what, path) => ({
  [`PUT ${base}/{hook_id}/${path}/{key}`]: {
    id: `set${named}`,
    summary: `Set ${what} of a hook`,
    path: key,
    body: value,
    gives: { 204: null },
    refuses: [409, 422],
  },
  [`DELETE ${base}/{hook_id}/${path}/{key}`]: {
    id: `remove${named}`,
    summary: `Remove ${what} of a hook`,
    path: key,
    gives: { 204: null },
    refuses: [409, 422],
  },
});

export const pathsOfHooks = {
  hooks: paths("Hooks", {
    "GET /projects/{id}/hooks": {
      id: "listHooks",
      summary: "List the web hooks of a project",
      paged: "counted",
      gives: { 200: list(ref("ProjectHook")) },
    },
    "POST /projects/{id}/hooks": {
      id: "createHook",
      summary: "Add a web hook",
      body: schemas.ProjectHookParams,
      gives: { 201: ref("ProjectHook") },
      refuses: [422],
    },
    "GET /projects/{id}/hooks/{hook_id}": { id: "showHook", summary: "A web hook", gives: { 200: ref("ProjectHook") } },
    "PUT /projects/{id}/hooks/{hook_id}": {
      id: "editHook",
      summary: "Change a web hook",
      description: "Switches a hook on again that failed too often.",
      body: schemas.ProjectHookEditParams,
      gives: { 200: ref("ProjectHook") },
      refuses: [409, 422],
    },
    "DELETE /projects/{id}/hooks/{hook_id}": { id: "deleteHook", summary: "Remove a web hook", gives: { 204: null } },
    "POST /projects/{id}/hooks/{hook_id}/test/{trigger}": {
      id: "testHook",
      summary: "Send the newest record of a kind to a hook",
      description: "The answer waits for that of the receiver. 422 unless it is 2xx. Five in a minute, with all tokens of a person.",
      path: trigger,
      gives: { 201: object({ message: text() }) },
      refuses: [422],
    },
    "GET /projects/{id}/hooks/{hook_id}/events": {
      id: "listHookEvents",
      summary: "The log of a hook, of seven days",
      description: "Newest first.",
      query: {
        status: { ...list(text(), { maxItems: 50 }), description: "Statuses, or `successful`, `client_failure`, `server_failure`." },
      },
      paged: "known",
      gives: { 200: list(ref("HookEvent"), { maxItems: 20 }) },
    },
    "POST /projects/{id}/hooks/{hook_id}/events/{event_id}/resend": {
      id: "resendHookEvent",
      summary: "Send a logged event again",
      description:
        "The same body and webhook-id; of a text of more than 5,000 bytes the body has what the record has now. Five in a minute, with all tokens of a person.",
      gives: { 201: object({ response_status: whole() }) },
      refuses: [422],
    },
    "GET /hooks": {
      id: "listSystemHooks",
      summary: "List the hooks of the system (administrators)",
      paged: "counted",
      gives: { 200: list(ref("Hook")) },
    },
    "POST /hooks": {
      id: "createSystemHook",
      summary: "Add a hook of the system (administrators)",
      body: schemas.HookParams,
      gives: { 201: ref("Hook") },
      refuses: [422],
    },
    "GET /hooks/{hook_id}": { id: "showSystemHook", summary: "A hook of the system (administrators)", gives: { 200: ref("Hook") } },
    "POST /hooks/{hook_id}": {
      id: "testSystemHook",
      summary: "Send an example to a hook of the system (administrators)",
      gives: { 201: object({ event_name: text(), name: text(), path: text(), project_id: id(), owner_name: text(), owner_email: text() }) },
      refuses: [422],
    },
    "PUT /hooks/{hook_id}": {
      id: "editSystemHook",
      summary: "Change a hook of the system (administrators)",
      body: schemas.HookEditParams,
      gives: { 200: ref("Hook") },
      refuses: [409, 422],
    },
    "DELETE /hooks/{hook_id}": { id: "deleteSystemHook", summary: "Remove a hook of the system (administrators)", gives: { 204: null } },
    ...pairsOf("/hooks", "SystemHookVariable", "a URL variable", "url_variables"),
    ...pairsOf("/hooks", "SystemHookHeader", "a custom header", "custom_headers"),
    ...pairsOf("/projects/{id}/hooks", "HookVariable", "a URL variable", "url_variables"),
    ...pairsOf("/projects/{id}/hooks", "HookHeader", "a custom header", "custom_headers"),
  }),
};
