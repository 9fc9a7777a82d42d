// Which page an address is, and what it names. The Worker knows the shapes alone (src/worker/pages.mjs), to tell 200 from 404;
// tests/scripts/pages.test.mjs holds both together.

const NAME = "[A-Za-z0-9_.][A-Za-z0-9_.-]*";
const PLACE = `(?!(?:api|assets|groups)(?:/|$))${NAME}`;
const PROJECT = `(?<project>${PLACE}/${NAME})`;

const ROUTES = [
  ["home", ""],
  ["todos", "/todos"],
  ["admin", "/admin"],
  ["namespace", `/groups/(?<group>${NAME})`],
  ["namespace", `/(?<name>${PLACE})`],
  ["project", `/${PROJECT}`],
  ["issues", `/${PROJECT}/(?:-/)?issues`],
  ["new", `/${PROJECT}/(?:-/)?issues/new`],
  ["issue", `/${PROJECT}/(?:-/)?issues/(?<iid>\\d+)`],
  ["commits", `/${PROJECT}/(?:-/)?commits(?:/(?<branch>.+))?`],
  ["commits", `/${PROJECT}/(?:-/)?tree/(?<branch>.+)`],
  ["commit", `/${PROJECT}/(?:-/)?commit/(?<sha>[^/]+)`],
  ["environments", `/${PROJECT}/(?:-/)?environments(?:/(?<id>\\d+))?`],
  ["milestone", `/${PROJECT}/(?:-/)?milestones/(?<iid>\\d+)`],
].map(([page, shape]) => [page, new RegExp(`^${shape}/?$`)]);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page of a path, with what the path names decoded: `{ page: "issue", project: "a/b", iid: "7" }`. */
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

/** The addresses that pages link to. */
export const to = {
  project: (project) => `/${project}`,
  issues: (project, query = {}) => withQuery(`/${project}/-/issues`, query),
  newIssue: (project) => `/${project}/-/issues/new`,
  issue: (project, iid) => `/${project}/-/issues/${iid}`,
  commits: (project, ref) => `/${project}/-/commits${ref ? `/${inPath(ref)}` : ""}`,
  commit: (project, sha) => `/${project}/-/commit/${sha}`,
  environments: (project) => `/${project}/-/environments`,
  environment: (project, id) => `/${project}/-/environments/${id}`,
  milestone: (project, iid) => `/${project}/-/milestones/${iid}`,
  person: (username) => `/${username}`,
  namespace: ({ kind, path }) => (kind === "group" ? `/groups/${path}` : `/${path}`),
};

/** An address with those of the words that say something. */
export function withQuery(path, query) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return words.size ? `${path}?${words}` : path;
}

export const isPage = (path) => path !== "/docs" && route(path).page !== "missing";
