import { always, bool, count, list, nullable, object, one, paths, sha, text, visitors } from "../words.mjs";

const reference = text({ maxLength: 1024, description: "Branch, tag, whole or abbreviated hash, or `HEAD`. Default: the default branch." });
const needed = { ...reference, description: "Branch, tag, whole or abbreviated hash, or `HEAD`.", needed: true };
const sha256 = text({ pattern: "^[0-9a-f]{64}$" });

export const schemas = {
  TreeEntry: object({ id: sha, name: text(), type: one("tree", "blob", "commit"), path: text(), mode: text({ pattern: "^[0-7]{6}$" }) }),
  File: object({
    file_name: text(),
    file_path: text(),
    size: count("Bytes."),
    encoding: always("base64"),
    content_sha256: sha256,
    ref: text("As in the request."),
    blob_id: sha,
    commit_id: sha,
    last_commit_id: text({
      pattern: "^([0-9a-f]{40}|[0-9a-f]{64}|)$",
      description: "The newest commit that changed the file. Empty if it is not among the last 1,000.",
    }),
    execute_filemode: bool("Whether the file is executable."),
    content: text(),
  }),
  Blob: object({ size: count("Bytes."), encoding: always("base64"), content: text(), sha }),
};

export const bytes = { content: { "text/plain; charset=utf-8": { schema: text() }, "application/octet-stream": { schema: text() } } };
/** Operations that would change the repository. */
const refused = (entries) =>
  Object.fromEntries(
    entries.map(([route, id, what]) => [
      route,
      {
        id,
        summary: `Refused: ${what}`,
        description: "Always 403, because the repository is a mirror: push to its git host instead.",
        gives: {},
      },
    ]),
  );

const archive = {
  description:
    "All files of a commit below one directory, or those of `path`. 422 for more than 5,000 files, 10,000 members or 64 MiB. Every file is looked up before the first byte.",
  query: {
    sha: reference,
    path: text({ maxLength: 4096, description: "A directory or file. Default: all." }),
    exclude_paths: list(text(), { maxItems: 100, description: "Files and directories that are left out. 400 for more than 100." }),
    append_sha: bool("Whether the name has the hash of the commit. Default: true."),
    file: text("Of the address of a page: the name of the archive."),
    include_lfs_blobs: bool("Without effect."),
  },
  contents: true,
  packs: true,
  gives: { 200: { content: { "application/octet-stream": { schema: text() }, "application/zip": { schema: text() } } } },
};
const FORMATS = {
  format: {
    description: "`tar.gz`, `tgz`, `gz`, `tar` or `zip`. 406 for bzip2.",
    schema: { type: "string", minLength: 1, maxLength: 20 },
    example: "tar.gz",
  },
};
/** The archives of v3 and v4. */
export const archives = (open) => ({
  "GET /projects/{id}/repository/archive": { id: "showArchive", summary: "A tar archive, packed with gzip", ...archive, ...open },
  "GET /projects/{id}/repository/archive/{format}": {
    id: "showArchiveOfFormat",
    summary: "An archive, also as `archive.{format}`",
    path: FORMATS,
    ...archive,
    ...open,
  },
});
export const contributor = object({ name: text(), email: text(), commits: count(), additions: always(0), deletions: always(0) });

export const pathsOfContents = {
  contents: paths("Contents of repositories", {
    "GET /projects/{id}/repository/tree": {
      id: "listTree",
      summary: "List a directory",
      description:
        "Directories, then files, then submodules, each in the order of their paths. 422 if a recursive list has more than 100,000 entries or 900 directories.",
      query: {
        path: text({ maxLength: 4096, description: "A directory. Default: the root." }),
        ref: reference,
        recursive: bool("Lists also what is in the directories below."),
        pagination: {
          ...one("legacy", "keyset", "none"),
          default: "legacy",
          description:
            "`keyset`: the only header for paging is `Link`, with the address of the next page. `none`: up to 10,000 entries without pages, only with `recursive`.",
        },
        page_token: text({ maxLength: 6000, description: "With `keyset`: from the `next` link, or the hash of the last entry." }),
      },
      paged: "keyset",
      cursors: false,
      contents: true,
      gives: { 200: list({ $ref: "#/components/schemas/TreeEntry" }) },
      open: visitors,
    },
    "GET /projects/{id}/repository/files/{file_path}": {
      id: "showFile",
      summary: "A file",
      description: "HEAD returns the headers. 413 if the file has more than 10 MiB.",
      query: { ref: needed },
      contents: true,
      gives: { 200: { $ref: "#/components/schemas/File" } },
      open: visitors,
    },
    "GET /projects/{id}/repository/files/{file_path}/raw": {
      id: "showRawFile",
      summary: "The bytes of a file",
      description: "`text/plain` if they are UTF-8, never another type that a browser runs.",
      query: { ref: reference },
      contents: true,
      ranges: true,
      gives: { 200: bytes, 206: bytes },
      open: visitors,
    },
    "GET /projects/{id}/repository/files/{file_path}/blame": {
      id: "showBlame",
      summary: "Always 501: not built",
      contents: true,
      gives: {},
      open: visitors,
    },
    "GET /projects/{id}/repository/blobs/{sha}": {
      id: "showBlob",
      summary: "A file by its hash",
      path: { sha: { description: "The hash of the file.", example: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" } },
      contents: true,
      gives: { 200: { $ref: "#/components/schemas/Blob" } },
      open: visitors,
    },
    "GET /projects/{id}/repository/blobs/{sha}/raw": {
      id: "showRawBlob",
      summary: "The bytes of a file by its hash",
      path: { sha: { description: "The hash of the file.", example: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" } },
      contents: true,
      ranges: true,
      gives: { 200: bytes, 206: bytes },
      open: visitors,
    },
    "GET /projects/{id}/repository/compare": {
      id: "compareCommits",
      summary: "Compare two commits",
      description:
        "Whole: `commits` from the oldest to the newest, and the files that differ. 422 for more than 10,000 commits. At most 1,000 files, 6 MiB of patches as JSON and 200 KiB of one; `compare_timeout` says whether something was left out.",
      query: {
        from: { ...reference, description: "Branch, tag, whole or abbreviated hash, or `HEAD`.", needed: true },
        to: { ...reference, description: "Branch, tag, whole or abbreviated hash, or `HEAD`.", needed: true },
        straight: bool("Compares the files of `from` itself, not of the commit where both met."),
        unidiff: bool("Includes the lines with the old and the new name of each file."),
        from_project_id: text("There are no forks: only this project."),
      },
      contents: true,
      gives: {
        200: object({
          commit: nullable({ $ref: "#/components/schemas/ListedCommit" }),
          commits: list({ $ref: "#/components/schemas/ListedCommit" }),
          diffs: list({ $ref: "#/components/schemas/DiffEntry" }),
          compare_timeout: bool(),
          compare_same_ref: bool(),
          web_url: text({ pattern: "/-/compare/" }),
        }),
      },
      open: visitors,
    },
    "GET /projects/{id}/repository/merge_base": {
      id: "showMergeBase",
      summary: "The commit where others met",
      query: {
        refs: { ...list(text({ maxLength: 1024 }), { minItems: 2, maxItems: 10 }), needed: true, description: "Branches, tags or hashes." },
      },
      contents: true,
      gives: { 200: { $ref: "#/components/schemas/ListedCommit" } },
      open: visitors,
    },
    ...archives({ open: visitors }),
    "GET /projects/{id}/repository/raw/{name}": {
      id: "showFileOfPage",
      summary: "The bytes of a file by the address of its page, `-/raw/REF/PATH`",
      path: {
        name: {
          description: "Branch, tag or hash, and the path, with `%2F` for each slash. The longest name that there is counts.",
          schema: { type: "string", minLength: 1, maxLength: 5120 },
          example: "master%2FREADME.md",
        },
      },
      query: {
        inline: bool("`false`: to be saved."),
        ref_type: { ...one("heads", "tags"), description: "Whether the name is of a branch or of a tag." },
      },
      contents: true,
      ranges: true,
      gives: { 200: bytes, 206: bytes },
      open: visitors,
    },
    "GET /projects/{id}/repository/contributors": {
      id: "listContributors",
      summary: "Who wrote the newest 10,000 commits",
      query: {
        ref: reference,
        order_by: { ...one("commits", "name", "email"), default: "commits" },
        sort: { ...one("asc", "desc"), default: "asc" },
      },
      paged: "known",
      cursors: false,
      contents: true,
      gives: { 200: list(contributor) },
      open: visitors,
    },
    ...refused([
      ["POST /projects/{id}/repository/files/{file_path}", "createFile", "no file can be made"],
      ["PUT /projects/{id}/repository/files/{file_path}", "updateFile", "no file can be changed"],
      ["DELETE /projects/{id}/repository/files/{file_path}", "deleteFile", "no file can be deleted"],
      ["POST /projects/{id}/repository/commits", "createCommit", "no commit can be made"],
      ["POST /projects/{id}/repository/commits/{sha}/cherry_pick", "cherryPickCommit", "no commit can be picked"],
      ["POST /projects/{id}/repository/commits/{sha}/revert", "revertCommit", "no commit can be reverted"],
      ["POST /projects/{id}/repository/branches", "createBranch", "no branch can be made"],
      ["DELETE /projects/{id}/repository/branches/{name}", "deleteBranch", "no branch can be deleted"],
      ["DELETE /projects/{id}/repository/merged_branches", "deleteMergedBranches", "no branch can be deleted"],
      ["POST /projects/{id}/repository/tags", "createTag", "no tag can be made"],
      ["DELETE /projects/{id}/repository/tags/{name}", "deleteTag", "no tag can be deleted"],
      ["POST /projects/{id}/repository/changelog", "createChangelog", "no commit can be made"],
      ["PUT /projects/{id}/repository/submodules/{name}", "updateSubmodule", "no submodule can be changed"],
      ["POST /projects/{id}/fork", "forkProject", "no project can be forked"],
    ]),
  }),
};
