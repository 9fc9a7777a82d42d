import {
  always,
  bool,
  count,
  id,
  list,
  nullable,
  object,
  one,
  params,
  paths,
  prose,
  real,
  ref,
  sha,
  step,
  text,
  time,
  times,
  visitors,
  whole,
} from "../words.mjs";
import { mirror, picture } from "../repository.mjs";
import { empty } from "./empty.mjs";
import { discussionId } from "./planning.mjs";

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
  trailers: {
    type: "object",
    additionalProperties: text(),
    description: "Trailers of the message, with the last value of each. Empty without `trailers`.",
  },
  extended_trailers: { type: "object", additionalProperties: list(text(), { minItems: 1 }), description: "Trailers with all values." },
  web_url: address,
};

const TIERS = ["production", "staging", "testing", "development", "other"];
const environmentParams = {
  external_url: nullable(text({ pattern: "^https?://[A-Za-z0-9]", example: "https://example.com" })),
  tier: { ...one(...TIERS), description: "Default: derived from the name." },
  description: nullable(text({ maxLength: 10_000 })),
};
const environment = {
  id: id(),
  name: text(),
  slug: text({ maxLength: 24 }),
  external_url: nullable(text()),
  created_at: time,
  updated_at: time,
  tier: one(...TIERS),
  state: one("available", "stopped"),
};
const further = { auto_stop_at: none, description: nullable(text()), auto_stop_setting: always("always") };

const level = object({ id: whole(), access_level: whole({ enum: [30, 40] }), access_level_description: text() });

export const schemas = {
  Environment: object({ ...environment, ...further, last_deployment: nullable(ref("Deployment")) }),
  ListedEnvironment: object({ ...environment, ...further, project: ref("SimpleProject") }),
  Deployment: object({
    id: id(),
    iid: id("The number in the project."),
    ref: text(),
    sha,
    created_at: time,
    updated_at: time,
    finished_at: nullable(time),
    status: one("created", "running", "success", "failed", "canceled", "skipped"),
    user: ref("UserBasic"),
    environment: object(environment),
    deployable: none,
  }),
  NewDeploymentParams: params(["environment", "sha", "ref", "tag", "status"], {
    environment: text({ minLength: 1 }),
    sha: text({ maxLength: 1024, description: "A commit's hash, whole or abbreviated, or a branch or tag." }),
    ref: text({ description: "A branch or tag." }),
    tag: bool(),
    status: one("running", "success", "failed", "canceled"),
    external_url: text({ pattern: "^https?://[A-Za-z0-9]", example: "https://example.com" }),
    name: text("Name of the job in v3. Default: the environment's name."),
    stage: text("Of the job in v3. Default: `deploy`."),
    coverage: { ...real(), description: "Of the job in v3." },
  }),
  ListedCommit: object({ ...commit, stats }, { optional: ["stats"] }),
  Commit: object(
    { ...commit, stats, status: nullable(state), project_id: id(), last_pipeline: nullable(ref("PipelineBasic")) },
    { optional: ["stats"] },
  ),
  CommitComment: object({
    note: text(),
    path: nullable(text()),
    line: nullable(whole()),
    line_type: nullable(one("new", "old")),
    author: ref("UserBasic"),
    created_at: time,
  }),
  CommitCommentParams: params(["note"], {
    note: prose({ minLength: 1, pattern: "\\S" }),
    path: text({ maxLength: 4096, description: "A file, from the repository's root." }),
    line: whole({
      description:
        "An added or removed line of the file. Required with `path`. If the diff has no such line, the comment is on the whole commit.",
    }),
    line_type: { ...one("new", "old"), default: "new" },
  }),
  NewCommitDiscussionParams: params(["body"], {
    body: prose({ minLength: 1, pattern: "\\S" }),
    position: {
      ...object(
        {
          base_sha: text("Ignored, as are `start_sha`, `head_sha` and `position_type`."),
          start_sha: text(),
          head_sha: text(),
          position_type: text(),
          new_path: text("The file, from the repository's root."),
          old_path: text("Instead of `new_path`."),
          new_line: whole("An added line of the file."),
          old_line: whole("A removed line, without `new_line`."),
        },
        { optional: ["base_sha", "start_sha", "head_sha", "position_type", "new_path", "old_path", "new_line", "old_line"] },
      ),
      description: "A path and a line, in JSON. If the diff has no such line, the comment is on the whole commit.",
    },
  }),
  CommitNoteParams: params(["body"], { body: prose({ minLength: 1, pattern: "\\S" }) }),
  Branch: object({
    name: text(),
    commit: ref("ListedCommit"),
    merged: bool("Whether the default branch contains the tip of this branch."),
    protected: bool(),
    developers_can_push: bool(),
    developers_can_merge: always(false),
    can_push: bool("Whether the caller may."),
    default: bool(),
    web_url: address,
  }),
  ProtectedBranch: object({
    id: whole({ description: "The project's: a project has one at most." }),
    name: text(),
    push_access_levels: list(level, { minItems: 1, maxItems: 1 }),
    merge_access_levels: list(level, { minItems: 1, maxItems: 1 }),
    allow_force_push: always(false),
  }),
  Tag: object({
    name: text(),
    message: nullable(text("The message of an annotated tag, without the newline at its end.")),
    target: { ...sha, description: "The hash of an annotated tag, else of the commit." },
    commit: ref("ListedCommit"),
    release: nullable(object({ tag_name: text(), description: nullable(text()) })),
    protected: always(false),
    created_at: none,
  }),
  DiffEntry: object({
    diff: text("Unified diff from its first `@@` on, or from its `---` line on with `unidiff`; empty where it is too long."),
    collapsed: always(false),
    too_large: bool("Whether the diff was left out because of its length."),
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
    ref: text("Empty if it has none."),
    status: state,
    name: text(),
    target_url: nullable(text()),
    description: nullable(text()),
    created_at: time,
    started_at: nullable(time),
    finished_at: nullable(time),
    allow_failure: always(false),
    coverage: nullable(real()),
    pipeline_id: id(),
    author: ref("UserBasic"),
  }),
  Gate: object({
    sha: { ...sha, description: "The hash of the commit that was looked at." },
    state: { ...one("success", "pending", "failed"), description: "`success` with 200, the others with 409." },
    checks: list(
      object({
        name: text(),
        ref: nullable(text("null for a missing one that may be of any ref.")),
        state: one(...STATES, "missing", "foreign"),
        job_id: nullable(id("The id of the status.")),
      }),
      { maxItems: 1000, description: "The worst come first." },
    ),
  }),
  StatusParams: params(["state"], {
    state,
    ref: text({
      description:
        "Branch or tag. Default: the branch in the path, else the default branch if it contains the commit, else the first branch that does.",
    }),
    name: text({ description: "Distinguishes statuses of different systems. Default: `default`." }),
    context: text({ description: "Another name of `name`." }),
    target_url: text({ pattern: "^([Hh][Tt][Tt][Pp][Ss]?://|$)", description: "An address of http or https." }),
    description: text({ maxLength: 16_384 }),
    coverage: real(),
    pipeline_id: id("A pipeline of the commit, and of `ref` if that is given: the status is posted for its ref."),
  }),
};

const sort = one("asc", "desc");
const span = (description) => text({ format: "date-time", description: `${description} ${times}` });
const discussed = (entry) => ({ ...entry, path: { discussion_id: discussionId } });
const commits = paths("Commits", {
  "GET /projects/{id}/repository/commits": {
    id: "listCommits",
    summary: "List commits, the newest first",
    query: {
      ref_name: text({
        maxLength: 1024,
        description:
          "Branch, tag, commit, or `a..b`: the commits that b reaches and a does not. 400 if more than 30,000 parents of commits would have to be read. Default: the default branch.",
      }),
      since: span("Not before."),
      until: span("Not after."),
      with_stats: bool("Includes the numbers of added and deleted lines."),
      trailers: bool("Includes the trailers of each message."),
      all: bool("Lists the commits of all branches and tags and ignores `ref_name`. 400 if there are more than 2,500."),
      first_parent: bool("Follows only the first parent of a merge."),
      order: { ...one("default", "topo"), description: "Both values use git's order." },
      path: text({
        maxLength: 4096,
        description: "Only commits that changed this file, or a file in this folder. A page may have fewer entries; follow `next`.",
      }),
      author: text("Part of the author's name or address, in upper or lower case. A page may have fewer entries; follow `next`."),
    },
    paged: true,
    gives: { 200: list(ref("ListedCommit")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}": {
    id: "showCommit",
    summary: "A commit",
    query: { stats: bool("Includes the numbers of added and deleted lines. Default: true.") },
    gives: { 200: ref("Commit") },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/diff": {
    id: "showDiff",
    summary: "What a commit changed",
    query: { unidiff: bool("Includes the lines with the old and the new name of each file.") },
    paged: "counted",
    cursors: false,
    gives: { 200: list(ref("DiffEntry")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/comments": {
    id: "listCommitComments",
    summary: "List the comments on a commit",
    paged: "bounded",
    gives: { 200: list(ref("CommitComment")) },
    open: visitors,
  },
  "POST /projects/{id}/repository/commits/{sha}/comments": {
    repeatable: true,
    id: "createCommitComment",
    summary: "Comment on a commit or one of its lines",
    body: schemas.CommitCommentParams,
    gives: { 201: ref("CommitComment") },
  },
  "GET /projects/{id}/repository/commits/{sha}/discussions": {
    id: "listCommitDiscussions",
    summary: "List the comments on a commit as discussions",
    paged: "bounded",
    gives: { 200: list(ref("Discussion")) },
    open: visitors,
  },
  "POST /projects/{id}/repository/commits/{sha}/discussions": {
    repeatable: true,
    id: "createCommitDiscussion",
    summary: "Comment on a commit or one of its lines",
    body: schemas.NewCommitDiscussionParams,
    gives: { 201: ref("Discussion") },
  },
  "GET /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}": discussed({
    id: "showCommitDiscussion",
    summary: "A comment on a commit as a discussion",
    gives: { 200: ref("Discussion") },
    open: visitors,
  }),
  "POST /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes": discussed({
    repeatable: true,
    id: "answerCommitDiscussion",
    summary: "Add another comment at the place of a comment",
    body: schemas.CommitNoteParams,
    gives: { 201: ref("Note") },
  }),
  "PUT /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}": discussed({
    guarded: true,
    id: "editCommitNote",
    summary: "Edit a comment on a commit",
    body: schemas.CommitNoteParams,
    gives: { 200: ref("Note") },
  }),
  "DELETE /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}": discussed({
    guarded: true,
    id: "deleteCommitNote",
    summary: "Delete a comment on a commit",
    gives: { 204: null },
  }),
  "GET /projects/{id}/repository/commits/{sha}/refs": {
    id: "listRefsOfCommit",
    summary: "List the branches and tags that contain a commit",
    description:
      "Searches the 5,000 nearest descendants of the commit. The branch that the server assigned to the commit is always included.",
    query: { type: { ...one("branch", "tag", "all"), default: "all" } },
    paged: true,
    gives: { 200: list(object({ type: one("branch", "tag"), name: text() })) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/sequence": {
    id: "showSequence",
    summary: "Count the commits that a commit reaches, including itself",
    description: "400 if there are more than 10,000 to count.",
    query: { first_parent: bool("Follows only the first parent of a merge.") },
    gives: { 200: object({ count: count() }) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/merge_requests": empty("listMergeRequestsOfCommit", "merge requests", { open: visitors }),
  "GET /projects/{id}/repository/commits/{sha}/signature": {
    id: "showSignature",
    summary: "Always 404, because the server stores no signatures",
    gives: {},
    open: visitors,
  },
});

const search = text(
  "Part of the name. `^` matches its beginning, `$` its end and `*` any text. The ref of exactly that name is the first. A page may have fewer entries; follow `next`.",
);
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
  "GET /projects/{id}/protected_branches": {
    id: "listProtectedBranches",
    summary: "List protected branches",
    description: "The default branch, if the setting `default_branch_protection` protects it.",
    query: { search: text("Part of the name.") },
    paged: "counted",
    gives: { 200: list(ref("ProtectedBranch")) },
    open: visitors,
  },
  "GET /projects/{id}/protected_branches/{name}": {
    id: "showProtectedBranch",
    summary: "A protected branch",
    gives: { 200: ref("ProtectedBranch") },
    open: visitors,
  },
  "POST /projects/{id}/protected_branches": {
    id: "protectBranch",
    summary: "Refused: the setting `default_branch_protection` decides",
    gives: {},
  },
  "PATCH /projects/{id}/protected_branches/{name}": {
    id: "editProtectedBranch",
    summary: "Refused: the setting `default_branch_protection` decides",
    gives: {},
  },
  "DELETE /projects/{id}/protected_branches/{name}": {
    id: "unprotectBranch",
    summary: "Refused: the setting `default_branch_protection` decides",
    gives: {},
  },
  "GET /projects/{id}/repository/tags": {
    id: "listTags",
    summary: "List tags",
    query: {
      search,
      order_by: {
        ...one("name", "updated", "version"),
        default: "updated",
        description: "`updated` sorts by the commit's date. `version` sorts only the last 1,000 names.",
      },
      sort: { ...sort, default: "desc" },
    },
    paged: true,
    gives: { 200: list(ref("Tag")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/tags/{name}": {
    id: "showTag",
    summary: "A tag",
    path: { name: { example: "v1.0" } },
    gives: { 200: ref("Tag") },
    open: visitors,
  },
  "GET /projects/{id}/repository/tags/{name}/signature": {
    id: "showTagSignature",
    summary: "Always 404, because the server stores no signatures",
    gives: {},
    open: visitors,
  },
});

const statuses = paths("Commit statuses", {
  "GET /projects/{id}/repository/commits/{sha}/statuses": {
    id: "listStatuses",
    summary: "List the statuses of a commit",
    description: "Lists all refs unless `ref` is given.",
    query: {
      ref: text({ maxLength: 1024, description: "Branch or tag." }),
      stage: text(),
      name: text(),
      pipeline_id: id("Only statuses of this pipeline."),
      all: bool("Also lists older statuses of each ref and name."),
      order_by: { ...one("id", "pipeline_id"), description: "Both values sort by id." },
      sort: { ...sort, default: "asc" },
    },
    paged: "counted",
    gives: { 200: list(ref("Status")) },
    open: visitors,
  },
  "GET /projects/{id}/repository/commits/{sha}/gate": {
    id: "showGate",
    summary: "Whether a commit may be deployed: 200 only if the newest statuses are green, else 409",
    description:
      "Also for tokens with the scope `deployments`. Red are `failed`, `canceled`, `skipped` and `foreign`, and red wins over pending. What was never posted is `missing` and pending. Ask with the hash that you deploy.",
    query: {
      names: list(text({ minLength: 1 }), {
        minItems: 1,
        maxItems: 50,
        description: "The names that must be green. Default: all statuses of the commit, of which there must be one.",
      }),
      except: list(text(), { maxItems: 50, description: "Without `names`: those that do not count, such as the job that deploys." }),
      ref: text({ minLength: 1, maxLength: 1024, description: "Branch or tag. Default: each that has a status of the name." }),
      user_id: list(whole(), { minItems: 1, description: "Who may have posted the newest status. One by anybody else is `foreign`." }),
      allow_skipped: bool("Whether `skipped` is green."),
    },
    gives: { 200: ref("Gate"), 409: ref("Gate") },
    refuses: [422],
    open: visitors,
  },
  "POST /projects/{id}/statuses/{sha}": {
    repeatable: true,
    hints: true,
    id: "postStatus",
    summary: "Post a build status",
    description: "Updates the caller's unfinished status of the same commit, ref and name, or adds one.",
    body: schemas.StatusParams,
    gives: { 201: ref("Status") },
    links: { statuses: step("listStatuses", { id: "$request.path.id", sha: "$response.body#/sha" }) },
  },
});

const deployed = { id: "$request.path.id", deployment_id: "$response.body#/id" };
const needed = params(["status"], { status: one("running", "success", "failed", "canceled") });
const deployments = paths("Deployments", {
  "GET /projects/{id}/deployments": {
    id: "listDeployments",
    summary: "List deployments",
    description:
      "Sorted by `updated_at`, `finished_at` or `ref`, only the 1,000 newest are listed. With a filter a page may have fewer entries; follow `next`.",
    query: {
      order_by: { ...one("id", "iid", "created_at", "updated_at", "finished_at", "ref"), default: "id" },
      sort: { ...sort, default: "asc" },
      environment: text("Name of the environment."),
      status: one("created", "running", "success", "failed", "canceled", "skipped", "blocked"),
      updated_after: span("Not before."),
      updated_before: span("Not after."),
      finished_after: span("Not before."),
      finished_before: span("Not after."),
    },
    paged: true,
    gives: { 200: list(ref("Deployment")) },
    open: visitors,
  },
  "POST /projects/{id}/deployments": {
    repeatable: true,
    id: "createDeployment",
    summary: "Record a deployment",
    description: "It is no status of its commit: post that as well.",
    body: schemas.NewDeploymentParams,
    gives: { 201: ref("Deployment") },
    links: { deployment: step("showDeployment", deployed), edit: step("editDeployment", deployed) },
  },
  "GET /projects/{id}/deployments/{deployment_id}": {
    id: "showDeployment",
    summary: "A deployment",
    gives: { 200: ref("Deployment") },
    open: visitors,
  },
  "PUT /projects/{id}/deployments/{deployment_id}": {
    id: "editDeployment",
    summary: "Update the status of a deployment",
    body: needed,
    gives: { 200: ref("Deployment") },
  },
  "DELETE /projects/{id}/deployments/{deployment_id}": {
    guarded: true,
    id: "deleteDeployment",
    summary: "Delete a deployment that is not running and not currently deployed",
    gives: { 204: null },
  },
  "GET /projects/{id}/deployments/{deployment_id}/merge_requests": empty("listMergeRequestsOfDeployment", "merge requests", {
    open: visitors,
  }),
  "GET /projects/{id}/environments": {
    id: "listEnvironments",
    summary: "List the environments of a project",
    description: "With `search` or `states` a page may have fewer entries; follow `next`.",
    query: {
      name: text("The whole name."),
      search: text("Part of the name, at least 3 characters."),
      states: list(one("available", "stopping", "stopped")),
    },
    paged: true,
    gives: { 200: list(ref("ListedEnvironment")) },
    open: visitors,
  },
  "POST /projects/{id}/environments": {
    id: "createEnvironment",
    summary: "Create an environment",
    body: params(["name"], { name: text({ minLength: 1, pattern: "\\S" }), ...environmentParams }),
    gives: { 201: ref("Environment") },
  },
  "GET /projects/{id}/environments/{environment_id}": {
    id: "showEnvironment",
    summary: "An environment",
    gives: { 200: ref("Environment") },
    open: visitors,
  },
  "PUT /projects/{id}/environments/{environment_id}": {
    id: "editEnvironment",
    summary: "Change an environment, except its name",
    body: params([], environmentParams),
    gives: { 200: ref("Environment") },
  },
  "DELETE /projects/{id}/environments/{environment_id}": {
    guarded: true,
    id: "deleteEnvironment",
    summary: "Delete a stopped environment and its deployments",
    gives: { 204: null },
  },
  "POST /projects/{id}/environments/{environment_id}/stop": {
    id: "stopEnvironment",
    summary: "Stop an environment; a new deployment makes it available again",
    gives: { 200: ref("Environment") },
  },
});

const badge = (id, summary, own, [key, width] = ["pipeline", 62]) => ({
  id,
  summary,
  description: "Anyone can see it for a public project. A value out of bounds counts as none.",
  query: {
    key_text: text({
      maxLength: 255,
      description: `The word on the left, up to 64 characters; a longer one counts as none. Default: \`${key}\`.`,
    }),
    key_width: whole({ minimum: 1, maximum: 512, default: width, description: "The width of the left half." }),
    style: { ...one("flat", "flat-square"), default: "flat" },
    ...own,
  },
  open: visitors,
  gives: { 200: picture },
});
const ignored = { ignore_skipped: bool("No pipeline here is skipped.") };
const least = (colour, most, usual) =>
  whole({ minimum: 1, maximum: most, default: usual, description: `The least coverage in percent that is ${colour}.` });
const badges = paths("Badges", {
  "GET /projects/{id}/badges/{git_ref}/pipeline.svg": badge(
    "showPipelineBadge",
    "The status of the last commit of a branch or tag as a picture, also at `/NAMESPACE/PROJECT/badges/REF/pipeline.svg`",
    ignored,
  ),
  "GET /projects/{id}/badges/{git_ref}/build.svg": badge("showBuildBadge", "The same picture", ignored),
  "GET /projects/{id}/badges/{git_ref}/coverage.svg": badge(
    "showCoverageBadge",
    "The coverage of a branch or tag as a picture, also at `/NAMESPACE/PROJECT/badges/REF/coverage.svg`",
    {
      job: text("The coverage of the newest successful job of this name, instead of the newest successful pipeline."),
      min_good: least("green", 100, 95),
      min_acceptable: least("light green", 99, 90),
      min_medium: least("yellow", 98, 75),
    },
    ["coverage", 62],
  ),
  "GET /projects/{id}/badges/release.svg": badge(
    "showReleaseBadge",
    "The tag of the newest release as a picture, also at `/NAMESPACE/PROJECT/-/badges/release.svg`",
    { value_width: whole({ minimum: 1, maximum: 200, default: 54, description: "The width of the right half." }) },
    ["Latest Release", 90],
  ),
});

export const pathsOfRepositories = { commits, refs, statuses, badges, deployments, mirror };
