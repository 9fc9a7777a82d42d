// The yardstick: the part of the API that `make -C lab bench` measures, in plain JavaScript, with its own tables
// (schema.sql) and statements. Its answers equal ours; lab/bench/same.mjs checks that.
//
// It only has these routes of v3 and the tokens of people. It has no SUDO, idempotency keys or rate limits, no
// `created_at` of new issues, no `since` and `until` of commits, and no index for a search.
import { signIn } from "./access.mjs";
import { showBadge } from "./badge.mjs";
import { listCommits, showDiff } from "./commits.mjs";
import { createIssue } from "./creation.mjs";
import { Refusal, respond } from "./http.mjs";
import { listIssues, showIssue } from "./issues.mjs";
import { listLicenses } from "./licenses.mjs";
import { readParams } from "./params.mjs";
import { account } from "./shapes.mjs";
import { postStatus } from "./statuses.mjs";

async function showUser(call) {
  const row = await signIn(call);
  return { body: account(row, call.linksOf(row)) };
}

const routes = /** @type {[string, string, (call: any, values: any) => any][]} */ ([
  ["GET", "/user", showUser],
  ["GET", "/licenses", listLicenses],
  ["GET", "/projects/:id/issues", listIssues],
  ["POST", "/projects/:id/issues", createIssue],
  ["GET", "/projects/:id/issues/:issue_id", showIssue],
  ["POST", "/projects/:id/statuses/:sha", postStatus],
  ["GET", "/projects/:id/repository/commits", listCommits],
  ["GET", "/projects/:id/repository/commits/:sha/diff", showDiff],
  ["GET", "/projects/:id/badges/:ref/build.svg", showBadge],
]).map(([method, path, act]) => {
  const pattern = path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, route: path, pattern: new RegExp(`^/api/v3${pattern}$`), act };
});

const allowed = (known) => ["OPTIONS", ...known.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method))].join(", ");

/** The route of a request, and the values of its path. */
function find(method, path) {
  const wanted = method === "HEAD" ? "GET" : method;
  const known = routes.filter(({ pattern }) => pattern.test(path));
  if (!known.length) throw new Refusal(404, { error: "404 Not Found" });
  const found = known.find((route) => route.method === wanted);
  if (!found) throw new Refusal(405, { error: "405 Not Allowed" }, { Allow: allowed(known) });
  const values = Object.entries(found.pattern.exec(path).groups ?? {});
  return { ...found, values: Object.fromEntries(values.map(([name, value]) => [name, decoded(value)])) };
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, { error: "invalid percent-encoding" });
  }
}

async function answer(call) {
  const { route, act, values } = find(call.request.method, call.url.pathname);
  call.route = route;
  call.params = await readParams(call.request, call.url, Object.keys(values));
  return act(call, values);
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const base = env.EXTERNAL_URL || url.origin;
    const call = {
      request,
      env,
      url,
      now: Date.now(),
      cost: { trips: 0, read: 0, written: 0, millis: 0 },
      linksOf: ({ avatar_enabled }) => ({ base, avatars: avatar_enabled === 1 }),
    };
    try {
      return await respond(call, await answer(call));
    } catch (error) {
      if (error instanceof Refusal) return respond(call, error.reply);
      return respond(call, { status: 500, body: { message: "500 Internal Server Error" }, cause: String(error?.stack ?? error) });
    }
  },
};
