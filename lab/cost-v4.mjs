// The lists of v4 for lab/cost.mjs, which describes the fields.
import { pathsOfEmpty } from "../openapi/v4/empty.mjs";
import { any, half, long, wide } from "./cost-words.mjs";

/** A value that no record has, and one that nearly all have. */
const search = any("nothing like it", "e");
/** Before and after nearly all records, in the middle of the dates, and outside of them. */
const after = any("2014-05-13T18:00:00Z", "2030-01-01T00:00:00Z");
const before = any("2014-05-13T18:00:00Z", "2030-01-01T00:00:00Z");
const people = any("110", "102");
const members = { free: { query: search, search: any(), user_ids: any("100,101"), skip_users: any("100,101") } };

const issues = {
  labels: any("label-01", "label-01,label-02", "None", "Any"),
  milestone: any("v1.0", "None", "Any"),
  iids: any("500,501"),
  author_id: people,
  author_username: any("sly"),
  assignee_id: any("110", "None", "Any"),
  assignee_username: any("user3"),
  search: any("nothing like it", "wrong"),
  in: any("title"),
  created_after: after,
  created_before: before,
  updated_after: after,
  updated_before: before,
  closed_by_id: any(),
  weight: any("None"),
  iteration_id: any("None"),
  iteration_title: any("None"),
  epic_id: any("None"),
  health_status: any("None"),
  my_reaction_emoji: any(),
  "not[labels]": any("label-01", "label-01,label-02"),
  "not[milestone]": any("v1.0"),
  "not[iids]": any("500,501"),
  "not[author_id]": people,
  "not[author_username]": any("sly"),
  "not[assignee_id]": people,
  "not[assignee_username]": any("user3"),
  // parameters that do not change the query
  issue_type: any("incident"),
  non_archived: any(),
  with_labels_details: any(),
};
const projects = {
  free: {
    search,
    id_after: any("2500", "1000000000"),
    id_before: any("2500"),
    updated_after: any("2030-01-01T00:00:00Z"),
    updated_before: any("2014-05-13T18:00:00Z"),
    // the same as the times of update; the last finds nothing
    last_activity_after: any(),
    last_activity_before: any(),
    topic: any(),
    topic_id: any(),
    marked_for_deletion_on: any(),
    custom_attributes: any(),
    repository_storage: any(),
    with_programming_language: any(),
    starred: any(),
  },
};

const tokens = {
  search,
  created_after: after,
  created_before: before,
  last_used_after: after,
  last_used_before: before,
  expires_after: after,
  expires_before: before,
};
export const lists = {
  listUsers: {
    as: ["eve", "ada"],
    free: {
      username: any("olga"),
      search,
      created_after: after,
      created_before: before,
      extern_uid: any(),
      provider: any(),
      custom_attributes: any(),
      public_email: any(),
      saml_provider_id: any(),
    },
  },
  listAuditEvents: { as: ["ada"], free: { created_after: after, created_before: before, entity_id: any("100") } },
  listSessions: { as: ["ada"] },
  listTokens: {
    free: { user_id: any("100"), ...tokens },
  },
  listProjectTokens: {
    free: tokens,
  },
  listHooks: {},
  listHookEvents: { free: { status: any("successful") } },
  listSystemHooks: {},
  listOwnEvents: { free: { scope: "all", before: "2035-01-01", after: "2020-01-01" } },
  listAddresses: { at: ["/user/emails"] },
  listUserEvents: { at: ["/users/100/events"], free: { before: "2035-01-01", after: "2020-01-01" } },
  listProjectEvents: { as: ["olga", "gus"], free: { before: "2035-01-01", after: "2020-01-01" } },
  listHookTokens: {
    free: tokens,
  },
  listLicenses: {},
  listLicensesOfGitbeaker: {},
  listGroups: {
    as: ["olga", "eve", "ada"],
    free: { search, skip_groups: any("200,300"), marked_for_deletion_on: any(), custom_attributes: any(), repository_storage: any() },
  },
  listNamespaces: { as: ["olga", "ada"], free: { search } },
  listProjects: { as: ["olga", "eve"], ...projects },
  listGroupProjects: { at: ["/groups/300/projects", "/groups/400/projects"], as: ["olga", "eve"], ...projects },
  listUserProjects: { at: ["/users/100/projects"], ...projects },
  listIssues: { as: ["most"], free: issues },
  listGroupIssues: { at: ["/groups/200/issues", "/groups/300/issues"], free: issues },
  listProjectIssues: { as: ["olga", "gus"], free: issues },
  listMilestoneIssues: { as: ["olga", "sly"] },
  listParticipants: {},
  listAward: {},
  listAwardOfNote: {},
  listIssueLinks: {},
  listLabelEvents: {},
  listMilestoneEvents: {},
  listStateEvents: {},
  listNotes: { as: ["olga", "gus"], free: { include_events: any("true"), award_emoji: any("true") } },
  listDiscussions: { as: ["olga", "gus"] },
  listTodos: { as: ["most"], free: { author_id: any("110"), project_id: any("1000"), group_id: any("200") }, far: half(long) },
  listBadges: { free: { name: any() } },
  listLabels: { as: ["olga", "gus"], free: { search } },
  listMilestones: { free: { iids: any("1,2"), title: any("v1.0"), search, updated_after: after, updated_before: before } },
  listGroupMembers: members,
  listAllGroupMembers: members,
  listProjectMembers: { at: ["/projects/1001/members"], ...members },
  listAllProjectMembers: { at: ["/projects/1001/members/all"], ...members },
  listProjectUsers: { at: ["/projects/1001/users"], ...members },
  listCommits: {
    as: ["olga", "most"],
    free: {
      ref_name: any("master", "topic-000150", "topic-000150..master"),
      since: any("2014-05-13T16:53:20Z"),
      until: any("2014-05-13T18:00:00Z", "2035-01-01T00:00:00Z"),
      path: any("src"),
      author: any("olga", "nobody"),
    },
  },
  showDiff: {},
  listGroupReleases: { at: ["/groups/200/releases", "/groups/300/releases"], free: { simple: any() } },
  listReleases: { free: { updated_after: after, updated_before: before } },
  listReleaseLinks: {},
  listUploads: {},
  listGroupPackages: {
    at: ["/groups/200/packages", "/groups/300/packages"],
    free: { package_name: any("nothing like it", "e"), package_version: any("1.0"), package_type: any("npm"), status: any("hidden") },
  },
  listPackages: {
    free: { package_name: any("nothing like it", "e"), package_version: any("1.0"), package_type: any("npm"), status: any("hidden") },
  },
  listPackageFiles: {},
  searchGroup: { free: { search, ref: any() } },
  searchProject: { free: { search, ref: any("master") } },
  search: { free: { search, ref: any() } },
  listContributors: { free: { ref: any("master") } },
  listTree: { elsewhere: true, free: { path: any("src"), ref: any("master"), page_token: any() } },
  listCommitComments: { far: half(long) },
  listCommitDiscussions: { far: half(long) },
  listRefsOfCommit: { at: ["/projects/world%2Fbig/repository/commits/topic-000150/refs"] },
  listBranches: { free: { search: any("nothing like it", "topic", "^topic-0001"), regex: any() } },
  listProtectedBranches: { free: { search: any("nothing like it") } },
  listTags: { free: { search: any("nothing like it", "v", "^v0001") } },
  listStatuses: { free: { ref: any("master"), pipeline_id: any("1"), stage: any("build"), name: any("job 7") }, far: half(wide) },
  listDeployments: {
    free: { environment: any("env 7"), updated_after: after, updated_before: before, finished_after: after, finished_before: before },
  },
  listPipelines: {
    free: {
      ref: any("master"),
      sha: any(),
      username: any(),
      source: any("external"),
      name: any(),
      updated_after: after,
      updated_before: before,
      created_after: after,
      created_before: before,
    },
  },
  listJobsOfPipeline: { at: ["/projects/world%2Fbig/pipelines/1/jobs"] },
  listJobs: {},
  listEnvironments: { free: { name: any("env 7"), search } },
};

/** Lists of records that do not exist here. */
const OTHERS_EMPTY = ["ClosingMergeRequests", "RelatedMergeRequests"];
OTHERS_EMPTY.push(
  "MergeRequests",
  "GroupMergeRequests",
  "ProjectMergeRequests",
  "MilestoneMergeRequests",
  "MergeRequestsOfCommit",
  "MergeRequestsOfDeployment",
  "Bridges",
  "VariablesOfPipeline",
);
for (const name of OTHERS_EMPTY) lists[`list${name}`] = {};
for (const { get } of Object.values(pathsOfEmpty.emptyLists)) {
  if (get?.operationId.startsWith("list")) lists[get.operationId] = {};
}
