// Which addresses are pages. All pages are one file, whose script asks the API for what it shows: whether a project or an
// issue is there is never asked here, so a status tells nothing of what is private.

// names of users, groups and projects (src/names.rs)
const NAME = "[A-Za-z0-9_.][A-Za-z0-9_.-]*";
// of the words that no user or group may be called, those that addresses here begin with
const PLACE = `(?!(?:api|assets|groups)(?:/|$))${NAME}`;
const IN_PROJECT = [
  "issues",
  "issues/new",
  "issues/\\d+",
  "commits",
  "commits/.+",
  "tree/.+",
  "commit/[^/]+",
  "environments",
  "environments/\\d+",
  "milestones/\\d+",
].join("|");
const PAGES = new RegExp(`^/(?:todos|admin|groups/${NAME}|${PLACE}|${PLACE}/${NAME}(?:/(?:-/)?(?:${IN_PROJECT}))?)?/?$`);

// the API, and the probes of src/health.rs
const NO_PAGES = /^\/(?:api(?:\/|$)|-\/(?:health|liveness|readiness)$)/;

/** Whether an address's path is of the shape that a page has. */
export const isPage = (path) => PAGES.test(path);

/** Whether a client takes HTML. One that sends no `Accept` takes all. */
const acceptsHtml = ({ headers }) => /text\/html|application\/xhtml\+xml|\*\/\*|text\/\*|^$/.test(headers.get("accept") ?? "");
const prefersHtml = ({ headers }) => /text\/html/.test(headers.get("accept") ?? "");

const NOTHING = '{"error":"404 Not Found"}\n';
const nothing = () => new Response(NOTHING, { status: 404, headers: { "content-type": "application/json", "x-content-type-options": "nosniff" } });

/** Answers an address outside of the API: a page, or 404. Browsers get the page with the 404. */
export async function page(request, assets) {
  const { origin, pathname } = new URL(request.url);
  if (!acceptsHtml(request) || (!isPage(pathname) && !prefersHtml(request))) return nothing();
  const shell = new URL("/", origin);
  if (isPage(pathname)) return assets.fetch(new Request(shell, request));
  // asked without the request's conditions: a page that says 404 is sent whole
  const { body, headers } = await assets.fetch(new Request(shell, { method: request.method }));
  return new Response(body, { status: 404, headers });
}

/** Whether a request is for a page: everything but the API is, if files are served beside the Worker. */
export const wantsPage = ({ method, url }, { ASSETS }) =>
  ASSETS !== undefined && (method === "GET" || method === "HEAD") && !NO_PAGES.test(new URL(url).pathname);
