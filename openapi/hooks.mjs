import { bool, id, list, object, params, paths, ref, text, time } from "./words.mjs";

const names = [
  "push_events",
  "issues_events",
  "merge_requests_events",
  "tag_push_events",
  "note_events",
  "build_events",
  "pipeline_events",
  "wiki_page_events",
];
const flags = Object.fromEntries(names.map((name) => [name, bool()]));
const url = text({ maxLength: 2048, description: "Of http or https, on the public internet." });

export const schemas = {
  Hook: object({
    id: id(),
    url: text("A password in it is shown as `*****`."),
    created_at: time,
    project_id: id(),
    ...flags,
    enable_ssl_verification: bool("Kept and answered. The platform always verifies."),
  }),
  HookParams: params(["url"], {
    url,
    ...flags,
    enable_ssl_verification: bool(),
    token: text("Sent in X-Gitlab-Token. Another url drops it."),
  }),
  SystemHook: object({ id: id(), url: text(), created_at: time, push_events: bool(), tag_push_events: bool() }),
  SystemHookParams: params(["url"], { url }),
  HookExample: object({ event_name: text(), name: text(), path: text(), project_id: id(), owner_name: text(), owner_email: text() }),
};

export const pathsOfHooks = {
  hooks: paths("Hooks", {
    "GET /projects/{id}/hooks": {
      id: "listHooks",
      summary: "List the web hooks of a project",
      paged: "counted",
      gives: { 200: list(ref("Hook")) },
    },
    "POST /projects/{id}/hooks": {
      id: "createHook",
      summary: "Add a web hook",
      body: schemas.HookParams,
      gives: { 201: ref("Hook") },
      refuses: [422],
    },
    "GET /projects/{id}/hooks/{hook_id}": { id: "showHook", summary: "A web hook", gives: { 200: ref("Hook") } },
    "PUT /projects/{id}/hooks/{hook_id}": {
      id: "editHook",
      summary: "Change a web hook",
      description: "What only v4 has stays.",
      body: schemas.HookParams,
      gives: { 200: ref("Hook") },
      refuses: [409, 422],
    },
    "DELETE /projects/{id}/hooks/{hook_id}": { id: "deleteHook", summary: "Remove a web hook", gives: { 200: ref("Hook") } },
    "GET /hooks": {
      id: "listSystemHooks",
      summary: "List the hooks of the system (administrators)",
      paged: "counted",
      gives: { 200: list(ref("SystemHook")) },
    },
    "POST /hooks": {
      id: "createSystemHook",
      summary: "Add a hook of the system (administrators)",
      body: schemas.SystemHookParams,
      gives: { 201: ref("SystemHook") },
      refuses: [422],
    },
    "GET /hooks/{hook_id}": {
      id: "testSystemHook",
      summary: "Send an example to a hook of the system (administrators)",
      description: "The answer is the example.",
      gives: { 200: ref("HookExample") },
      refuses: [422],
    },
    "DELETE /hooks/{hook_id}": {
      id: "deleteSystemHook",
      summary: "Remove a hook of the system (administrators)",
      gives: { 200: ref("SystemHook") },
    },
  }),
};
