// Compares the yardstick's answers with ours: status, JSON and headers. Beyond the measured requests it sends some that
// both must refuse, hide, filter and store, so that neither omits work.
//
//   node lab/bench/same.mjs --ours URL --yardstick URL --world FILE
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { form, get, inbox, project } from "./requests.mjs";

const issues = `${project}/issues`;
const made = `${inbox}/issues`;
const commits = `${project}/repository/commits`;
const badge = `${project}/badges/master/build.svg`;
const more = (path, headers) => ({ ...get(path), headers });

/**
 * The requests in order: a title, the token's user, and the request, or a function that makes it from the world and the
 * answer before. Both servers start with the same records, so new ones get the same ids.
 */
/** @type {any[][]} */
const checks = [
  ["no token", "", get(issues)],
  ["a wrong token", "wrong", get(issues)],
  ["a revoked token", "revoked", get(issues)],
  ["a blocked user", "blocked", get(issues)],
  ["a bearer token", "", (world) => more(issues, { authorization: `Bearer ${world.tokens.dev}` })],
  ["an outsider", "outsider", get(issues)],
  ["no such project", "dev", get("/api/v3/projects/no%2Fsuch/issues")],
  ["a project by its number", "dev", get("/api/v3/projects/1/issues")],
  ["reading with a token that may read", "reader", get(issues)],
  ["writing with a token that may read", "reader", form(issues, { title: "x" })],
  ["a list for a guest", "guest", get(`${issues}?per_page=100&page=200`)],
  ["a hidden issue for a guest", "guest", (world) => get(`${issues}/${world.hidden}`)],
  ["their own hidden issue", "guest", (world) => get(`${issues}/${world.own}`)],
  ["a hidden issue for a developer", "dev", (world) => get(`${issues}/${world.hidden}`)],
  ["commits for a guest", "guest", get(commits)],
  ["a badge for a guest", "guest", get(badge)],
  ["a badge for an outsider", "outsider", get(badge)],
  ["a badge without a token", "", get(badge)],
  ["a badge of no branch", "dev", get(`${project}/badges/no-branch/build.svg`)],
  ["an issue that is not there", "dev", get(`${issues}/99999999`)],
  ["an issue by a word", "dev", get(`${issues}/word`)],
  ...[
    "page=2",
    "page=0&per_page=7",
    "per_page=1000",
    "page=x&per_page=y",
    "page=5000",
    "state=opened",
    "state=closed",
    "state=odd",
    "labels=area-1",
    "labels=No+Label",
    "labels=none-such",
    "milestone=One",
    "milestone=No+Milestone",
    "milestone=none-such",
    "labels=area-1&milestone=One&state=opened",
    "iid=3",
    "order_by=updated_at",
    "order_by=updated_at&sort=asc&per_page=5",
    "sort=asc",
    "order_by=odd&sort=odd",
    "whatever=1",
    "cursor=!",
  ].map((query) => [`issues, ${query}`, "dev", get(`${issues}?${query}`)]),
  ["the next page by its link", "dev", (_, before) => get(before.next), get(`${issues}?sort=asc&per_page=3`)],
  [
    "an issue with all there is",
    "dev",
    (world) =>
      form(made, {
        title: " A new one for @guest ",
        description: "and @nobody",
        labels: "new, bug,area-1",
        assignee_id: world.ids.dev,
        milestone_id: world.later,
        due_date: "2030-01-31",
        confidential: "false",
      }),
  ],
  ["the same again", "dev", (_, before) => get(`${made}/${before.body.id}`)],
  ["the same for whom it mentions", "guest", (_, before) => get(`${made}/${before.body.id}`)],
  ["issues with its label", "dev", get(`${made}?labels=new`)],
  [
    "a guest's issue",
    "guest",
    (world) => form(made, { title: "Mine", labels: "bug", assignee_id: world.ids.dev, milestone_id: world.later }),
  ],
  ["a confidential issue", "dev", form(made, { title: "A secret for @guest", confidential: "yes" })],
  ["which a guest does not see", "guest", (_, before) => get(`${made}/${before.body.id}`)],
  ["an issue without a title", "dev", form(made, { description: "x" })],
  ["an issue with two faults", "dev", form(made, { title: "x".repeat(256), due_date: "tomorrow" })],
  ["an issue for an outsider", "dev", (world) => form(made, { title: "x", assignee_id: world.ids.outsider, milestone_id: 99 })],
  [
    "an issue by JSON",
    "dev",
    { ...form(made, {}), headers: { "content-type": "application/json" }, body: '{"title":"J","labels":["é","a"]}' },
  ],
  ["malformed JSON", "dev", { ...form(made, {}), headers: { "content-type": "application/json" }, body: "{" }],
  ["the list with these", "dev", get(`${made}?per_page=5`)],
  ["statuses for a guest", "guest", (world) => status(world, { state: "pending" })],
  ["a status that waits", "dev", (world) => status(world, { state: "pending", name: "a", description: "d", coverage: "12.5" })],
  ["that runs", "dev", (world) => status(world, { state: "running", name: "a" })],
  ["that does not wait again", "dev", (world) => status(world, { state: "pending", name: "a" })],
  ["that ends", "dev", (world) => status(world, { state: "failed", name: "a", target_url: "http://ci.example.com" })],
  ["the next one", "dev", (world) => status(world, { state: "skipped", name: "a" })],
  ["one by context and ref", "dev", (world) => status(world, { state: "success", context: "b", ref: "master" })],
  ["one by branch", "dev", form(`${project}/statuses/master`, { state: "success" })],
  ["one by a short hash", "dev", (world) => form(`${project}/statuses/${world.shas[3].slice(0, 10)}`, { state: "success" })],
  ["one without a state", "dev", (world) => status(world, { name: "a" })],
  ["one of an unknown state", "dev", (world) => status(world, { state: "odd" })],
  ["one of no commit", "dev", form(`${project}/statuses/${"0".repeat(40)}`, { state: "success" })],
  ["one with a bad address", "dev", (world) => status(world, { state: "success", target_url: "ftp://x" })],
  ...["page=2&per_page=7", "ref_name=master", "ref_name=none-such", "per_page=100&page=20", "page=101"].map((query) => [
    `commits, ${query}`,
    "dev",
    get(`${commits}?${query}`),
  ]),
  ["a short diff", "dev", (world) => get(`${commits}/${world.shas[1]}/diff`)],
  ["a diff of no commit", "dev", get(`${commits}/${"0".repeat(40)}/diff`)],
  ["a user", "guest", get("/api/v3/user")],
  ["no user", "", get("/api/v3/user")],
  ["popular licenses", "", get("/api/v3/licenses?popular=1")],
  ["the head of a list", "dev", { method: "HEAD", path: issues }],
  ["a path that is badly encoded", "dev", get(`${project}/issues/%ff`)],
  ["a verb that is not there", "dev", { method: "DELETE", path: "/api/v3/licenses" }],
  ["a list that the client has", "dev", (_, before) => more(issues, { "if-none-match": before.headers.etag }), get(issues)],
  ["a badge that the client has", "dev", (_, before) => more(badge, { "if-none-match": before.headers.etag }), get(badge)],
];

function status(world, fields) {
  return form(`${project}/statuses/${world.shas[2]}`, fields);
}

/**
 * Sends one request. Returns the comparable parts of its answer.
 * @param {string} server
 * @param {string | null} token
 * @param {{ path: string, headers?: Record<string, string>, [more: string]: any }} request
 */
export async function ask(server, token, { path, headers, ...rest }) {
  const sent = { ...headers, "accept-encoding": "identity", ...(token && { "private-token": token }) };
  const answer = await fetch(server + path, { ...rest, headers: sent });
  const text = (await answer.text()).replaceAll(server, "");
  const found = Object.fromEntries(answer.headers);
  const isJson = found["content-type"] === "application/json" && text;
  const [, next = ""] = /<([^>]+)>; rel="next"/.exec(found.link ?? "") ?? [];
  return {
    status: answer.status,
    body: isJson ? JSON.parse(text) : text,
    length: text.length,
    headers: found,
    next: next.replace(server, ""),
  };
}

/** Headers that differ by nature: server, time, cursors, weak tags. */
const ignored = ["date", "connection", "keep-alive", "transfer-encoding", "content-length", "server-timing", "x-request-id"];

/** The addresses of a list's pages, with sorted parameters. */
function pages(link, server) {
  return [...link.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, relation]) => {
    const { pathname, searchParams } = new URL(address.replace(server, ""), "http://x");
    searchParams.delete("cursor");
    searchParams.sort();
    return `${relation} ${pathname}?${searchParams}`;
  });
}

const canonical = (value) =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

// the two servers write at different times
const begun = new Date().toISOString();
const withoutNewTimes = (text) => text.replace(/(_at":)"([^"]*)"/g, (found, name, time) => (time >= begun ? `${name}""` : found));

/** `hasTotal`: ours counts a filtered list among 10,000 issues, and omits the total if there are more. */
function comparable({ status, body, headers }, server, hasTotal) {
  const left = hasTotal ? ignored : [...ignored, "x-total", "x-total-pages"];
  const shown = Object.entries(headers).filter(([name]) => !left.includes(name));
  const told = shown.map(([name, value]) => {
    if (name === "link") return [name, pages(value, server).filter((page) => hasTotal || !page.startsWith("last "))];
    return [name, value.startsWith("W/") ? "weak" : value];
  });
  return withoutNewTimes(canonical([status, Object.fromEntries(told), body]));
}

/** The surroundings of the first difference between two texts. */
function difference(a, b) {
  const at = [...a].findIndex((letter, n) => letter !== b[n]);
  return [a, b].map((text) => `  ..${text.slice(Math.max(at - 200, 0), at + 300)}..\n`).join("");
}

/** Sends both servers the same request. `request`: one for each server. Returns the answers, and whether they are the same. */
export async function askBoth(servers, title, token, requests) {
  const answers = {};
  for (const name of ["ours", "yardstick"]) answers[name] = await ask(servers[name], token, requests[name]);
  const [ours, yardstick] = ["ours", "yardstick"].map((name) => comparable(answers[name], servers[name], answers.ours.headers["x-total"]));
  const same = ours === yardstick;
  if (!same) process.stderr.write(`${title}: ours and the yardstick's answer differ\n${difference(ours, yardstick)}`);
  return { answers, same };
}

/** Runs the checks. Returns how many differ. */
async function compare(servers, world) {
  let differing = 0;
  let last = {};
  for (const [title, whose, request, before] of checks) {
    const token = world.tokens[whose] ?? whose;
    if (before) last = (await askBoth(servers, `${title}, before`, token, { ours: before, yardstick: before })).answers;
    const of = (name) => (typeof request === "function" ? request(world, last[name]) : request);
    const { answers, same } = await askBoth(servers, title, token, { ours: of("ours"), yardstick: of("yardstick") });
    if (!same) differing += 1;
    last = answers;
  }
  return differing;
}

if (process.argv[1] === import.meta.filename) {
  const { values: given } = parseArgs({
    options: { ours: { type: "string" }, yardstick: { type: "string" }, world: { type: "string" } },
  });
  const differing = await compare(given, JSON.parse(readFileSync(given.world, "utf8")));
  console.log(`${checks.length} requests compared: ${differing ? `${differing} answers differ` : "all answers the same"}`);
  process.exit(differing ? 1 : 0);
}
