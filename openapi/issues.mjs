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
  step,
  text,
  time,
  times,
  whole,
} from "./words.mjs";

const issue = object({
  id: id("Unique across all projects."),
  iid: id("The number in the project."),
  project_id: id(),
  title: text(),
  description: nullable(text()),
  state: one("opened", "closed"),
  created_at: time,
  updated_at: time,
  labels: list(text(), { uniqueItems: true }),
  milestone: nullable(ref("Milestone")),
  assignee: nullable(ref("User")),
  author: ref("User"),
  subscribed: bool("Whether the caller is subscribed."),
  user_notes_count: count(),
  due_date: nullable(date),
  confidential: bool(),
  web_url: text(),
});
const title = text({ minLength: 1, maxLength: 255, pattern: "\\S" });
const labels = text({
  description: "At most 500 names of 255 characters, separated by commas, or a JSON list.",
  maxLength: 128_000,
  example: "bug,ci",
});
const moment = (description) => text({ format: "date-time", description: `${description} ${times}` });
const issueParams = {
  title,
  description: prose(),
  confidential: bool(),
  assignee_id: whole("A user's id, or 0 for nobody."),
  milestone_id: whole("0 for none."),
  labels,
  due_date: date,
};
const color = text({ pattern: "^#(?:[0-9A-Fa-f]{3}){1,2}$", example: "#428BCA" });
const labelName = text({ minLength: 1, maxLength: 255, pattern: "^[^,]*[^,\\s][^,]*$" });
const milestoneParams = { title, description: prose(), due_date: date };

export const schemas = {
  Issue: issue,
  IssueParams: params([], {
    ...issueParams,
    state_event: one("close", "reopen"),
    updated_at: moment("Only from owners and administrators."),
  }),
  NewIssueParams: params(["title"], { ...issueParams, created_at: moment("Only from owners and administrators.") }),
  MoveParams: params(["to_project_id"], { to_project_id: id("The target project.") }),
  Milestone: object({
    id: id(),
    iid: id("The number in the project."),
    project_id: id(),
    title: text(),
    description: nullable(text()),
    state: one("active", "closed"),
    created_at: time,
    updated_at: time,
    due_date: nullable(date),
  }),
  MilestoneParams: params([], { ...milestoneParams, state_event: one("close", "activate") }),
  NewMilestoneParams: params(["title"], milestoneParams),
  Label: object({
    name: text(),
    color: text({ pattern: color.pattern }),
    description: nullable(text()),
    open_issues_count: count(),
    closed_issues_count: count(),
    open_merge_requests_count: always(0),
    subscribed: bool("Whether the caller follows it."),
  }),
  NewLabelParams: params(["name", "color"], { name: labelName, color, description: text({ maxLength: 255 }) }),
  LabelParams: params(["name"], {
    name: text("The current name of the label."),
    new_name: labelName,
    color,
    description: text({ maxLength: 255 }),
  }),
  Note: object({
    id: id(),
    body: text(),
    attachment: { type: "null" },
    author: ref("User"),
    created_at: time,
    updated_at: time,
    system: bool("The server wrote this note about a change of the issue."),
    noteable_id: id("The issue's id."),
    noteable_type: always("Issue"),
    upvote: always(false),
    downvote: always(false),
  }),
  Award: object({
    id: id(),
    name: text({ pattern: "^[a-z0-9_+-]{1,50}$" }),
    user: ref("User"),
    created_at: time,
    updated_at: time,
    awardable_id: id("The id of the issue or the comment."),
    awardable_type: one("Issue", "Note"),
  }),
  AwardParams: params(["name"], {
    name: text({
      minLength: 1,
      maxLength: 255,
      description: "The name of an emoji: letters a to z, digits, `_`, `+` and `-`, at most 50. Colons around it are passed over.",
    }),
  }),
  NoteParams: params(["body"], {
    body: prose({ minLength: 1, pattern: "\\S" }),
    created_at: moment("Only from owners and administrators."),
  }),
  NoteCommands: object(
    {
      commands_changes: { type: "object", description: "What the commands (lines such as `/close`) changed." },
      summary: list(text(), { minItems: 1, maxItems: 1 }),
    },
    { description: "In the place of a comment that had nothing but commands." },
  ),
  Todo: object({
    id: id(),
    project: object({ id: id(), name: text(), name_with_namespace: text(), path: text(), path_with_namespace: text() }),
    author: ref("User"),
    action_name: one("assigned", "mentioned", "build_failed", "marked"),
    target_type: one("Issue", "Commit"),
    target: or(extended(issue, { upvotes: count(), downvotes: count() }), ref("CommitOfTodo")),
    target_url: text(),
    body: text(),
    state: one("pending", "done"),
    created_at: time,
  }),
};

const filters = {
  state: one("opened", "closed", "all"),
  labels: text({
    maxLength: 8192,
    description:
      "At most 50 names of 255 characters, separated by commas: issues with any of them, in a group with all of them. `No Label`: issues without labels.",
  }),
  milestone: text("Title of the milestone. `No Milestone`: issues without one."),
  order_by: { ...one("created_at", "updated_at"), default: "created_at" },
  sort: { ...one("asc", "desc"), default: "desc" },
};
const iid = or(whole(), text({ pattern: "^\\d+(,\\d+)*$" }));
const issueList = { paged: "bounded", gives: { 200: list(ref("Issue")) } };
// a new issue or todo is answered with 200 in the specification and 201 for existing clients (PROFILE=gitlab)
const made = (schema) => ({ 200: schema, 201: schema });
const its = { id: "$response.body#/project_id", issue_id: "$response.body#/id" };
const issueLinks = {
  issue: step("showIssue", its),
  edit: step("editIssue", its),
  move: step("moveIssue", its),
  subscribe: step("subscribe", its),
  unsubscribe: step("unsubscribe", its),
  todo: step("createTodo", its),
  note: step("createNote", its),
  notes: step("listNotes", its),
  remove: step("deleteIssue", its),
};

const issues = paths("Issues", {
  "GET /issues": { id: "listIssues", summary: "List the issues that the caller created", query: filters, ...issueList },
  "GET /groups/{id}/issues": { id: "listGroupIssues", summary: "List the issues of a group's projects", query: filters, ...issueList },
  "GET /projects/{id}/issues": {
    id: "listProjectIssues",
    summary: "List the issues of a project",
    query: { iid: { ...iid, description: "Only issues with these numbers, separated by commas." }, ...filters },
    ...issueList,
  },
  "POST /projects/{id}/issues": {
    repeatable: true,
    id: "createIssue",
    summary: "Write an issue",
    description: "The status is 200 or 201, depending on the server's `PROFILE`. Guests cannot assign, plan or label.",
    body: schemas.NewIssueParams,
    gives: made(ref("Issue")),
    links: issueLinks,
  },
  "GET /projects/{id}/issues/{issue_id}": { id: "showIssue", summary: "An issue", gives: { 200: ref("Issue") } },
  "PUT /projects/{id}/issues/{issue_id}": {
    id: "editIssue",
    summary: "Edit, close or reopen an issue",
    body: schemas.IssueParams,
    gives: { 200: ref("Issue") },
  },
  "DELETE /projects/{id}/issues/{issue_id}": {
    id: "deleteIssue",
    summary: "Delete an issue (owners and administrators)",
    gives: { 200: ref("Issue") },
  },
  "POST /projects/{id}/issues/{issue_id}/move": {
    id: "moveIssue",
    summary: "Move an issue to another project",
    description:
      "Creates a new issue there and closes the old one. Keeps labels and the milestone if the other project has some of the same name.",
    body: schemas.MoveParams,
    gives: { 201: ref("Issue") },
    links: { issue: step("showIssue", its) },
  },
  "POST /projects/{id}/issues/{issue_id}/subscription": {
    id: "subscribe",
    summary: "Subscribe to an issue",
    gives: { 201: ref("Issue"), 304: null },
  },
  "DELETE /projects/{id}/issues/{issue_id}/subscription": {
    id: "unsubscribe",
    summary: "Unsubscribe from an issue",
    gives: { 200: ref("Issue"), 304: null },
  },
});

const noted = { id: "$request.path.id", issue_id: "$request.path.issue_id", note_id: "$response.body#/id" };
const at = "/projects/{id}/issues/{issue_id}/notes";
const awardsOf = (base, Id, what) => ({
  [`GET ${base}`]: { id: `list${Id}`, summary: `List the emoji of ${what}`, paged: "counted", gives: { 200: list(ref("Award")) } },
  [`POST ${base}`]: {
    id: `create${Id}`,
    summary: `Give ${what} an emoji`,
    description: "At most 200 emoji, and 1,000 on an issue with its comments. 404 if the caller has given it already.",
    body: schemas.AwardParams,
    gives: { 201: ref("Award") },
  },
  [`GET ${base}/{award_id}`]: { id: `show${Id}`, summary: `An emoji of ${what}`, gives: { 200: ref("Award") } },
  [`DELETE ${base}/{award_id}`]: {
    id: `delete${Id}`,
    summary: `Take an emoji of ${what} back (its giver and administrators)`,
    gives: { 200: ref("Award") },
  },
});
const awards = paths("Emoji", {
  ...awardsOf("/projects/{id}/issues/{issue_id}/award_emoji", "Award", "an issue"),
  ...awardsOf(`${at}/{note_id}/award_emoji`, "AwardOfNote", "a comment"),
});
const notes = paths("Comments on issues", {
  [`GET ${at}`]: { id: "listNotes", summary: "List the comments on an issue", paged: "counted", gives: { 200: list(ref("Note")) } },
  [`POST ${at}`]: {
    repeatable: true,
    id: "createNote",
    summary: "Comment on an issue",
    body: schemas.NoteParams,
    gives: { 201: ref("Note"), 202: ref("NoteCommands") },
    links: { note: step("showNote", noted), edit: step("editNote", noted), remove: step("deleteNote", noted) },
  },
  [`GET ${at}/{note_id}`]: { id: "showNote", summary: "A comment", gives: { 200: ref("Note") } },
  [`PUT ${at}/{note_id}`]: { id: "editNote", summary: "Edit a comment", body: schemas.NoteParams, gives: { 200: ref("Note") } },
  [`DELETE ${at}/{note_id}`]: { id: "deleteNote", summary: "Delete a comment", gives: { 200: ref("Note") } },
});

const named = { id: "$request.path.id", name: "$response.body#/name" };
const labelPaths = paths("Labels", {
  "GET /projects/{id}/labels": {
    id: "listLabels",
    summary: "List the labels of a project",
    description: "Returns all of them unless the request has a page.",
    paged: "asked",
    gives: { 200: list(ref("Label")) },
  },
  "GET /projects/{id}/labels/{label_id}": {
    id: "showLabel",
    summary: "Read a label",
    description: "By its id or its name.",
    gives: { 200: ref("Label") },
  },
  "POST /projects/{id}/labels/{label_id}/subscription": {
    id: "subscribeToLabel",
    summary: "Follow a label",
    gives: { 201: ref("Label"), 304: null },
  },
  "DELETE /projects/{id}/labels/{label_id}/subscription": {
    id: "unsubscribeFromLabel",
    summary: "No longer follow a label",
    gives: { 200: ref("Label"), 304: null },
  },
  "POST /projects/{id}/labels": {
    id: "createLabel",
    summary: "Create a label",
    body: schemas.NewLabelParams,
    gives: { 201: ref("Label") },
    refuses: [409],
    links: { remove: step("deleteLabel", named) },
  },
  "PUT /projects/{id}/labels": {
    id: "editLabel",
    summary: "Rename or colour a label",
    body: schemas.LabelParams,
    gives: { 200: ref("Label") },
  },
  "DELETE /projects/{id}/labels": {
    id: "deleteLabel",
    summary: "Delete a label",
    query: { name: text({ description: "Name of the label.", needed: true }) },
    gives: { 200: ref("Label") },
  },
});

const planned = { id: "$response.body#/project_id", milestone_id: "$response.body#/id" };
const milestones = paths("Milestones", {
  "GET /projects/{id}/milestones": {
    id: "listMilestones",
    summary: "List the milestones of a project",
    query: {
      state: one("active", "closed", "all"),
      iid: { ...iid, description: "Only milestones with these numbers, separated by commas." },
    },
    paged: "bounded",
    gives: { 200: list(ref("Milestone")) },
  },
  "POST /projects/{id}/milestones": {
    id: "createMilestone",
    summary: "Create a milestone",
    body: schemas.NewMilestoneParams,
    gives: { 201: ref("Milestone") },
    links: {
      milestone: step("showMilestone", planned),
      edit: step("editMilestone", planned),
      issues: step("listMilestoneIssues", planned),
    },
  },
  "GET /projects/{id}/milestones/{milestone_id}": { id: "showMilestone", summary: "A milestone", gives: { 200: ref("Milestone") } },
  "PUT /projects/{id}/milestones/{milestone_id}": {
    id: "editMilestone",
    summary: "Change, close or reopen a milestone",
    body: schemas.MilestoneParams,
    gives: { 200: ref("Milestone") },
  },
  "GET /projects/{id}/milestones/{milestone_id}/issues": {
    id: "listMilestoneIssues",
    summary: "List the issues of a milestone",
    query: filters,
    ...issueList,
  },
});

const todoFilters = {
  action: one("assigned", "mentioned", "build_failed", "marked"),
  author_id: id(),
  project_id: id(),
  state: { ...one("pending", "done"), default: "pending" },
  type: one("Issue", "MergeRequest", "Commit"),
};
const todos = paths("Todos", {
  "GET /todos": {
    id: "listTodos",
    summary: "List the caller's todos",
    query: todoFilters,
    paged: "bounded",
    gives: { 200: list(ref("Todo")) },
  },
  "DELETE /todos": {
    id: "doTodos",
    summary: "Mark all todos done, or those of the filter",
    description: "Returns the number of todos that were marked.",
    query: todoFilters,
    gives: { 200: count() },
  },
  "DELETE /todos/{id}": { id: "doTodo", summary: "Mark a todo done", gives: { 200: ref("Todo") } },
  "POST /projects/{id}/issues/{issue_id}/todo": {
    id: "createTodo",
    summary: "Create a todo for an issue",
    description: "The status is 200 or 201, depending on the server's `PROFILE`. 304: a pending one exists.",
    gives: { ...made(ref("Todo")), 304: null },
    links: { done: step("doTodo", { id: "$response.body#/id" }) },
  },
});

export const pathsOfIssues = { issues, notes, awards, labels: labelPaths, milestones, todos };
