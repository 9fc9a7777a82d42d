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
  zoned,
} from "./words.mjs";
import { archives, contributor } from "./v4/contents.mjs";
import { uploading } from "./v4/uploads.mjs";

const release = object({ tag_name: text(), description: nullable(text()) });
const commit = object({
  id: sha,
  short_id: text({ pattern: "^[0-9a-f]{8}$" }),
  title: text(),
  author_name: text(),
  author_email: text(),
  created_at: zoned,
  message: text(),
});
const tip = object({
  id: sha,
  message: text(),
  parent_ids: list(sha),
  authored_date: zoned,
  author_name: text(),
  author_email: text(),
  committed_date: zoned,
  committer_name: text(),
  committer_email: text(),
});
const place = { note: text(), path: nullable(text()), line: nullable(whole()), line_type: nullable(one("new", "old")), created_at: time };
const STATES = ["pending", "running", "success", "failed", "canceled"];
const state = one(...STATES);
const environment = { id: id(), name: text(), external_url: nullable(text()) };
const short = text({ maxLength: 255 });
const long = text({ maxLength: 16_384 });

const own = {
  CommitOfTodo: commit,
  ListedCommit: extended(commit, { allow_failure: always(false) }),
  Commit: extended(commit, {
    committed_date: zoned,
    authored_date: zoned,
    parent_ids: list(sha),
    stats: object({ additions: count(), deletions: count(), total: count() }),
    status: nullable(state),
  }),
  DiffEntry: object(
    {
      diff: text("Unified diff from its `---` line. Empty if it is too long."),
      new_path: text(),
      old_path: text(),
      a_mode: nullable(text()),
      b_mode: nullable(text()),
      new_file: bool(),
      renamed_file: bool(),
      deleted_file: bool(),
      too_large: { const: true, description: "Only where the diff was left out because of its length." },
    },
    { optional: ["too_large"] },
  ),
  CommitComment: object({
    ...place,
    author: object({
      id: id(),
      username: text(),
      email: text(),
      name: text(),
      state: one("active", "blocked", "ldap_blocked"),
      created_at: time,
    }),
  }),
  NewCommitComment: object({ ...place, author: ref("User") }),
  CommitCommentParams: params(["note"], {
    note: prose({ minLength: 1, pattern: "\\S" }),
    path: text({ maxLength: 4096, description: "A file, from the repository's root." }),
    line: whole({
      description: "An added or removed line of the file. If the diff has no such line, the comment is on the whole commit.",
    }),
    line_type: { ...one("new", "old"), default: "new" },
  }),
  Branch: object({ name: text(), protected: bool(), developers_can_push: bool(), developers_can_merge: always(false), commit: tip }),
  ReleaseNotesParams: params(["description"], { description: prose({ minLength: 1, pattern: "\\S" }) }),
  Tag: object({ name: text(), message: nullable(text()), commit: tip, release: nullable(release) }),
  Status: object({
    id: id(),
    sha,
    ref: nullable(text()),
    status: state,
    name: text(),
    target_url: nullable(text()),
    description: nullable(text()),
    created_at: time,
    started_at: nullable(time),
    finished_at: nullable(time),
    allow_failure: always(false),
    author: ref("User"),
  }),
  StatusParams: params(["state"], {
    state: { ...one(...state.enum, "skipped"), description: "`skipped` is stored and shown as `canceled`." },
    ref: text({
      maxLength: 255,
      description:
        "Branch or tag. Default: the branch in the path, else the default branch if it contains the commit, else the first branch that does.",
    }),
    name: text({ maxLength: 255, description: "Distinguishes statuses of different systems. Default: `default`." }),
    context: text({ maxLength: 255, description: "Another name of `name`." }),
    target_url: text({ maxLength: 16_384, pattern: "^([Hh][Tt][Tt][Pp][Ss]?://|$)", description: "An address of http or https." }),
    description: long,
    coverage: real(),
  }),
  Environment: object(environment),
  Deployment: object({
    id: id(),
    iid: id("The number in the project."),
    ref: nullable(text()),
    sha,
    created_at: time,
    user: ref("User"),
    environment: object(environment),
    deployable: object({
      id: id(),
      status: state,
      stage: text(),
      name: text(),
      ref: nullable(text()),
      tag: bool(),
      coverage: nullable(real()),
      created_at: time,
      started_at: nullable(time),
      finished_at: nullable(time),
      user: ref("FullUser"),
      commit,
      runner: { type: "null" },
    }),
  }),
  NewDeploymentParams: params(["environment", "sha"], {
    environment: text({ minLength: 1, maxLength: 255 }),
    sha: text({ maxLength: 1024, description: "A commit's hash, whole or abbreviated, or a branch or tag." }),
    ref: short,
    tag: bool(),
    status: { ...state, default: "pending" },
    external_url: text({ maxLength: 255, pattern: "^https?://[A-Za-z0-9]", example: "https://example.com" }),
    name: text({ maxLength: 255, description: "Name of the job. Default: the environment's name." }),
    stage: text({ maxLength: 255, description: "Default: `deploy`." }),
    coverage: real(),
  }),
  DeploymentParams: params(["status"], { status: state, coverage: real() }),
};

/** The mirror hook: the same in v3 and v4. */
export const mirrorSchemas = {
  MirrorRefs: object(
    {
      default_branch: nullable(text()),
      pending: bool("The server is still assigning commits to branches. The next `PUT /mirror/refs` continues, even without changes."),
      refs: list(
        object(
          {
            name: text(),
            sha,
            tag_sha: nullable({ ...sha, description: "An annotated tag's own hash." }),
            message: nullable(text("An annotated tag's message, with `messages=true`.")),
            contents: {
              ...one("tips", "history"),
              description: "All objects of the commit, or of its history, are stored or left out. Absent if not.",
            },
          },
          { optional: ["message", "contents"] },
        ),
      ),
      forgotten: list({ ...sha, description: "Commits whose diff an owner removed. Send them again." }),
      next: nullable(text("Use it as `after` for the next page. Null on the last page.")),
      bytes: nullable(count("Bytes of everything written in the project. Null for callers who do not see its confidential issues.")),
      most_bytes: count("The limit. 0: no limit."),
      most_file_bytes: count("The longest file that is stored. 0: no limit. Absent if the server stores no contents."),
      contents: { ...one("tips", "history"), description: "What the last sync that sent objects was asked for. Absent if none did." },
      unreferenced: list(object({ sha, contents: one("none", "tips", "history") }), {
        description:
          "Commits with stored objects at which no branch or tag ends, and, with `none`, commits of which a sync has only begun to send objects. Absent if there are none.",
      }),
    },
    { optional: ["most_file_bytes", "contents", "unreferenced"] },
  ),
  MirrorObjects: object({
    objects: list(
      object({ id: sha, kind: one("tree", "blob"), size: count("Bytes, unpacked."), left_out: nullable(one("size", "unfit")) }),
    ),
    next: nullable({ ...sha, description: "Use it as `after` for the next page. Null on the last page." }),
  }),
  MirrorHashes: object({ objects: list(sha, { maxItems: 10_000 }) }),
  MirrorQuestion: object(
    { objects: list(sha, { maxItems: 10_000 }), recheck: bool("Look into the object store.") },
    { optional: ["recheck"] },
  ),
  MirrorContents: object(
    {
      extent: {
        ...one("none", "tips", "history"),
        description:
          "Which commits the hook sends the objects of: none, those at which branches and tags end and their merge bases with the default branch, or all.",
      },
      left_out: list(object({ id: sha, kind: one("tree", "blob"), size: count(), reason: one("size", "unfit") }), {
        maxItems: 1000,
        description: "Objects that are not sent.",
      }),
      begun: list(sha, { maxItems: 10_000, description: "Commits whose objects are sent from now on." }),
      complete: list(sha, { maxItems: 10_000, description: "Commits whose objects are stored or left out." }),
      unneeded: list(sha, { maxItems: 10_000, description: "Objects that no branch or tag needs." }),
      ended: list(sha, { maxItems: 10_000, description: "Commits of which nothing more is kept." }),
    },
    { optional: ["left_out", "begun", "complete", "unneeded", "ended"] },
  ),
  MirrorLabels: object({
    commits: list(object({ id: sha, branch: nullable(text("The branch of statuses without a ref.")) })),
    next: nullable({ ...sha, description: "Use it as `after` for the next page. Null on the last page." }),
  }),
  MirrorCommits: object({
    commits: list(
      object(
        {
          id: sha,
          more_paths: list(text({ maxLength: 16384 }), {
            description: "The changed paths that the diff leaves out, 1.5 MB of JSON at most.",
          }),
          object: nullable(text("The commit object as git stores it, at most 5 MiB. Its hash must be `id`.")),
          object_base64: nullable(text("The same in base64, if it is not UTF-8 or base64 is shorter.")),
          texts: nullable({
            ...object({ author_name: text(), author_email: text(), committer_name: text(), committer_email: text(), message: text() }),
            description: "The texts as UTF-8, if the object names another encoding.",
          }),
          additions: count(),
          deletions: count(),
          diff: text({ description: "The JSON text of a list of diff entries.", example: "[]" }),
        },
        { optional: ["object", "object_base64", "texts", "more_paths"] },
      ),
      { maxItems: 1000 },
    ),
  }),
  MirrorChanges: object(
    {
      default_branch: nullable(text({ maxLength: 1024, description: "At most 1,024 bytes." })),
      changes: list(
        object(
          {
            name: text({ pattern: "^refs/(heads|tags)/.+", maxLength: 1024, description: "At most 1,024 bytes." }),
            old: nullable({ ...sha, description: "The current commit. Null for a new ref." }),
            new: nullable({ ...sha, description: "The new commit. Null deletes the ref." }),
            tag_sha: nullable({ ...sha, description: "An annotated tag's own hash." }),
            message: nullable(text({ maxLength: 65_536, description: "An annotated tag's message, at most 65,536 bytes." })),
            inner_tags: list(sha, { maxItems: 10, description: "The hashes of the tags inside a tag of a tag." }),
            commits: nullable({
              ...count("The number of commits that `new` reaches, including itself. It becomes the total of the branch's list."),
              maximum: 2 ** 40,
            }),
          },
          { optional: ["old", "new", "tag_sha", "message", "inner_tags", "commits"] },
        ),
        { maxItems: 1000 },
      ),
      sync: nullable(
        text({
          maxLength: 64,
          description: "A random name for changes that are sent in several portions. All changes are made with the last portion.",
        }),
      ),
      portion: whole("The number of this portion, from 0."),
      more: bool("More portions follow. No change is made yet."),
      recheck: bool("Assign every commit to its branch again."),
      history: bool("The commits are a history: their messages close and mention no issues."),
    },
    { optional: ["default_branch", "sync", "portion", "more", "recheck", "history"] },
  ),
};

export const schemas = { ...own, ...mirrorSchemas };

const span = (description) => text({ format: "date-time", description: `${description} ${times}` });
const commits = paths("Commits", {
  "GET /projects/{id}/repository/commits": {
    id: "listCommits",
    summary: "List commits, the newest first",
    description: "If the server's `PROFILE` is `gitlab`, the first page is 0.",
    query: {
      ref_name: text({ maxLength: 1024, description: "Branch, tag or commit. Default: the default branch." }),
      since: span("Not before."),
      until: span("Not after."),
    },
    paged: true,
    gives: { 200: list(ref("ListedCommit")) },
  },
  "GET /projects/{id}/repository/commits/{sha}": { id: "showCommit", summary: "A commit", gives: { 200: ref("Commit") } },
  "GET /projects/{id}/repository/commits/{sha}/diff": {
    id: "showDiff",
    summary: "What a commit changed",
    gives: { 200: list(ref("DiffEntry")) },
  },
  "GET /projects/{id}/repository/commits/{sha}/comments": {
    id: "listCommitComments",
    summary: "List the comments on a commit",
    paged: "bounded",
    gives: { 200: list(ref("CommitComment")) },
  },
  "POST /projects/{id}/repository/commits/{sha}/comments": {
    repeatable: true,
    id: "createCommitComment",
    summary: "Comment on a commit or one of its lines",
    body: schemas.CommitCommentParams,
    gives: { 201: ref("NewCommitComment") },
  },
});

const WHOLE = "All of them, unless a page is asked for; what is over 10,000 or some megabytes follows by the `next` link.";
const refs = paths("Branches and tags", {
  "GET /projects/{id}/repository/branches": {
    id: "listBranches",
    summary: "List branches",
    description: WHOLE,
    paged: "asked",
    gives: { 200: list(ref("Branch")) },
  },
  "GET /projects/{id}/repository/branches/{name}": { id: "showBranch", summary: "A branch", gives: { 200: ref("Branch") } },
  "GET /projects/{id}/repository/tags": {
    id: "listTags",
    summary: "List tags, the last name first",
    description: WHOLE,
    paged: "asked",
    gives: { 200: list(ref("Tag")) },
  },
  "POST /projects/{id}/repository/tags/{name}/release": {
    id: "createReleaseNotes",
    summary: "Describe a tag",
    description: "For developers. 409 if it has a description.",
    path: { name: { example: "v1.0" } },
    body: schemas.ReleaseNotesParams,
    refuses: [409],
    gives: { 201: release },
  },
  "PUT /projects/{id}/repository/tags/{name}/release": {
    id: "editReleaseNotes",
    summary: "Change the description of a tag",
    description: "For developers.",
    path: { name: { example: "v1.0" } },
    body: schemas.ReleaseNotesParams,
    gives: { 200: release },
  },
  "GET /projects/{id}/repository/tags/{name}": {
    id: "showTag",
    summary: "A tag",
    path: { name: { example: "v1.0" } },
    gives: { 200: ref("Tag") },
  },
});

export const picture = { content: { "image/svg+xml": { schema: text() } } };
const statuses = paths("Commit statuses", {
  "GET /projects/{id}/repository/commits/{sha}/statuses": {
    id: "listStatuses",
    summary: "List the statuses of a commit",
    description: "Without a ref it lists the default branch. If the server's `PROFILE` is `gitlab`, it lists all refs.",
    query: {
      ref_name: text({ maxLength: 1024, description: "Branch or tag." }),
      ref: text({ maxLength: 1024, description: "Another name of `ref_name`." }),
      stage: text(),
      name: text(),
      all: bool("Also lists older statuses of each name."),
    },
    paged: "counted",
    gives: { 200: list(ref("Status")) },
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
  "GET /projects/{id}/badges/{git_ref}/build.svg": {
    id: "showBadge",
    summary: "The build status of a branch or tag as a picture",
    description: "Anyone can see it for a public project.",
    open: visitors,
    gives: { 200: picture },
  },
});

const deployed = { id: "$request.path.id", deployment_id: "$response.body#/id" };
const deployments = paths("Deployments", {
  "GET /projects/{id}/merge_requests": {
    id: "listMergeRequests",
    summary: "An empty list: there are no merge requests",
    paged: "counted",
    gives: { 200: list({}, { maxItems: 0 }) },
  },
  "GET /projects/{id}/environments": {
    id: "listEnvironments",
    summary: "List the environments of a project",
    paged: "counted",
    gives: { 200: list(ref("Environment")) },
  },
  "GET /projects/{id}/deployments": {
    id: "listDeployments",
    summary: "List deployments",
    paged: "counted",
    gives: { 200: list(ref("Deployment")) },
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
  "GET /projects/{id}/deployments/{deployment_id}": { id: "showDeployment", summary: "A deployment", gives: { 200: ref("Deployment") } },
  "PUT /projects/{id}/deployments/{deployment_id}": {
    id: "editDeployment",
    summary: "Update the status of a deployment",
    body: schemas.DeploymentParams,
    gives: { 200: ref("Deployment") },
  },
});

export const mirror = paths("Mirror hook", {
  "GET /projects/{id}/mirror": {
    id: "showMirror",
    summary: "List the refs in the index",
    description: "In pages of about 5,000 refs.",
    query: {
      after: text({ maxLength: 1024, description: "The last name on the previous page." }),
      messages: bool("Includes the messages of tags."),
    },
    gives: { 200: ref("MirrorRefs") },
  },
  "GET /projects/{id}/mirror/commits": {
    id: "listMirroredCommits",
    summary: "List all commits with their branches, also commits that no ref reaches",
    description: "In pages of 4,000, in the order of their hashes.",
    query: { after: text({ maxLength: 1024, description: "The last hash on the previous page." }) },
    gives: { 200: ref("MirrorLabels") },
  },
  "POST /projects/{id}/mirror/commits": {
    id: "pushCommits",
    summary: "Add commits, parents first",
    description:
      "Adds all commits or none. Commits that are already stored are allowed. The body may be compressed (`Content-Encoding: gzip`).",
    rawBody: mirrorSchemas.MirrorCommits,
    gives: { 201: object({ received: count() }) },
  },
  "GET /projects/{id}/mirror/commits/{sha}": {
    id: "hasCommit",
    summary: "Check whether a commit is stored, even if no ref reaches it",
    gives: { 200: object({ id: sha }) },
  },
  "DELETE /projects/{id}/mirror/commits/{sha}": {
    id: "forgetCommit",
    summary: "Remove a commit's diff, so that the next sync sends the commit again",
    description: "For owners. The commit keeps its statuses and comments.",
    gives: { 200: object({ id: sha }) },
  },
  "GET /projects/{id}/mirror/objects": {
    id: "listMirroredObjects",
    summary: "List all trees and files",
    description: "In pages of 4,000, in the order of their hashes.",
    query: { after: text({ maxLength: 1024, description: "The last hash on the previous page." }) },
    gives: { 200: ref("MirrorObjects") },
  },
  "POST /projects/{id}/mirror/objects": {
    id: "pushObjects",
    summary: "Add trees and files",
    description:
      "The body is a sequence of records: a line `blob HASH SIZE` (or `tree`, or `commit`, which only tells its root tree), and the object as git packs it, a zlib stream without a header. At most 1,000 objects. Those that are stored already are allowed.",
    octets: true,
    contents: true,
    gives: { 201: object({ received: count() }) },
  },
  "POST /projects/{id}/mirror/objects/lacking": {
    id: "askForObjects",
    summary: "Check which objects the server lacks",
    description:
      "At most 10,000 hashes of commits, trees and files. Those that the server has are kept. With `recheck` at most 500: the answer has those that the object store has lost, and the commits whose diffs it has lost. The server forgets these, so that the hook sends them again.",
    rawBody: mirrorSchemas.MirrorQuestion,
    contents: true,
    gives: { 200: mirrorSchemas.MirrorHashes },
  },
  "PUT /projects/{id}/mirror/contents": {
    id: "noteContents",
    summary: "Note which contents are complete, left out, or needed no more",
    description: "Objects that are needed no more stay for a day.",
    rawBody: mirrorSchemas.MirrorContents,
    gives: { 200: object({ objects: count() }) },
  },
  "PUT /projects/{id}/mirror/refs": {
    id: "swapRefs",
    summary: "Change all refs in the request or none",
    description:
      "Then the server assigns commits to branches, a limited number in each request. While the answer is `pending`, send the request again without changes.",
    rawBody: mirrorSchemas.MirrorChanges,
    gives: {
      200: object(
        {
          refs: count(),
          pending: bool("The server is still assigning commits to branches."),
          skipped: count("Commits that were too many to look for issues in their messages. Absent if there are none."),
        },
        { optional: ["skipped"] },
      ),
    },
    refuses: [409],
  },
});

const refName = text({ maxLength: 1024, description: "Branch, tag, whole or abbreviated hash, or `HEAD`. Default: the default branch." });
const bytes = { content: { "text/plain; charset=utf-8": { schema: text() }, "application/octet-stream": { schema: text() } } };
const filePath = { filepath: { ...text({ minLength: 1, maxLength: 4096, description: "The path from the root." }), needed: true } };
const fileOfCommit = (id) => ({
  id,
  summary: "The bytes of a file of a commit",
  query: filePath,
  contents: true,
  ranges: true,
  gives: { 200: bytes, 206: bytes },
});
const refused = (id, what) => ({
  id,
  summary: `Refused: ${what}`,
  description: "Always 403, because the repository is a mirror: push to its git host instead.",
  gives: {},
});
const contents = paths("Contents of repositories", {
  "GET /projects/{id}/repository/tree": {
    id: "listTree",
    summary: "List a directory, whole",
    description:
      "Directories, then files, then submodules, each in the order of their paths. 422 if a recursive list has more than 100,000 entries or 900 directories. Empty if there is no such directory.",
    query: {
      path: text({ maxLength: 4096, description: "A directory. Default: the root." }),
      ref_name: refName,
      ref: { ...refName, description: "Another name of `ref_name`." },
      recursive: bool("Lists also what is in the directories below."),
    },
    contents: true,
    gives: {
      200: list(
        object({ id: sha, name: text(), type: one("tree", "blob", "commit"), path: text(), mode: text({ pattern: "^[0-7]{6}$" }) }),
      ),
    },
  },
  "GET /projects/{id}/repository/blobs/{sha}": fileOfCommit("showFileOfCommit"),
  "GET /projects/{id}/repository/commits/{sha}/blob": fileOfCommit("showBlobOfCommit"),
  ...archives({}),
  "GET /projects/{id}/repository/contributors": {
    id: "listContributors",
    summary: "Who wrote the newest 10,000 commits, whole",
    contents: true,
    gives: { 200: list(contributor) },
  },
  "POST /projects/{id}/uploads": {
    id: "createUpload",
    summary: "Upload a file",
    ...uploading,
    gives: {
      201: object({ alt: text(), url: text("Below the project."), is_image: bool(), markdown: text("A link for texts of the project.") }),
    },
  },
  "GET /projects/{id}/repository/compare": {
    id: "compareCommits",
    summary: "Compare two commits",
    description: "Whole, with the files that differ between `to` and the commit where both met. 422 for more than 10,000 commits.",
    query: {
      from: { ...refName, description: "Branch, tag or hash.", needed: true },
      to: { ...refName, description: "Branch, tag or hash.", needed: true },
    },
    contents: true,
    gives: {
      200: object({
        commit: nullable(commit),
        commits: list(commit),
        diffs: list(ref("DiffEntry")),
        compare_timeout: bool(),
        compare_same_ref: bool(),
      }),
    },
  },
  "GET /projects/{id}/repository/raw_blobs/{sha}": {
    id: "showRawBlob",
    summary: "The bytes of a file by its own hash",
    path: { sha: { description: "The hash of the file.", example: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" } },
    contents: true,
    ranges: true,
    gives: { 200: bytes, 206: bytes },
  },
  "GET /projects/{id}/repository/files": {
    id: "showFile",
    summary: "A file",
    description: "413 if the file has more than 10 MiB.",
    query: {
      file_path: { ...text({ minLength: 1, maxLength: 4096, description: "The path from the root." }), needed: true },
      ref: { ...refName, minLength: 1, description: "Branch, tag, whole or abbreviated hash, or `HEAD`.", needed: true },
    },
    contents: true,
    gives: {
      200: object({
        file_name: text(),
        file_path: text(),
        size: count(),
        encoding: always("base64"),
        content: text(),
        ref: text(),
        blob_id: sha,
        commit_id: sha,
        last_commit_id: text("The newest commit that changed the file. Empty if it is not among the last 1,000."),
      }),
    },
  },
  "POST /projects/{id}/repository/files": refused("createFile", "no file can be made"),
  "PUT /projects/{id}/repository/files": refused("updateFile", "no file can be changed"),
  "DELETE /projects/{id}/repository/files": refused("deleteFile", "no file can be deleted"),
  "POST /projects/{id}/repository/branches": refused("createBranch", "no branch can be made"),
  "DELETE /projects/{id}/repository/branches/{name}": refused("deleteBranch", "no branch can be deleted"),
  "POST /projects/{id}/repository/tags": refused("createTag", "no tag can be made"),
  "DELETE /projects/{id}/repository/tags/{name}": refused("deleteTag", "no tag can be deleted"),
});

export const pathsOfRepositories = { commits, refs, statuses, deployments, contents, mirror };
