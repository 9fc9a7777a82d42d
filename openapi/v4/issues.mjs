import {
  always,
  bool,
  count,
  date,
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
  whole,
} from "../words.mjs";
import { empty } from "./empty.mjs";

const nothing = { type: "null" };
const human = nullable(text({ description: "As GitLab writes it. Null if there is none.", example: "1w 2d 3h 30m" }));
const timeStats = object({
  time_estimate: count("Seconds."),
  total_time_spent: count("Seconds."),
  human_time_estimate: human,
  human_total_time_spent: human,
});
const listed = object(
  {
    id: id("Unique across all projects."),
    iid: id("The number in the project."),
    project_id: id(),
    title: text(),
    description: nullable(text()),
    state: one("opened", "closed"),
    created_at: time,
    updated_at: time,
    closed_at: nullable(time),
    closed_by: nullable(ref("UserBasic")),
    labels: or(list(text(), { uniqueItems: true }), list(ref("LabelOfIssue"))),
    milestone: nullable(ref("Milestone")),
    assignees: list(ref("UserBasic"), { maxItems: 1 }),
    author: ref("UserBasic"),
    type: always("ISSUE"),
    assignee: nullable(ref("UserBasic")),
    user_notes_count: count(),
    merge_requests_count: always(0),
    upvotes: count("How many have given it `thumbsup`."),
    downvotes: count("How many have given it `thumbsdown`."),
    start_date: nothing,
    due_date: nullable(date),
    confidential: bool(),
    discussion_locked: nullable(bool("Whether only members may comment. Null if it was never set.")),
    issue_type: always("issue"),
    web_url: text(),
    time_stats: timeStats,
    task_completion_status: object(
      { count: count(), completed_count: count() },
      { description: "Counts the checklists in the description." },
    ),
    blocking_issues_count: count("Open issues that it blocks, as far as the caller sees them."),
    has_tasks: bool(),
    task_status: text(),
    _links: object({ self: text(), notes: text(), award_emoji: text(), project: text(), closed_as_duplicate_of: nothing }),
    references: object({ short: text(), relative: text(), full: text() }),
    severity: always("UNKNOWN"),
    moved_to_id: nullable(id()),
    imported: always(false),
    imported_from: always("none"),
    service_desk_reply_to: nothing,
  },
  { optional: ["task_status"] },
);
export const issueBasic = listed;
const issue = extended(listed, { subscribed: bool("Whether the caller is subscribed.") });

const title = text({ minLength: 1, maxLength: 255, pattern: "\\S" });
const labels = text({
  description: "At most 500 names of 255 characters, separated by commas, or a JSON list.",
  maxLength: 128_000,
  example: "bug,ci",
});
const moment = (description) => text({ format: "date-time", description: `${description} ${times}` });
const ids = (description) => list(whole(), { description });
const day = { ...date, description: "Of a time, only the date in it is used." };
const written = {
  title,
  description: prose(),
  confidential: bool(),
  assignee_id: whole("A user's id, or 0 for nobody. Ignored if `assignee_ids` is given."),
  assignee_ids: ids("The first of them is assigned. None, or 0: nobody."),
  milestone_id: whole("A milestone's id, or 0 for none."),
  milestone: text("The milestone's title, instead of its id. Blank for none."),
  labels,
  add_labels: labels,
  remove_labels: labels,
  due_date: day,
  discussion_locked: bool("Whether only members may comment."),
  issue_type: one("issue"),
};
const owners = "Of others than owners and administrators it is passed over.";

const event = {
  id: id(),
  user: ref("UserBasic"),
  created_at: time,
  resource_type: always("Issue"),
  resource_id: id("The issue's id."),
};

export const schemas = {
  LabelEvent: object({ ...event, label: nullable(ref("LabelOfIssue")), action: one("add", "remove") }),
  MilestoneEvent: object({ ...event, milestone: nullable(ref("Milestone")), action: one("add", "remove"), state: one("opened", "closed") }),
  StateEvent: object({
    ...event,
    source_commit: nullable(text("The first seven letters of the commit that closed the issue.")),
    source_merge_request_id: { type: "null" },
    state: one("closed", "reopened"),
  }),
  IssueBasic: listed,
  Issue: issue,
  TimeStats: timeStats,
  IssueStatistics: object(
    { statistics: object({ counts: object({ all: nullable(count()), closed: nullable(count()), opened: nullable(count()) }) }) },
    { description: "Null if there are more than 10,000 and no counter contains the number." },
  ),
  NewIssueParams: params(["title"], {
    ...written,
    created_at: moment(owners),
    iid: whole({ minimum: 1, maximum: 2_147_483_647, description: `Its number. ${owners}` }),
  }),
  IssueParams: params([], { ...written, state_event: one("close", "reopen"), updated_at: moment(owners) }),
  ReorderParams: params([], {
    move_after_id: id("Without effect."),
    move_before_id: id("Without effect."),
  }),
  MoveParams: params(["to_project_id"], { to_project_id: id("The target project.") }),
  CloneParams: params(["to_project_id"], {
    to_project_id: id("The project of the new issue."),
    with_notes: bool("Whether comments are copied."),
  }),
};

const texts = list(text());
const numbers = list(whole());
const wildcard = one("None", "Any", "Upcoming", "Started");
const excluded = (what) => `Issues without ${what} alone.`;
const filters = {
  scope: {
    ...one("created_by_me", "created-by-me", "assigned_to_me", "assigned-to-me", "all"),
    description: "Default: `created_by_me` without a project or group, else `all`.",
  },
  labels: { ...texts, description: "Titles that an issue must all have, or only `None` or `Any`." },
  milestone: text("The milestone's title, `None` or `Any`."),
  milestone_id: wildcard,
  iids: { ...numbers, description: "Numbers of issues." },
  author_id: whole(),
  author_username: text(),
  assignee_id: text("A user's id, `None` or `Any`."),
  assignee_username: { ...texts, description: "One username." },
  search: text("Words in title and description, in upper or lower case."),
  in: { ...list(one("title", "description")), description: "Where to search." },
  created_after: moment("Inclusive."),
  created_before: moment("Inclusive."),
  updated_after: moment("Inclusive."),
  updated_before: moment("Inclusive."),
  confidential: bool(),
  due_date: one("0", "any", "today", "tomorrow", "overdue", "week", "month", "next_month_and_previous_two_weeks"),
  issue_type: {
    ...one("issue", "incident", "test_case", "requirement", "task", "ticket", "objective", "key_result", "epic"),
    description: "All issues have the type `issue`.",
  },
  closed_by_id: whole(),
  non_archived: { ...bool("Whether to leave out issues of archived projects."), default: true },
  my_reaction_emoji: text("The name of an emoji that the caller has given the issue, `None` or `Any`."),
  ...Object.fromEntries(
    ["weight", "iteration_id", "iteration_title", "epic_id", "health_status"].map((name) => [
      name,
      text("No issue has one: any value but `None` finds nothing."),
    ]),
  ),
  "not[labels]": { ...texts, description: excluded("any of them") },
  "not[milestone]": text(excluded("it")),
  "not[milestone_id]": wildcard,
  "not[iids]": { ...numbers, description: excluded("these numbers") },
  "not[author_id]": whole(excluded("it")),
  "not[author_username]": text(excluded("it")),
  "not[assignee_id]": whole(excluded("it")),
  "not[assignee_username]": { ...texts, description: excluded("it") },
};
const listFilters = {
  state: { ...one("opened", "closed", "all"), default: "all" },
  ...filters,
  with_labels_details: bool("Whether to return labels as objects instead of names."),
  order_by: {
    ...one(
      "created_at",
      "updated_at",
      "due_date",
      "milestone_due",
      "title",
      "priority",
      "label_priority",
      "popularity",
      "relative_position",
    ),
    default: "created_at",
    description: "Only updated_at, due_date, milestone_due and title sort otherwise than by creation.",
  },
  sort: { ...one("asc", "desc"), default: "desc" },
};
const issueList = { query: listFilters, paged: "bounded", gives: { 200: list(ref("IssueBasic")) }, open: visitors };
const counted = {
  query: listFilters,
  description: "Numbers by state, independent of the filter for states.",
  gives: { 200: ref("IssueStatistics") },
  open: visitors,
};

const at = "/projects/{id}/issues/{issue_iid}";
const path = { issue_iid: { description: "The issue's number in the project." } };
const one_ = (more) => ({ path, ...more });
const none = (id, what, open) => one_({ ...empty(`list${id}`, what, open ? { open: visitors } : {}) });

const eventsOf = (kind, Kind, what) => ({
  [`GET ${at}/resource_${kind}_events`]: one_({
    id: `list${Kind}Events`,
    summary: `List the ${what}`,
    paged: "counted",
    gives: { 200: list(ref(`${Kind}Event`)) },
  }),
  [`GET ${at}/resource_${kind}_events/{event_id}`]: {
    path: { ...path, event_id: { description: "The event's id." } },
    id: `show${Kind}Event`,
    summary: `One of the ${what}`,
    gives: { 200: ref(`${Kind}Event`) },
  },
});

export const pathsOfIssues = {
  issues: paths("Issues", {
    "GET /issues": { id: "listIssues", summary: "List the issues that the caller created", ...issueList },
    "GET /groups/{id}/issues": { id: "listGroupIssues", summary: "List the issues of a group's projects", ...issueList },
    "GET /projects/{id}/issues": { id: "listProjectIssues", summary: "List the issues of a project", ...issueList, paged: "keyset" },
    "GET /projects/{id}/milestones/{milestone_id}/issues": {
      id: "listMilestoneIssues",
      summary: "List the issues of a milestone",
      paged: "bounded",
      gives: { 200: list(ref("IssueBasic")) },
      open: visitors,
    },
    "GET /issues_statistics": { id: "countIssues", summary: "Count the issues that the caller created", ...counted },
    "GET /groups/{id}/issues_statistics": { id: "countGroupIssues", summary: "Count the issues of a group's projects", ...counted },
    "GET /projects/{id}/issues_statistics": { id: "countProjectIssues", summary: "Count the issues of a project", ...counted },
    "GET /issues/{id}": { id: "showIssueAnywhere", summary: "An issue by its id (administrators)", gives: { 200: ref("Issue") } },
    "POST /projects/{id}/issues": {
      repeatable: true,
      id: "createIssue",
      summary: "Write an issue",
      description: "Guests cannot assign, plan, label or lock.",
      body: schemas.NewIssueParams,
      gives: { 201: ref("Issue") },
      refuses: [409],
    },
    [`GET ${at}`]: one_({
      leveled: true,
      id: "showIssue",
      summary: "An issue",
      query: { with_labels_details: listFilters.with_labels_details },
      gives: { 200: ref("Issue") },
      open: visitors,
    }),
    [`PUT ${at}`]: one_({
      guarded: true,
      id: "editIssue",
      summary: "Edit, close or reopen an issue",
      description:
        "To lose nothing that others wrote, send the `updated_at` that you read as `If-Unmodified-Since`. After a 412, read the issue again.",
      body: schemas.IssueParams,
      gives: { 200: ref("Issue") },
    }),
    [`DELETE ${at}`]: one_({
      guarded: true,
      id: "deleteIssue",
      summary: "Delete an issue (owners and administrators)",
      gives: { 204: null },
    }),
    [`PUT ${at}/reorder`]: one_({
      guarded: true,
      id: "reorderIssue",
      summary: "The issue as it is: issues have no order of their own",
      description: "One of both parameters is needed.",
      body: schemas.ReorderParams,
      gives: { 200: ref("Issue") },
    }),
    [`POST ${at}/move`]: one_({
      id: "moveIssue",
      summary: "Move an issue to another project",
      description:
        "Creates a new issue there and closes the old one. Keeps labels and the milestone if the other project has some of the same name.",
      body: schemas.MoveParams,
      gives: { 201: ref("Issue") },
    }),
    [`POST ${at}/clone`]: one_({
      id: "cloneIssue",
      summary: "Copy an issue to the same or another project",
      body: schemas.CloneParams,
      gives: { 201: ref("Issue") },
    }),
    [`POST ${at}/subscribe`]: one_({ id: "subscribe", summary: "Subscribe to an issue", gives: { 201: ref("Issue"), 304: null } }),
    [`POST ${at}/unsubscribe`]: one_({ id: "unsubscribe", summary: "Unsubscribe from an issue", gives: { 201: ref("Issue"), 304: null } }),
    [`GET ${at}/participants`]: one_({
      id: "listParticipants",
      summary: "Who takes part in an issue",
      paged: true,
      gives: { 200: list(ref("UserBasic")) },
      open: visitors,
    }),
    [`GET ${at}/closed_by`]: none("ClosingMergeRequests", "merge requests", true),
    [`GET ${at}/related_merge_requests`]: none("RelatedMergeRequests", "merge requests", true),
    ...eventsOf("label", "Label", "labels that were put on an issue and taken off it"),
    ...eventsOf("milestone", "Milestone", "milestones that an issue got and lost"),
    ...eventsOf("state", "State", "closing and reopening of an issue"),
  }),
  mergeRequests: paths("Empty lists", {
    "GET /merge_requests": empty("listMergeRequests", "merge requests"),
    "GET /groups/{id}/merge_requests": empty("listGroupMergeRequests", "merge requests", { open: visitors }),
    "GET /projects/{id}/merge_requests": empty("listProjectMergeRequests", "merge requests", { open: visitors }),
  }),
};
