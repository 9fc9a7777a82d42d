// What belongs to issues of v4: labels, milestones, comments, to-do items.
import { always, bool, count, date, extended, id, list, nullable, object, one, or, params, paths, prose, ref, text, time, times, visitors, whole } from "../words.mjs";
import { empty } from "./empty.mjs";

const labelOfIssue = object({
  id: id(),
  name: text(),
  description: nullable(text()),
  description_html: text("The description, escaped."),
  text_color: one("#FFFFFF", "#1F1E24"),
  color: text({ pattern: "^#(?:[0-9A-F]{3}){1,2}$" }),
  archived: always(false),
  subscribed: always(false),
  priority: { type: "null" },
  is_project_label: always(true),
});
const milestone = object({
  id: id(),
  iid: id("Its number in the project."),
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

const counted = object({ ...labelOfIssue.properties, open_issues_count: count(), closed_issues_count: count(), open_merge_requests_count: always(0) }, { optional: ["open_issues_count", "closed_issues_count", "open_merge_requests_count"] });
const labelName = text({ minLength: 1, maxLength: 255, pattern: "^[^,]*[^,\\s][^,]*$" });
const color = text({ description: "`#RGB`, `#RRGGBB` or a name of CSS.", example: "#428BCA" });
const title = text({ minLength: 1, maxLength: 255, pattern: "\\S" });
const planned = { title, description: prose(), due_date: date, start_date: date };
const changed = { new_name: labelName, color, description: text({ maxLength: 255 }) };
const which = { name: text("Its title, where the path does not name it."), label_id: id("Its id, where the path does not name it.") };
const moment = text({ format: "date-time", description: times });

export const schemas = {
  LabelOfIssue: labelOfIssue,
  Label: counted,
  NewLabelParams: params(["name", "color"], { name: labelName, color, description: text({ maxLength: 255 }) }),
  LabelParams: params([], { ...which, ...changed }),
  NamedLabelParams: params([], changed),
  Milestone: milestone,
  NewMilestoneParams: params(["title"], planned),
  MilestoneParams: params([], { ...planned, state_event: one("close", "activate") }),
};

const named = { path: { name: { description: "Its id or its title.", schema: { type: "string", minLength: 1, maxLength: 255 } } } };
const milestoneFilters = {
  iids: list(whole(), { description: "Only those of these numbers." }),
  state: { ...one("active", "closed", "all"), default: "all" },
  title: text("Its whole title."),
  search: text("Part of title or description, in any case of letters."),
  updated_after: moment,
  updated_before: moment,
};

export const pathsOfPlanning = {
  labels: paths("Labels", {
    "GET /projects/{id}/labels": { id: "listLabels", summary: "List the labels of a project", query: { with_counts: bool("Whether to tell how many issues bear each."), search: text("Part of the title."), archived: bool("`true`: none, for no label is archived.") }, paged: true, gives: { 200: list(ref("Label")) } },
    "POST /projects/{id}/labels": { id: "createLabel", summary: "Make a label", body: schemas.NewLabelParams, gives: { 201: ref("Label") }, refuses: [409] },
    "PUT /projects/{id}/labels": { id: "editLabel", summary: "Change a label that the body names", body: schemas.LabelParams, gives: { 200: ref("Label") } },
    "DELETE /projects/{id}/labels": { id: "deleteLabel", summary: "Delete a label that a parameter names", query: which, gives: { 204: null } },
    "GET /projects/{id}/labels/{name}": { ...named, id: "showLabel", summary: "A label", gives: { 200: ref("Label") } },
    "PUT /projects/{id}/labels/{name}": { ...named, id: "editNamedLabel", summary: "Change a label", body: schemas.NamedLabelParams, gives: { 200: ref("Label") } },
    "DELETE /projects/{id}/labels/{name}": { ...named, id: "deleteNamedLabel", summary: "Delete a label", gives: { 204: null } },
  }),
  milestones: paths("Milestones", {
    "GET /projects/{id}/milestones": { id: "listMilestones", summary: "List the milestones of a project, newest first", query: milestoneFilters, paged: "bounded", gives: { 200: list(ref("Milestone")) } },
    "POST /projects/{id}/milestones": { id: "createMilestone", summary: "Make a milestone", body: schemas.NewMilestoneParams, gives: { 201: ref("Milestone") } },
    "GET /projects/{id}/milestones/{milestone_id}": { id: "showMilestone", summary: "A milestone", gives: { 200: ref("Milestone") } },
    "PUT /projects/{id}/milestones/{milestone_id}": { id: "editMilestone", summary: "Change, close or reopen a milestone", body: schemas.MilestoneParams, gives: { 200: ref("Milestone") } },
    "DELETE /projects/{id}/milestones/{milestone_id}": { id: "deleteMilestone", summary: "Delete a milestone, which its issues lose", gives: { 204: null } },
    "GET /projects/{id}/milestones/{milestone_id}/merge_requests": empty("listMilestoneMergeRequests", "merge requests"),
  }),
};
