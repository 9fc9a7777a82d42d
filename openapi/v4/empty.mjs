import { list, object, paths, visitors } from "../words.mjs";

const nothing = { 200: list({}, { maxItems: 0 }) };
/** `what`: what the list would contain. `more`: further fields of the operation. */
export const empty = (id, what, more) => ({
  id,
  summary: `An empty list: there are no ${what}`,
  paged: "counted",
  gives: nothing,
  ...more,
});

const OF_PROJECTS = {
  groups: ["InvitedGroups", "groups that a project is shared with"],
  forks: ["Forks", "forks"],
  protected_tags: ["ProtectedTags", "protected tags"],
  variables: ["Variables", "variables"],
  triggers: ["Triggers", "triggers of pipelines"],
  runners: ["Runners", "runners"],
  snippets: ["Snippets", "snippets"],
  boards: ["Boards", "boards"],
  cluster_agents: ["ClusterAgents", "agents of clusters"],
};
const OF_GROUPS = {
  subgroups: ["Subgroups", "groups in groups"],
  descendant_groups: ["DescendantGroups", "groups in groups"],
  "projects/shared": ["SharedProjects", "projects that are shared with a group"],
  labels: ["GroupLabels", "labels of groups"],
  milestones: ["GroupMilestones", "milestones of groups"],
  badges: ["GroupBadges", "badges of groups"],
  hooks: ["GroupHooks", "hooks of groups"],
  variables: ["GroupVariables", "variables of groups"],
  boards: ["GroupBoards", "boards"],
};
const listsAt = (base, lists) =>
  Object.fromEntries(
    Object.entries(lists).map(([path, [id, what]]) => [`GET ${base}/${path}`, empty(`list${id}`, what, { open: visitors })]),
  );
const refused = Object.fromEntries(
  ["subgroups", "labels", "milestones"].map((path) => [
    `POST /groups/{id}/${path}`,
    { id: `create${OF_GROUPS[path][0]}`, summary: `Refused: there are no ${OF_GROUPS[path][1]}`, gives: {} },
  ]),
);

export const pathsOfEmpty = {
  emptyLists: paths("Empty lists", {
    ...listsAt("/groups/{id}", OF_GROUPS),
    ...refused,
    "GET /groups/{id}/epics": { id: "listEpics", summary: "Refused: there are no epics", gives: {} },
    ...listsAt("/projects/{id}", OF_PROJECTS),
    "POST /projects/{id}/protected_tags": {
      id: "protectTag",
      summary: "Refused: the git host decides who makes and moves tags",
      gives: {},
    },
    "GET /user/keys": empty("listOwnKeys", "SSH keys"),
    "GET /users/{id}/keys": empty("listKeys", "SSH keys", { open: visitors }),
    "GET /users/{id}/starred_projects": empty("listStarredProjects", "stars", { open: visitors }),
    "GET /projects/{id}/languages": {
      id: "showLanguages",
      summary: "Always an empty object, because the server does not read files",
      gives: { 200: object({}) },
      open: visitors,
    },
  }),
};
