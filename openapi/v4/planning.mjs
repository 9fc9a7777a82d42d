import {
  always,
  bool,
  count,
  date,
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

const labelOfIssue = object({
  id: id(),
  name: text(),
  description: nullable(text()),
  description_html: text("The description with HTML escaped."),
  text_color: one("#FFFFFF", "#1F1E24"),
  color: text({ pattern: "^#(?:[0-9A-Fa-f]{3}){1,2}$" }),
  archived: always(false),
});
const milestone = object({
  id: id(),
  iid: id("The number in the project."),
  project_id: id(),
  title: text(),
  description: nullable(text()),
  state: one("active", "closed"),
  created_at: time,
  updated_at: time,
  due_date: nullable(date),
  start_date: nullable(date),
  expired: bool("Whether it was due before today, by UTC."),
  web_url: text(),
});

const counted = object(
  {
    ...labelOfIssue.properties,
    subscribed: bool("Whether the caller follows it."),
    priority: nullable(count("0 is the highest. Issues are not ordered by it.")),
    is_project_label: always(true),
    open_issues_count: count(),
    closed_issues_count: count(),
    open_merge_requests_count: always(0),
  },
  { optional: ["open_issues_count", "closed_issues_count", "open_merge_requests_count"] },
);
const labelName = text({ minLength: 1, maxLength: 255, pattern: "^[^,]*[^,\\s][^,]*$" });
const priority = nullable(count("0 is the highest, null is none."));
const color = text({ description: "`#RGB`, `#RRGGBB` or a name of CSS.", example: "#428BCA" });
const title = text({ minLength: 1, maxLength: 255, pattern: "\\S" });
const planned = { title, description: prose(), due_date: date, start_date: date };
const changed = { new_name: labelName, color, description: text({ maxLength: 255 }), priority };
const which = {
  name: text("The label's title, if the path does not contain it."),
  label_id: id("The label's id, if the path does not contain it."),
};
const moment = text({ format: "date-time", description: times });

const line = nullable(whole());
const position = object(
  {
    base_sha: nullable(text("Of the first parent.")),
    start_sha: nullable(text()),
    head_sha: text("Of the commit."),
    old_path: text(),
    new_path: text(),
    position_type: always("text"),
    old_line: line,
    new_line: line,
  },
  { description: "Of a comment on a line of a commit." },
);

const commandsChanges = {
  type: "object",
  description: "What the commands (lines such as `/close`) of a new comment changed, as GitLab names it.",
};
const note = object(
  {
    id: id(),
    type: nullable({ ...always("DiffNote"), description: "On a line of a commit." }),
    body: text(),
    attachment: { type: "null" },
    author: ref("UserBasic"),
    created_at: time,
    updated_at: time,
    system: bool("The server wrote this note about a change of the issue."),
    noteable_id: nullable(id("The issue's id. Null for a commit.")),
    noteable_type: one("Issue", "Commit"),
    noteable_iid: id("The issue's number."),
    project_id: id(),
    resolvable: always(false),
    confidential: always(false),
    internal: always(false),
    imported: always(false),
    imported_from: always("none"),
    commands_changes: commandsChanges,
    award_emoji: list(ref("Award"), { maxItems: 200, description: "Only if the parameter `award_emoji` is true." }),
    position,
  },
  { optional: ["noteable_iid", "award_emoji", "position"] },
);
const noteBody = prose({ minLength: 1, pattern: "\\S" });
const refusedKinds = { internal: bool("`true` is refused."), confidential: bool("`true` is refused.") };

export const schemas = {
  Note: note,
  NoteCommands: object(
    { commands_changes: commandsChanges, summary: list(text(), { minItems: 1, maxItems: 1 }) },
    { description: "In the place of a comment that had nothing but commands." },
  ),
  Discussion: object(
    { id: text({ pattern: "^[0-9a-f]{40}$" }), individual_note: always(true), notes: list(ref("Note"), { minItems: 1, maxItems: 1 }) },
    { description: "Always one comment, because discussions have no replies." },
  ),
  NewNoteParams: params(["body"], {
    body: noteBody,
    created_at: text({ format: "date-time", description: `Only from owners and administrators. ${times}` }),
    ...refusedKinds,
  }),
  NoteParams: params(["body"], { body: noteBody, created_at: text({ format: "date-time", description: "Ignored." }) }),
  Todo: object({
    id: id(),
    project: object({
      id: id(),
      description: nullable(text()),
      name: text(),
      name_with_namespace: text(),
      path: text(),
      path_with_namespace: text(),
      created_at: time,
    }),
    author: ref("UserBasic"),
    action_name: {
      ...one("assigned", "mentioned", "directly_addressed", "build_failed", "marked"),
      description: "`directly_addressed`: the mention begins the text.",
    },
    target_type: one("Issue", "Commit"),
    target: or(ref("IssueBasic"), ref("ListedCommit")),
    target_url: text(),
    body: text(),
    state: one("pending", "done"),
    created_at: time,
    updated_at: time,
  }),
  LabelOfIssue: labelOfIssue,
  Label: counted,
  NewLabelParams: params(["name", "color"], { name: labelName, color, description: text({ maxLength: 255 }), priority }),
  LabelParams: params([], { ...which, ...changed }),
  NamedLabelParams: params([], changed),
  Milestone: milestone,
  NewMilestoneParams: params(["title"], planned),
  MilestoneParams: params([], { ...planned, state_event: one("close", "activate") }),
};

const named = { path: { name: { description: "Its id or its title.", schema: { type: "string", minLength: 1, maxLength: 255 } } } };
const milestoneFilters = {
  iids: list(whole(), { description: "Only milestones with these numbers." }),
  state: { ...one("active", "closed", "all"), default: "all" },
  title: text("The whole title of the milestone."),
  search: text("Part of title or description, in upper or lower case."),
  updated_after: moment,
  updated_before: moment,
};

export const discussionId = { description: "Its id.", schema: { type: "string", pattern: "^[0-9a-f]{40}$", maxLength: 40 } };
const numbered = {
  path: {
    issue_iid: { description: "The issue's number in the project." },
    discussion_id: discussionId,
  },
};
const at = "/projects/{id}/issues/{issue_iid}";
const on = (told) => ({ ...numbered, ...told });
const noteFilters = {
  order_by: { ...one("created_at", "updated_at"), default: "created_at", description: "`updated_at` sorts only the 1,000 newest." },
  sort: { ...one("asc", "desc"), default: "desc" },
  include_events: bool("Also the notes of the server that say what a label, milestone or state event says. GitLab has no such parameter."),
  award_emoji: bool("Each note comes with its emoji. GitLab has no such parameter."),
  activity_filter: {
    ...one("all_notes", "only_comments", "only_activity"),
    default: "all_notes",
    description: "Of others than all the thousand newest.",
  },
};
const todoFilters = {
  action: one(
    "assigned",
    "mentioned",
    "build_failed",
    "marked",
    "approval_required",
    "unmergeable",
    "directly_addressed",
    "merge_train_removed",
    "member_access_requested",
    "review_requested",
    "review_submitted",
  ),
  author_id: whole(),
  project_id: whole(),
  group_id: whole(),
  state: { ...one("pending", "done"), default: "pending" },
  type: {
    ...one(
      "Issue",
      "MergeRequest",
      "Commit",
      "Epic",
      "DesignManagement::Design",
      "AlertManagement::Alert",
      "Project",
      "Namespace",
      "Vulnerability",
      "WikiPage::Meta",
    ),
    description: "All to-do items are of issues.",
  },
};

export const pathsOfPlanning = {
  notes: paths("Comments on issues", {
    [`GET ${at}/notes`]: on({
      id: "listNotes",
      summary: "List the comments on an issue, newest first",
      query: noteFilters,
      paged: "counted",
      gives: { 200: list(ref("Note")) },
      open: visitors,
    }),
    [`POST ${at}/notes`]: on({
      repeatable: true,
      id: "createNote",
      summary: "Comment on an issue",
      body: schemas.NewNoteParams,
      gives: { 201: ref("Note"), 202: ref("NoteCommands") },
    }),
    [`GET ${at}/notes/{note_id}`]: on({ id: "showNote", summary: "A comment", gives: { 200: ref("Note") }, open: visitors }),
    [`PUT ${at}/notes/{note_id}`]: on({
      guarded: true,
      id: "editNote",
      summary: "Edit a comment",
      body: schemas.NoteParams,
      gives: { 200: ref("Note") },
    }),
    [`DELETE ${at}/notes/{note_id}`]: on({ guarded: true, id: "deleteNote", summary: "Delete a comment", gives: { 204: null } }),
    [`GET ${at}/discussions`]: on({
      id: "listDiscussions",
      summary: "List the comments on an issue as discussions, oldest first",
      paged: "counted",
      gives: { 200: list(ref("Discussion")) },
      open: visitors,
    }),
    [`POST ${at}/discussions`]: on({
      repeatable: true,
      id: "createDiscussion",
      summary: "Comment on an issue",
      body: schemas.NewNoteParams,
      gives: { 201: ref("Discussion"), 202: ref("NoteCommands") },
    }),
    [`GET ${at}/discussions/{discussion_id}`]: on({
      id: "showDiscussion",
      summary: "A comment as a discussion",
      gives: { 200: ref("Discussion") },
      open: visitors,
    }),
    [`POST ${at}/discussions/{discussion_id}/notes`]: on({
      repeatable: true,
      id: "answerDiscussion",
      summary: "Add another comment to an issue",
      body: schemas.NewNoteParams,
      gives: { 201: ref("Note"), 202: ref("NoteCommands") },
    }),
    [`GET ${at}/discussions/{discussion_id}/notes/{note_id}`]: on({
      id: "showNoteOfDiscussion",
      summary: "A comment",
      gives: { 200: ref("Note") },
      open: visitors,
    }),
    [`PUT ${at}/discussions/{discussion_id}/notes/{note_id}`]: on({
      guarded: true,
      id: "editNoteOfDiscussion",
      summary: "Edit a comment",
      body: schemas.NoteParams,
      gives: { 200: ref("Note") },
    }),
    [`DELETE ${at}/discussions/{discussion_id}/notes/{note_id}`]: on({
      guarded: true,
      id: "deleteNoteOfDiscussion",
      summary: "Delete a comment",
      gives: { 204: null },
    }),
  }),
  todos: paths("Todos", {
    "GET /todos": {
      id: "listTodos",
      summary: "List the caller's todos, newest first",
      query: todoFilters,
      paged: "bounded",
      gives: { 200: list(ref("Todo")) },
    },
    "POST /todos/mark_as_done": { id: "doTodos", summary: "Mark all todos done", gives: { 204: null } },
    "POST /todos/{id}/mark_as_done": { id: "doTodo", summary: "Mark a todo done", gives: { 201: ref("Todo") } },
    [`POST ${at}/todo`]: on({
      id: "createTodo",
      summary: "Create a todo for an issue",
      description: "304: a pending one exists.",
      gives: { 201: ref("Todo"), 304: null },
    }),
  }),
  labels: paths("Labels", {
    "GET /projects/{id}/labels": {
      id: "listLabels",
      summary: "List the labels of a project",
      query: {
        with_counts: bool("Whether to count the issues of each label."),
        search: text("Part of the title."),
        archived: bool("`true` returns an empty list, because no label is archived."),
      },
      paged: true,
      gives: { 200: list(ref("Label")) },
      open: visitors,
    },
    "POST /projects/{id}/labels": {
      id: "createLabel",
      summary: "Create a label",
      body: schemas.NewLabelParams,
      gives: { 201: ref("Label") },
      refuses: [409],
    },
    "PUT /projects/{id}/labels": {
      matched: true,
      id: "editLabel",
      summary: "Change the label given in the body",
      body: schemas.LabelParams,
      gives: { 200: ref("Label") },
    },
    "DELETE /projects/{id}/labels": {
      id: "deleteLabel",
      summary: "Delete the label given in a parameter",
      query: which,
      gives: { 204: null },
    },
    "GET /projects/{id}/labels/{name}": { ...named, id: "showLabel", summary: "A label", gives: { 200: ref("Label") }, open: visitors },
    "PUT /projects/{id}/labels/{name}": {
      ...named,
      matched: true,
      id: "editNamedLabel",
      summary: "Change a label",
      body: schemas.NamedLabelParams,
      gives: { 200: ref("Label") },
    },
    "DELETE /projects/{id}/labels/{name}": { ...named, id: "deleteNamedLabel", summary: "Delete a label", gives: { 204: null } },
    "POST /projects/{id}/labels/{name}/subscribe": {
      ...named,
      id: "subscribeToLabel",
      summary: "Follow a label",
      gives: { 201: ref("Label"), 304: null },
    },
    "POST /projects/{id}/labels/{name}/unsubscribe": {
      ...named,
      id: "unsubscribeFromLabel",
      summary: "No longer follow a label",
      gives: { 201: ref("Label"), 304: null },
    },
  }),
  milestones: paths("Milestones", {
    "GET /projects/{id}/milestones": {
      id: "listMilestones",
      summary: "List the milestones of a project, newest first",
      query: milestoneFilters,
      paged: "bounded",
      gives: { 200: list(ref("Milestone")) },
      open: visitors,
    },
    "POST /projects/{id}/milestones": {
      id: "createMilestone",
      summary: "Create a milestone",
      body: schemas.NewMilestoneParams,
      gives: { 201: ref("Milestone") },
    },
    "GET /projects/{id}/milestones/{milestone_id}": {
      id: "showMilestone",
      summary: "A milestone",
      gives: { 200: ref("Milestone") },
      open: visitors,
    },
    "PUT /projects/{id}/milestones/{milestone_id}": {
      guarded: true,
      id: "editMilestone",
      summary: "Change, close or reopen a milestone",
      body: schemas.MilestoneParams,
      gives: { 200: ref("Milestone") },
    },
    "DELETE /projects/{id}/milestones/{milestone_id}": {
      guarded: true,
      id: "deleteMilestone",
      summary: "Delete a milestone and remove it from its issues",
      gives: { 204: null },
    },
    "GET /projects/{id}/milestones/{milestone_id}/merge_requests": empty("listMilestoneMergeRequests", "merge requests", {
      open: visitors,
    }),
  }),
};
