// What somebody may do, by the role in the API's answer. The API decides: this only spares people a button that is refused.
import { LEAST } from "./policy.mjs";

const OWNER = 50;

export const ROLES = { 10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer", [OWNER]: "Owner" };

/** The highest of somebody's roles in a project as the API showed it to them: 0 for none. An answer without roles holds nothing back. */
export function roleIn(project, user) {
  if (!user) return 0;
  if (!project.permissions) return OWNER;
  if (user.is_admin || project.owner?.id === user.id) return OWNER;
  const { project_access, group_access } = project.permissions;
  return Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0);
}

const may = (action, project, user) => roleIn(project, user) >= LEAST[action];

/** Whether the API shows them commits and builds. */
export const seesCommits = (project, user) => project.visibility === "public" || (project.visibility === "internal" && Boolean(user)) || may("ReadCommits", project, user);
/** Whether it shows them environments, which are shown to nobody without a token. */
export const seesDeployments = (project, user) => Boolean(user) && project.jobs_enabled !== false && (project.visibility === "public" || may("ReadDeployments", project, user));

const concerns = (issue, user) => [issue.author, issue.assignee].some((person) => person?.id === user.id);
const READS = "Your token may only read: sign in with one that may write.";

/**
 * Why something is not theirs to do, in words, or null. `user`: with `reads` if their token may only read; `project`: as the
 * API showed it to them, or nothing while that is not known, when nothing is held back.
 */
export const refusal = {
  edit: (issue, project, user) => {
    if (user.reads) return READS;
    return !project || concerns(issue, user) || may("EditAnyIssue", project, user) ? null : "Issues are changed by their author, their assignee, and reporters of the project.";
  },
  move: (project, user) => {
    if (user.reads) return READS;
    return !project || may("MoveIssue", project, user) ? null : "Reporters of the project move issues.";
  },
  /** Labels, milestone and assignee. */
  plan: (project, user) => (!project || may("EditAnyIssue", project, user) ? null : "Labels, milestone and assignee are set by reporters of the project."),
  write: (project, user) => {
    if (user.reads) return READS;
    return project?.issues_enabled === false ? "Issues are switched off in this project." : null;
  },
  comment: (issue, project, user) => {
    if (user.reads) return READS;
    return issue.discussion_locked && project && roleIn(project, user) === 0 ? "The discussion is locked: only members of the project comment." : null;
  },
  changeNote: (note, project, user) => {
    if (user.reads) return READS;
    return note.author.id === user.id || (project && may("EditAnyNote", project, user)) ? null : "A comment is its author's.";
  },
};
