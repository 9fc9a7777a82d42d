// The Worker has a list of the same shapes (src/worker/pages.mjs) and answers 404 to all other addresses.
// tests/scripts/pages.test.mjs compares the two.

const NAME = "[A-Za-z0-9_.][A-Za-z0-9_.-]*";
const PLACE = `(?!(?:api|assets|groups)(?:/|$))${NAME}`;
const PROJECT = `(?<project>${PLACE}/${NAME})`;

const ROUTES = [
  ["home", ""],
  ["todos", "/todos"],
  ["admin", "/admin"],
  ["audit", "/admin/audit"],
  ["users", "/admin/users"],
  ["profile", "/profile"],
  ["search", "/search"],
  ["signIn", "/users/sign_in"],
  ["newProject", "/projects/new"],
  ["newGroup", "/groups/new"],
  ["namespace", `/groups/(?<group>${NAME})`],
  ["namespace", `/(?<name>${PLACE})`],
  ["project", `/${PROJECT}`],
  ["issues", `/${PROJECT}/(?:-/)?issues`],
  ["new", `/${PROJECT}/(?:-/)?issues/new`],
  ["issue", `/${PROJECT}/(?:-/)?issues/(?<iid>\\d+)`],
  ["activity", `/${PROJECT}/(?:-/)?activity`],
  ["commits", `/${PROJECT}/(?:-/)?commits(?:/(?<branch>.+))?`],
  ["tree", `/${PROJECT}/(?:-/)?tree/(?<place>.+)`],
  ["blob", `/${PROJECT}/(?:-/)?blob/(?<place>[^/]+/.+)`],
  ["commit", `/${PROJECT}/(?:-/)?commit/(?<sha>[^/]+)`],
  ["environments", `/${PROJECT}/(?:-/)?environments(?:/(?<id>\\d+))?`],
  ["labels", `/${PROJECT}/(?:-/)?labels`],
  ["milestones", `/${PROJECT}/(?:-/)?milestones`],
  ["branches", `/${PROJECT}/(?:-/)?branches`],
  ["tags", `/${PROJECT}/(?:-/)?tags(?:/(?<tag>[^/]+))?`],
  ["members", `/${PROJECT}/(?:-/)?project_members`],
  ["settings", `/${PROJECT}/(?:-/)?settings`],
  ["hooks", `/${PROJECT}/(?:-/)?hooks(?:/(?<id>\\d+))?`],
  ["projectTokens", `/${PROJECT}/(?:-/)?settings/access_tokens`],
  ["pipelines", `/${PROJECT}/(?:-/)?pipelines`],
  ["pipeline", `/${PROJECT}/(?:-/)?pipelines/(?<id>\\d+)`],
  ["milestone", `/${PROJECT}/(?:-/)?milestones/(?<iid>\\d+)`],
  ["releases", `/${PROJECT}/(?:-/)?releases`],
  ["release", `/${PROJECT}/(?:-/)?releases/(?<tag>[^/]+)(?:/(?<edit>edit))?`],
  ["compare", `/${PROJECT}/(?:-/)?compare(?:/(?<range>.+))?`],
].map(([page, shape]) => /** @type {const} */ ([page, new RegExp(`^${shape}/?$`)]));

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * For example `{ page: "issue", project: "a/b", iid: "7" }`. Names are decoded.
 * @returns {Record<string, string>}
 */
export function route(path) {
  for (const [page, shape] of ROUTES) {
    const found = shape.exec(path);
    if (!found) continue;
    const names = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
    return { page, ...Object.fromEntries(names.map(([name, value]) => [name, decoded(value)])) };
  }
  return { page: "missing" };
}

const inPath = (ref) => ref.split("/").map(encodeURIComponent).join("/");

export const to = {
  project: (project) => `/${project}`,
  issues: (project, query = {}) => withQuery(`/${project}/-/issues`, query),
  newIssue: (project, query = {}) => withQuery(`/${project}/-/issues/new`, query),
  issue: (project, iid) => `/${project}/-/issues/${iid}`,
  activity: (project) => `/${project}/-/activity`,
  commits: (project, ref) => `/${project}/-/commits${ref ? `/${inPath(ref)}` : ""}`,
  history: (project, ref, path) => withQuery(`/${project}/-/commits/${inPath(ref)}`, { path }),
  tree: (project, ref, path) => `/${project}/-/tree/${inPath(ref)}${path ? `/${inPath(path)}` : ""}`,
  blob: (project, ref, path) => `/${project}/-/blob/${inPath(ref)}/${inPath(path)}`,
  commit: (project, sha) => `/${project}/-/commit/${sha}`,
  environments: (project) => `/${project}/-/environments`,
  environment: (project, id) => `/${project}/-/environments/${id}`,
  labels: (project) => `/${project}/-/labels`,
  milestones: (project) => `/${project}/-/milestones`,
  branches: (project) => `/${project}/-/branches`,
  tags: (project) => `/${project}/-/tags`,
  tag: (project, tag) => `/${project}/-/tags/${encodeURIComponent(tag)}`,
  releases: (project, query = {}) => withQuery(`/${project}/-/releases`, query),
  release: (project, tag) => `/${project}/-/releases/${encodeURIComponent(tag)}`,
  compare: (project, from, until, dots = "...") =>
    from && until
      ? `/${project}/-/compare/${inPath(from)}${dots}${inPath(until)}`
      : withQuery(`/${project}/-/compare`, { from, to: until }),
  members: (project) => `/${project}/-/project_members`,
  settings: (project) => `/${project}/-/settings`,
  hooks: (project) => `/${project}/-/hooks`,
  hook: (project, id) => `/${project}/-/hooks/${id}`,
  projectTokens: (project) => `/${project}/-/settings/access_tokens`,
  search: (query = {}) => withQuery("/search", query),
  pipelines: (project, query = {}) => withQuery(`/${project}/-/pipelines`, query),
  pipeline: (project, id) => `/${project}/-/pipelines/${id}`,
  newProject: (query = {}) => withQuery("/projects/new", query),
  newGroup: () => "/groups/new",
  milestone: (project, iid) => `/${project}/-/milestones/${iid}`,
  person: (username) => `/${username}`,
  namespace: ({ kind, path }) => (kind === "group" ? `/groups/${path}` : `/${path}`),
};

/** Leaves empty parameters out. */
export function withQuery(path, query) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return words.size ? `${path}?${words}` : path;
}

export const isPage = (path) => path !== "/docs" && route(path).page !== "missing";
