// The lists of v3 for lab/cost.mjs, which describes the fields.
import { any, half, long, wide } from "./cost-words.mjs";

const labels = any("label-01", "label-01,label-02", "No Label");
const milestone = any("v1.0", "No Milestone");
/** The keys of an issue in the middle of the world with that many: time and id. */
const middle = (issues) => [1_400_000_000_000 + Math.floor(issues / 2) * 60_000, Math.floor(issues / 2)];

/** A value that no record has, and one that nearly all have. */
const search = any("nothing like it", "e");
const projects = { free: { search } };

export const lists = {
  listProjectIssues: {
    as: ["olga", "gus", "sly"],
    free: { labels, milestone, iid: any("500,501") },
    far: middle,
  },
  listMilestoneIssues: {
    as: ["olga", "gus", "sly"],
    free: { labels, milestone: [undefined] },
    far: middle,
  },
  listGroupIssues: {
    at: ["/groups/200/issues", "/groups/300/issues"],
    as: ["olga", "gus", "sly", "eve"],
    free: { labels, milestone },
    far: (issues, path) => (path.includes("300") ? [1_400_000_000_000 + 10_000 * 60_000, 10_010_000] : middle(issues)),
  },
  listIssues: {
    as: ["most", "sly", "user3"],
    free: { labels, milestone },
    far: middle,
  },
  listNotes: { as: ["olga", "gus"] },
  listAward: {},
  listAwardOfNote: {},
  listLabels: { as: ["olga", "gus"] },
  listMilestones: { free: { iid: any("1,2") } },
  listTodos: { as: ["most"], free: { author_id: any("110"), project_id: any("1000") }, far: half(long) },
  listCommits: {
    as: ["olga", "most"],
    free: {
      ref_name: any("master", "topic-000150"),
      since: any("2014-05-13T16:53:20Z"),
      until: any("2014-05-13T18:00:00Z", "2035-01-01T00:00:00Z"),
    },
  },
  listCommitComments: { far: half(long) },
  listBranches: {},
  listTags: {},
  listStatuses: {
    free: { ref_name: any("master"), ref: any(), stage: any("build"), name: any("job 7") },
    far: half(wide),
  },
  listMergeRequests: {},
  listEnvironments: { far: half(wide) },
  listDeployments: { far: half(wide) },
  listProjects: { as: ["olga", "sly"], ...projects },
  listOwnedProjects: { ...projects },
  listVisibleProjects: { as: ["olga", "eve"], ...projects },
  listAllProjects: { as: ["ada"], ...projects },
  listUsers: { as: ["eve"], free: { search, username: any("olga") } },
  listTokens: { at: ["/users/100/personal_access_tokens"] },
  listProjectTokens: {},
  listHookTokens: {},
  listHooks: {},
  listSystemHooks: {},
  listNamespaces: { as: ["olga", "ada"], free: { search } },
  listGroups: { as: ["olga", "eve", "ada"], free: { search } },
  listGroupMembers: { free: { query: search } },
  listProjectMembers: { at: ["/projects/1001/members"], free: { query: search } },
};
