import {
  bool,
  count,
  extended,
  id,
  list,
  nullable,
  object,
  one,
  or,
  params,
  paths,
  prose,
  ref,
  text,
  time,
  times,
  visitors,
} from "../words.mjs";
import { schemas as ofPlanning } from "./planning.mjs";

const address = text({ pattern: "^https?://" });
const linkType = one("other", "runbook", "image", "package");
const link = {
  id: id(),
  name: text(),
  url: text(),
  direct_asset_url: text("A lasting address that leads to `url`, if the link has a path of its own. Else `url`."),
  link_type: linkType,
  external: bool("Whether `url` is outside of the project."),
};
const filepath = text({
  maxLength: 128,
  description: "At most 128 letters, digits, `-`, `.`, `_` and `/`, with a slash in front.",
  example: "/bin/tool",
});
const title = text({ description: "Default: the name of the tag." });
const releasedAt = text(`${times} Default: now.`);
const milestones = list(text(), { maxItems: 20, description: "Titles of milestones. Not together with `milestone_ids`." });
const milestoneIds = list(id(), { maxItems: 20, description: "Ids of milestones." });
const url = text({ maxLength: 2048, minLength: 1, description: "An address with `http`, `https` or `ftp`, at most 2,048 bytes." });
const newLink = { name: text({ minLength: 1 }), url, direct_asset_path: filepath, filepath, link_type: { ...linkType, default: "other" } };
const byTag = {
  tag: {
    description: "The name of the tag, with `%2F` for each slash.",
    schema: { type: "string", minLength: 1, maxLength: 1024 },
    example: "v1.0",
  },
};

export const schemas = {
  ReleaseLink: object(link),
  Release: object(
    {
      name: text(),
      tag_name: text(),
      description: nullable(text()),
      created_at: time,
      released_at: time,
      upcoming_release: bool("Whether `released_at` is in the future."),
      description_html: nullable(
        text("With `include_html_description`. Null if the HTML of the answer would be longer than 600,000 bytes."),
      ),
      author: ref("UserBasic"),
      commit: ref("ListedCommit"),
      milestones: list(
        extended(ofPlanning.Milestone, {
          issue_stats: object({ total: count("Of the issues that the caller may see."), closed: count() }),
        }),
      ),
      commit_path: text(),
      tag_path: text(),
      assets: object({ count: count(), sources: list(object({ format: text(), url: address })), links: list(ref("ReleaseLink")) }),
      evidences: { ...list({ type: "object" }, { maxItems: 0 }), description: "Nothing collects evidence." },
      _links: object(
        {
          closed_issues_url: address,
          closed_merge_requests_url: address,
          edit_url: address,
          merged_merge_requests_url: address,
          opened_issues_url: address,
          opened_merge_requests_url: address,
          self: address,
        },
        {
          optional: [
            "closed_issues_url",
            "closed_merge_requests_url",
            "edit_url",
            "merged_merge_requests_url",
            "opened_issues_url",
            "opened_merge_requests_url",
            "self",
          ],
        },
      ),
    },
    {
      optional: ["tag_name", "description_html", "author", "commit", "milestones", "commit_path", "tag_path", "evidences"],
      description: "Callers who may not read commits get no name of a tag and no commit.",
    },
  ),
  SimpleRelease: object(
    { name: text(), tag_name: text(), description: nullable(text()), created_at: time, released_at: time, upcoming_release: bool() },
    { optional: ["tag_name"] },
  ),
  NewReleaseParams: params(["tag_name"], {
    tag_name: text({ minLength: 1, maxLength: 1024, description: "A tag of the repository. Tags are not made here." }),
    name: title,
    description: prose(),
    released_at: releasedAt,
    milestones,
    milestone_ids: milestoneIds,
    assets: {
      type: "object",
      properties: { links: list({ type: "object", properties: newLink, required: ["name", "url"] }, { maxItems: 100 }) },
    },
    ref: text({ maxLength: 1024, description: "Without effect." }),
    tag_message: text("Without effect."),
  }),
  ReleaseParams: params([], { name: title, description: prose(), released_at: releasedAt, milestones, milestone_ids: milestoneIds }),
  NewReleaseLinkParams: params(["name", "url"], newLink),
  ReleaseLinkParams: params([], { ...newLink, link_type: linkType }),
};

const html = bool("Adds `description_html`.");
const at = "/projects/{id}/releases";
const one_ = `${at}/{tag}`;
const links = `${one_}/assets/links`;
const found = { 302: object({ message: text() }) };
export const pathsOfReleases = {
  releases: paths("Releases", {
    [`GET ${at}`]: {
      id: "listReleases",
      summary: "List the releases of a project",
      query: {
        order_by: { ...one("released_at", "created_at"), default: "released_at" },
        sort: { ...one("asc", "desc"), default: "desc" },
        updated_after: text(times),
        updated_before: text(times),
        include_html_description: html,
      },
      paged: "bounded",
      gives: { 200: list(ref("Release")) },
      open: visitors,
    },
    "GET /groups/{id}/releases": {
      id: "listGroupReleases",
      summary: "The newest releases of a group's projects",
      query: {
        sort: { ...one("asc", "desc"), default: "desc", description: "By `released_at`." },
        simple: bool("Only the first six members."),
      },
      paged: "bounded",
      gives: { 200: or(list(ref("Release")), list(ref("SimpleRelease"))) },
      open: visitors,
    },
    [`POST ${at}`]: {
      id: "createRelease",
      summary: "Make a release of a tag",
      description: "For developers. 422 if the tag is not in the mirror within five seconds, 409 if it has a release.",
      body: schemas.NewReleaseParams,
      refuses: [409, 422],
      gives: { 201: ref("Release") },
    },
    [`GET ${at}/permalink/latest`]: { id: "findLatestRelease", summary: "Where the newest release is", gives: found, open: visitors },
    [`GET ${at}/permalink/latest/{suffix}`]: {
      id: "findInLatestRelease",
      summary: "Where something below the newest release is",
      path: {
        suffix: {
          description: "A path below the release, also of several segments.",
          schema: { type: "string", minLength: 1, maxLength: 1024 },
          example: "downloads/bin/tool",
        },
      },
      gives: found,
      open: visitors,
    },
    [`GET ${one_}`]: {
      id: "showRelease",
      summary: "The release of a tag",
      path: byTag,
      query: { include_html_description: html },
      gives: { 200: ref("Release") },
      open: visitors,
    },
    [`PUT ${one_}`]: {
      id: "editRelease",
      summary: "Change a release",
      description: "For developers. Null changes nothing.",
      path: byTag,
      body: schemas.ReleaseParams,
      gives: { 200: ref("Release") },
    },
    [`DELETE ${one_}`]: {
      id: "deleteRelease",
      summary: "Delete a release, and return it",
      description: "For developers. The tag stays.",
      path: byTag,
      guarded: true,
      gives: { 200: ref("Release") },
    },
    [`GET ${one_}/downloads/{path}`]: {
      id: "findAsset",
      summary: "Where the link with this path leads",
      path: {
        ...byTag,
        path: {
          description: "The path of the link without its first slash.",
          schema: { type: "string", minLength: 1, maxLength: 128 },
          example: "bin/tool",
        },
      },
      gives: found,
      open: visitors,
    },
    [`GET ${links}`]: {
      id: "listReleaseLinks",
      summary: "List the links of a release, the newest first",
      path: byTag,
      paged: "counted",
      gives: { 200: list(ref("ReleaseLink")) },
      open: visitors,
    },
    [`POST ${links}`]: {
      id: "createReleaseLink",
      summary: "Add a link to a release",
      description: "For developers. A release has at most 100.",
      path: byTag,
      body: schemas.NewReleaseLinkParams,
      gives: { 201: ref("ReleaseLink") },
    },
    [`GET ${links}/{link_id}`]: {
      id: "showReleaseLink",
      summary: "A link of a release",
      path: byTag,
      gives: { 200: ref("ReleaseLink") },
      open: visitors,
    },
    [`PUT ${links}/{link_id}`]: {
      id: "editReleaseLink",
      summary: "Change a link of a release",
      description: "For developers. `name` or `url` is required.",
      path: byTag,
      body: schemas.ReleaseLinkParams,
      gives: { 200: ref("ReleaseLink") },
    },
    [`DELETE ${links}/{link_id}`]: {
      id: "deleteReleaseLink",
      summary: "Delete a link of a release, and return it",
      description: "For developers.",
      path: byTag,
      gives: { 200: ref("ReleaseLink") },
    },
  }),
};
