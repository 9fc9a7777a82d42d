import { bool, list, object, one, or, params, paths, prose, ref, text } from "../words.mjs";

const found = {
  200: or(
    list(ref("IssueBasic")),
    list(ref("Milestone")),
    list(ref("UserBasic")),
    list(ref("SimpleProject")),
    list(ref("Note")),
    list(ref("Commit")),
    list({}, { maxItems: 0 }),
  ),
};
const issues = {
  search: text({
    needed: true,
    minLength: 1,
    description:
      "Of issues: words of title and description, or in a project a number like `#12`. Else a part of a title, name, path, description, comment or message, or of commits seven digits or more of a hash.",
  }),
  state: { ...one("opened", "closed", "all"), description: "Of issues and milestones." },
  confidential: bool("Of issues."),
  order_by: { ...one("created_at"), description: "Of issues." },
  sort: { ...one("asc", "desc"), description: "Of issues." },
  ref: text({ maxLength: 1024, description: "Of commits: a branch, a tag or a hash. Default: the default branch." }),
};
const search = (id, where, scopes) => ({
  id,
  summary: `Search ${where}`,
  query: { scope: { ...one(...scopes), needed: true }, ...issues },
  paged: "known",
  gives: found,
});

export const schemas = {
  MarkdownParams: params(["text"], {
    text: prose(),
    gfm: bool("Whether `#1`, `@name` and hashes of commits become links, with `project` and where the caller sees what they mean."),
    project: text({ description: "The path of a project that the caller sees." }),
  }),
};

export const pathsOfSearch = {
  search: paths("Search", {
    "GET /search": search("search", "everything that the caller sees", [
      "projects",
      "issues",
      "milestones",
      "users",
      "merge_requests",
      "snippet_titles",
    ]),
    "GET /groups/{id}/search": search("searchGroup", "a group", ["projects", "issues", "milestones", "users", "merge_requests"]),
    "GET /projects/{id}/search": search("searchProject", "a project", [
      "issues",
      "milestones",
      "users",
      "merge_requests",
      "wiki_blobs",
      "notes",
      "commits",
    ]),
  }),
  markdown: paths("Markdown", {
    "POST /markdown": {
      id: "renderMarkdown",
      summary: "Markdown as HTML",
      description: "Raw HTML in the text is shown as text.",
      body: schemas.MarkdownParams,
      gives: { 201: object({ html: text() }) },
    },
  }),
};
