// The API decides what a user may do. These functions only leave out what the API would refuse.
import { CHANGES_ARCHIVED, LEAST } from "./policy.mjs";

const OWNER = 50;

export const ROLES = { 10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer", [OWNER]: "Owner" };

/**
 * The user's highest role in the project, 0 for none. Without roles in the API's answer it is OWNER, so that no button is
 * disabled. `project`: the API's answer, or only `{ level }`, of an answer's header.
 */
export function roleIn(project, user) {
  if (!user) return 0;
  if (project.level !== undefined) return Math.min(project.level, OWNER);
  if (!project.permissions) return OWNER;
  if (user.is_admin || project.owner?.id === user.id) return OWNER;
  const { project_access, group_access } = project.permissions;
  return Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0);
}

const may = (action, project, user) => roleIn(project, user) >= LEAST[action];

const isOpen = (project, user) => project.visibility === "public" || (project.visibility === "internal" && Boolean(user));
export const seesCommits = (project, user) => isOpen(project, user) || may("ReadCommits", project, user);
export const seesDeployments = (project, user) =>
  project.jobs_enabled !== false && (isOpen(project, user) || may("ReadEnvironments", project, user));

const reads = (action, project, user) => isOpen(project, user) || may(action, project, user);

const concerns = (issue, user) => [issue.author, issue.assignee].some((person) => person?.id === user.id);
const READS = "Your token can only read. To write, sign in with a token of the scope api.";
export const ARCHIVED = "This project is archived and only read.";

/** Why nothing at all may be written, or null. */
const readOnly = (project, user) => (user?.reads ? READS : project?.archived ? ARCHIVED : null);

/**
 * Why the user may not do something, as a sentence, or null. `user.reads`: the token can only read. `project`: the API's
 * answer for this user; while it is missing, most actions are allowed.
 */
export const refusal = {
  edit: (issue, project, user) => {
    if (readOnly(project, user)) return readOnly(project, user);
    return !project || concerns(issue, user) || may("EditAnyIssue", project, user)
      ? null
      : "Only its author, its assignee and reporters of the project can change this issue.";
  },
  move: (project, user) => {
    if (readOnly(project, user)) return readOnly(project, user);
    return !project || may("MoveIssue", project, user) ? null : "Only reporters of the project can move issues.";
  },
  plan: (project, user) => {
    if (project?.archived) return ARCHIVED;
    return !project || may("EditAnyIssue", project, user) ? null : "Only reporters of the project can set labels, milestone and assignee.";
  },
  write: (project, user) => {
    if (readOnly(project, user)) return readOnly(project, user);
    return project?.issues_enabled === false ? "Issues are disabled in this project." : null;
  },
  comment: (issue, project, user) => {
    if (readOnly(project, user)) return readOnly(project, user);
    return issue.discussion_locked && project && roleIn(project, user) === 0
      ? "The discussion is locked; only members of the project can comment."
      : null;
  },
  /** Everyone who sees a project may attach files, with a token that can write. */
  attach: (user) => (user.reads ? READS : null),
  changeNote: (note, project, user) => {
    if (readOnly(project, user)) return readOnly(project, user);
    return note.author.id === user.id || (project && may("EditAnyNote", project, user))
      ? null
      : "Only its author and maintainers of the project can change this comment.";
  },
};

const PEOPLE = { 10: "guests", 20: "reporters", 30: "developers", 40: "maintainers", [OWNER]: "owners" };

/** Why the user, null for a visitor, may not do an action of `policy.mjs` in the project, or null. `what`: the action in words. */
export function withheld(action, project, user, what = "make changes here") {
  if (user?.reads) return READS;
  if (project?.archived && !CHANGES_ARCHIVED.includes(action)) return ARCHIVED;
  return may(action, project, user) ? null : `Only ${PEOPLE[LEAST[action]]} of the project can ${what}.`;
}

/**
 * Whether the API would not refuse the page of a tab. `project`: the API's answer, or null while it is unknown; `user`:
 * null for a visitor; `level`: the role of the user, where an answer had it. While nothing is known, all tabs are shown
 * except the settings, which few may open.
 */
export function opens(key, project, user, level) {
  if (key === "settings") {
    return Boolean(project ?? level) && !user?.reads && may("EditProject", project ?? { level }, user);
  }
  if (!project) return true;
  if (key === "members") return reads("ReadMembers", project, user);
  if (key === "releases") return reads("ReadReleases", project, user);
  if (["files", "commits"].includes(key)) return seesCommits(project, user);
  if (key === "environments") return seesDeployments(project, user);
  if (key === "issues") return project.issues_enabled !== false;
  return key !== "pipelines" || project.jobs_enabled !== false;
}
