import { count, id, list, nullable, object, one, or, paths, ref, sha, text, time, visitors } from "../words.mjs";

const push = object({
  commit_count: count(),
  action: one("created", "removed", "pushed"),
  ref_type: one("branch", "tag"),
  commit_from: nullable(sha),
  commit_to: nullable(sha),
  ref: nullable(text("Without `refs/heads/` or `refs/tags/`.")),
  commit_title: nullable(text({ maxLength: 70 })),
  ref_count: nullable(
    count("More than three refs of one kind that a push makes, moves or removes are one event, which has only their number."),
  ),
});
const event = object(
  {
    id: id(),
    project_id: id(),
    action_name: one(
      "created",
      "opened",
      "closed",
      "reopened",
      "destroyed",
      "commented on",
      "joined",
      "left",
      "pushed to",
      "pushed new",
      "deleted",
    ),
    target_id: nullable(id()),
    target_iid: nullable(id("Of a comment its id.")),
    target_type: or(one("Issue", "Note", "Milestone"), { type: "null" }),
    author_id: { type: "integer", description: "Below 0 for the user of a token of a project or hook." },
    target_title: nullable(text("Of a comment the title of its issue or commit.")),
    created_at: time,
    note: ref("Note"),
    author: ref("UserBasic"),
    push_data: push,
    author_username: text(),
  },
  { optional: ["note", "push_data"] },
);

const day = (description, maxLength = 255) => ({ type: "string", maxLength, description });
const query = {
  action: {
    ...one(
      "created",
      "updated",
      "closed",
      "reopened",
      "pushed",
      "commented",
      "merged",
      "joined",
      "left",
      "destroyed",
      "expired",
      "approved",
    ),
    description: "There are no events of `updated`, `merged`, `expired` and `approved`.",
  },
  target_type: {
    ...one("issue", "milestone", "merge_request", "note", "project", "snippet", "user", "wiki", "design"),
    description: "There are events of `issue`, `milestone`, `note` and `project`.",
  },
  before: day("Only of days before this one."),
  after: day("Only of days after this one.", 1024),
  sort: { ...one("asc", "desc"), default: "desc" },
};
const description =
  "Without events of records that the caller does not see. A page may have fewer entries: follow its `next` address. Events are kept for three years by default.";
const listed = { query, paged: "known", description, gives: { 200: list(ref("Event")) } };

const feed = { content: { "application/atom+xml": { schema: text() } } };
const atom = (id, summary, more) => ({ id, summary, open: visitors, gives: { 200: feed }, ...more });

export const schemas = { Event: event };
export const pathsOfEvents = {
  events: paths("Events", {
    "GET /events": {
      id: "listOwnEvents",
      summary: "List what the caller did",
      ...listed,
      query: { ...query, scope: text("`all`: what everybody did in the projects that the caller is a member of.") },
    },
    "GET /users/{id}/events": {
      id: "listUserEvents",
      summary: "List what a user did",
      ...listed,
      open: visitors,
      path: { id: { description: "Id or username.", schema: { type: "string", minLength: 1, maxLength: 255 } } },
    },
    "GET /projects/{id}/events": { id: "listProjectEvents", summary: "List what happened in a project", ...listed, open: visitors },
    "GET /projects/{id}/feeds/issues.atom": atom(
      "showIssuesFeed",
      "The 20 newest issues as an Atom feed, also at `/NAMESPACE/PROJECT/-/issues.atom`",
      { description: "The issues that the caller sees." },
    ),
    "GET /projects/{id}/feeds/{git_ref}/commits.atom": atom(
      "showCommitsFeed",
      "The 20 newest commits of a branch or tag as an Atom feed, also at `/NAMESPACE/PROJECT/-/commits/REF?format=atom`",
    ),
  }),
};
