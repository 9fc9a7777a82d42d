// Serves the pages. All pages are one file, whose script asks the API. This file never looks up a project or an issue, so the
// status of a page reveals nothing private.
import { preview, wantsPreview } from "./preview.mjs";

// a name of a user, group or project (src/kernel/text/names.rs)
const NAME = "[A-Za-z0-9_.][A-Za-z0-9_.-]*";
// reserved names that other addresses start with
const PLACE = `(?!(?:api|assets|groups)(?:/|$))${NAME}`;
const IN_PROJECT = [
  "issues",
  "issues/new",
  "issues/\\d+",
  "activity",
  "commits",
  "commits/.+",
  "tree/.+",
  "blob/[^/]+/.+",
  "commit/[^/]+",
  "environments",
  "environments/\\d+",
  "labels",
  "milestones",
  "milestones/\\d+",
  "branches",
  "tags",
  "tags/[^/]+",
  "releases",
  "releases/[^/]+",
  "releases/[^/]+/edit",
  "compare",
  "compare/.+",
  "pipelines",
  "pipelines/\\d+",
  "project_members",
  "settings",
  "settings/access_tokens",
  "hooks",
  "hooks/\\d+",
].join("|");
const PAGES = new RegExp(`^/(?:todos|admin|groups/${NAME}|${PLACE}|${PLACE}/${NAME}(?:/(?:-/)?(?:${IN_PROJECT}))?)?/?$`);

// the API, the probes of src/areas/health/mod.rs, and the address behind Cloudflare Access
const NO_PAGES = /^\/(?:api(?:\/|$)|-\/(?:access|health|liveness|readiness)$)/;

// the address of a user or a group, but also /health, which a probe of the server may request
const ONE_NAME = /^\/[^/]+\/?$/;

// a badge, which src/areas/badges/v4.rs reads from the address
const isBadge = (path) => /^(?:\/[^/]+){2,}\/badges\/(?:.+\/(?:pipeline|build|coverage)|release)\.svg$/.test(path);

// a feed, which src/areas/feeds/mod.rs reads from the address
const isFeed = ({ pathname, searchParams }) =>
  /^(?:\/[^/]+){2,}\/-\/issues\.atom$/.test(pathname) ||
  (/^(?:\/[^/]+){2,}\/-\/commits\/./.test(pathname) && searchParams.get("format") === "atom");

// files and archives of repositories, and redirects to assets of releases, which src/areas/addresses.rs reads. Older
// addresses have no `-`
const isFile = (path) =>
  /^(?:(?:\/[^/]+){2,}\/-|\/(?!-\/)[^/]+\/[^/]+)\/(?:raw\/[^/]+\/|archive\/|releases\/(?:permalink\/latest(?:\/|$)|[^/]+\/downloads\/)).*$/.test(
    path,
  );

// uploads, also with the double slash that some programs put in front
const isUpload = (path) => /^\/+(?:-\/+project\/+[^/]+|[^/]+\/+[^/]+(?:\/+-)?)\/+uploads\/+[0-9a-fA-F]{32}\/+[^/]+\/*$/.test(path);

export const isPage = (path) => PAGES.test(path);

/** Whether a client takes HTML, by its `Accept`. */
const takesHtml = (accept) => accept === "" || /text\/html|application\/xhtml\+xml|\*\/\*|text\/\*/.test(accept);

// for files, page/static/_headers has these headers
const SAFE = { "x-content-type-options": "nosniff", "strict-transport-security": "max-age=31536000" };
const NOTHING = '{"error":"404 Not Found"}\n';
const nothing = () => new Response(NOTHING, { status: 404, headers: { "content-type": "application/json", ...SAFE } });

/** The answer to `/` for a client that does not accept HTML by name, such as curl. */
const entrance = (origin) => `edgeforge: issues, commits, builds and deployments of git repositories
Pages:      open ${origin}/ in a browser
API:        ${origin}/api/v4
Reference:  ${origin}/docs
Example:    curl ${origin}/api/v4/projects?per_page=3
`;
const asText = (text) => new Response(text, { headers: { "content-type": "text/plain; charset=utf-8", vary: "Accept", ...SAFE } });

/** The page with the tags, without the headers that describe the bytes of the file. */
async function withTags(answer, tags) {
  const headers = new Headers(answer.headers);
  for (const name of ["etag", "content-length", "last-modified"]) headers.delete(name);
  headers.set("vary", "Sec-Fetch-Mode");
  return new Response(
    (await answer.text()).replace("<title>", () => `${tags}<title>`),
    { headers },
  );
}

/** Answers an address outside of the API: a page, or 404. Browsers get the page with the 404. */
export async function page(request, assets, api) {
  const { origin, pathname } = new URL(request.url);
  const accept = request.headers.get("accept") ?? "";
  // only browsers, which accept HTML by name, get a page for an unknown address or a single name
  const isForBrowsers = !isPage(pathname) || ONE_NAME.test(pathname);
  if (!takesHtml(accept) || (isForBrowsers && !accept.includes("text/html"))) return nothing();
  if (pathname === "/" && !/html/.test(accept)) return asText(entrance(origin));
  const shell = new URL("/", origin);
  if (isPage(pathname)) {
    const tags = wantsPreview(request) ? await preview(request, api) : "";
    return tags ? withTags(await assets.fetch(new Request(shell)), tags) : assets.fetch(new Request(shell, request));
  }
  // without the request's conditional headers, so that a 404 has a body
  const { body, headers } = await assets.fetch(new Request(shell, { method: request.method }));
  return new Response(body, { status: 404, headers });
}

const isOfPages = (address) =>
  !NO_PAGES.test(address.pathname) &&
  !isFeed(address) &&
  !isFile(address.pathname) &&
  !isUpload(address.pathname) &&
  (isPage(address.pathname) || !isBadge(address.pathname));

/** Everything outside of the API is a page, except badges and feeds, if the deployment has ASSETS. */
export const wantsPage = ({ method, url }, { ASSETS }) =>
  ASSETS !== undefined && (method === "GET" || method === "HEAD") && isOfPages(new URL(url));
