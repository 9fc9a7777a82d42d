// What comes from a repository and from those who build it, as v4 shows it.
import { always, bool, count, extended, id, list, nullable, object, one, params, paths, real, ref, sha, step, text, time, times, visitors, whole } from "../words.mjs";
import { empty } from "./empty.mjs";

/** 2012-09-20T09:06:12.000+03:00 */
const zoned = { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.000[+-]\\d\\d:\\d\\d$" };
const none = { type: "null" };
const address = text({ pattern: "/-/" });

const STATES = ["pending", "running", "success", "failed", "canceled", "skipped"];
const state = one(...STATES);
const stats = object({ additions: count(), deletions: count(), total: count() });
const commit = {
  id: sha,
  short_id: text({ pattern: "^[0-9a-f]{8}$" }),
  created_at: zoned,
  parent_ids: list(sha),
  title: text(),
  message: text(),
  author_name: text(),
  author_email: text(),
  authored_date: zoned,
  committer_name: text(),
  committer_email: text(),
  committed_date: zoned,
  trailers: { type: "object", additionalProperties: text(), description: "Of the message, the last value of each; empty where they were not asked for." },
  extended_trailers: { type: "object", additionalProperties: list(text(), { minItems: 1 }), description: "The same with all values." },
  web_url: address,
};

export const schemas = {
  ListedCommit: object({ ...commit, stats }, { optional: ["stats"] }),
  Commit: object({ ...commit, stats, status: nullable(state), project_id: id(), last_pipeline: none }, { optional: ["stats"] }),
  Branch: object({
    name: text(),
    commit: ref("ListedCommit"),
    merged: bool("Whether the default branch contains the tip of this other one."),
    protected: bool(),
    developers_can_push: bool(),
    developers_can_merge: always(false),
    can_push: bool("Whether the caller may."),
    default: bool(),
    web_url: address,
  }),
  Tag: object({
    name: text(),
    message: nullable(text("Of an annotated tag.")),
    target: { ...sha, description: "The annotated tag itself, else its commit." },
    commit: ref("ListedCommit"),
    release: none,
    protected: always(false),
    created_at: none,
  }),
  DiffEntry: object({
    diff: text("Unified diff from its first `@@` on, or from its `---` line on with `unidiff`; empty where it is too long."),
    collapsed: always(false),
    too_large: bool("Whether it was left out for its length; not told of new, renamed and deleted files."),
    new_path: text(),
    old_path: text(),
    a_mode: text(),
    b_mode: text(),
    new_file: bool(),
    renamed_file: bool(),
    deleted_file: bool(),
    generated_file: none,
  }),
  Status: object({
    id: id(),
    sha,
    ref: text("Empty where it has none."),
    status: state,
    name: text(),
    target_url: nullable(text()),
    description: nullable(text()),
    created_at: time,
    started_at: nullable(time),
    finished_at: nullable(time),
    allow_failure: always(false),
    coverage: nullable(real()),
    pipeline_id: none,
    author: ref("UserBasic"),
  }),
  StatusParams: params(["state"], {
    state,
    ref: text({ description: "Branch or tag; without it the branch that the path names, else the default branch if that contains the commit, else the first that does." }),
    name: text({ description: "Tells it from those of other systems; `default` without it." }),
    context: text({ description: "Another name of `name`." }),
    target_url: text({ pattern: "^([Hh][Tt][Tt][Pp][Ss]?://|$)", description: "An address of http or https." }),
    description: text({ maxLength: 16_384 }),
    coverage: real(),
  }),
};

const sort = one("asc", "desc");
const span = (description) => text({ format: "date-time", description: `${description} ${times}` });
const commits = paths("Commits", {
  "GET /projects/{id}/repository/commits": {
    id: "listCommits",
    summary: "List commits, the newest first",
    query: {
      ref_name: text({ maxLength: 1024, description: "Branch, tag or commit; the default branch without it." }),
      since: span("Not before."),
      until: span("Not after."),
      with_stats: bool("With how many lines each changed."),
      trailers: bool("With the trailers of each message."),
    },
    paged: true,
    gives: { 200: list(ref("ListedCommit")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}": { id: "showCommit", summary: "A commit", query: { stats: bool("With how many lines it changed; true unless said otherwise.") }, gives: { 200: ref("Commit") }, open: visitors },
  "GET /projects/{id}/repository/commits/{sha}/diff": {
    id: "showDiff",
    summary: "What a commit changed",
    query: { unidiff: bool("With the lines that name both sides of each file.") },
    paged: "counted",
    cursors: false,
    gives: { 200: list(ref("DiffEntry")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/merge_requests": empty("listMergeRequestsOfCommit", "merge requests", { open: visitors }),
  "GET /projects/{id}/repository/commits/{sha}/signature": { id: "showSignature", summary: "404: no commit's signature is kept", gives: {}, open: visitors },
});

const search = text("A piece of the name; `^` before its beginning, `$` behind its end. A page ends early where a thousand names were looked at: follow `next`.");
const refs = paths("Branches and tags", {
  "GET /projects/{id}/repository/branches": {
    id: "listBranches",
    summary: "List branches",
    query: { search, regex: text("Not supported: 400."), sort: { ...one("name_asc", "updated_asc", "updated_desc"), default: "name_asc" } },
    paged: true,
    gives: { 200: list(ref("Branch")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/branches/{name}": { id: "showBranch", summary: "A branch", gives: { 200: ref("Branch") }, open: visitors },
  "GET /projects/{id}/repository/tags": {
    id: "listTags",
    summary: "List tags",
    query: { search, order_by: { ...one("name", "updated", "version"), default: "updated", description: "`updated`: the commit's date; `version`: of the thousand last names." }, sort: { ...sort, default: "desc" } },
    paged: true,
    gives: { 200: list(ref("Tag")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/tags/{name}": { id: "showTag", summary: "A tag", path: { name: { example: "v1.0" } }, gives: { 200: ref("Tag") }, open: visitors },
});

const statuses = paths("Commit statuses", {
  "GET /projects/{id}/repository/commits/{sha}/statuses": {
    id: "listStatuses",
    summary: "List the statuses of a commit",
    description: "Of all refs unless one is asked for.",
    query: {
      ref: text({ maxLength: 1024, description: "Branch or tag." }),
      stage: text(),
      name: text(),
      all: bool("Not only the latest of each ref and name."),
      order_by: { ...one("id", "pipeline_id"), description: "Both are the order of ids." },
      sort: { ...sort, default: "asc" },
    },
    paged: "counted",
    gives: { 200: list(ref("Status")) },
  },
  "POST /projects/{id}/statuses/{sha}": {
    repeatable: true,
    hints: true,
    id: "postStatus",
    summary: "Post a build status",
    description: "Moves the caller's unfinished status of the same commit, ref and name on, else adds one.",
    body: schemas.StatusParams,
    gives: { 201: ref("Status") },
    links: { statuses: step("listStatuses", { id: "$request.path.id", sha: "$response.body#/sha" }) },
  },
});

export const pathsOfRepositories = { commits, refs, statuses };
