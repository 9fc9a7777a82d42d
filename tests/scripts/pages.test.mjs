// The addresses of pages: the Worker and the pages agree on them, and the Worker needs no database for that.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pages from "../../page/route.mjs";
import { isPage, page, wantsPage } from "../../src/worker/pages.mjs";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const KNOWN = {
  "/": { page: "home" },
  "/todos": { page: "todos" },
  "/admin": { page: "admin" },
  "/admin/users": { page: "users" },
  "/admin/audit": { page: "audit" },
  "/profile": { page: "profile" },
  "/search": { page: "search" },
  "/projects/new": { page: "newProject" },
  "/projects/old": { page: "project", project: "projects/old" },
  "/ann": { page: "namespace", name: "ann" },
  "/ann/": { page: "namespace", name: "ann" },
  "/.a_b-c.d": { page: "namespace", name: ".a_b-c.d" },
  "/groups/new": { page: "newGroup" },
  "/groups/team": { page: "namespace", group: "team" },
  "/team/site": { page: "project", project: "team/site" },
  "/team/groups": { page: "project", project: "team/groups" },
  "/team/site/issues": { page: "issues", project: "team/site" },
  "/team/site/-/issues": { page: "issues", project: "team/site" },
  "/team/site/issues/new": { page: "new", project: "team/site" },
  "/team/site/issues/7": { page: "issue", project: "team/site", iid: "7" },
  "/team/site/-/issues/7": { page: "issue", project: "team/site", iid: "7" },
  "/team/site/-/activity": { page: "activity", project: "team/site" },
  "/team/site/commits": { page: "commits", project: "team/site" },
  "/team/site/-/commits/a/b%20c": { page: "commits", project: "team/site", branch: "a/b c" },
  "/team/site/-/tree/a/b": { page: "tree", project: "team/site", place: "a/b" },
  "/team/site/-/blob/main/src/a%20b.c": { page: "blob", project: "team/site", place: "main/src/a b.c" },
  [`/team/site/-/commit/${SHA}`]: { page: "commit", project: "team/site", sha: SHA },
  "/team/site/-/environments": { page: "environments", project: "team/site" },
  "/team/site/-/environments/3": { page: "environments", project: "team/site", id: "3" },
  "/team/site/-/labels": { page: "labels", project: "team/site" },
  "/team/site/labels": { page: "labels", project: "team/site" },
  "/team/site/-/milestones": { page: "milestones", project: "team/site" },
  "/team/site/-/branches": { page: "branches", project: "team/site" },
  "/team/site/-/tags": { page: "tags", project: "team/site" },
  "/team/site/-/tags/a%2Fb": { page: "tags", project: "team/site", tag: "a/b" },
  "/team/site/-/releases": { page: "releases", project: "team/site" },
  "/team/site/-/releases/v1.0": { page: "release", project: "team/site", tag: "v1.0" },
  "/team/site/-/releases/a%2Fb/edit": { page: "release", project: "team/site", tag: "a/b", edit: "edit" },
  "/team/site/releases/v1.0": { page: "release", project: "team/site", tag: "v1.0" },
  "/team/site/-/compare": { page: "compare", project: "team/site" },
  "/team/site/-/compare/v1...a/b": { page: "compare", project: "team/site", range: "v1...a/b" },
  "/team/site/-/compare/a%20b..c": { page: "compare", project: "team/site", range: "a b..c" },
  "/team/site/-/pipelines": { page: "pipelines", project: "team/site" },
  "/team/site/-/pipelines/12": { page: "pipeline", project: "team/site", id: "12" },
  "/team/site/-/project_members": { page: "members", project: "team/site" },
  "/team/site/-/settings": { page: "settings", project: "team/site" },
  "/team/site/-/settings/access_tokens": { page: "projectTokens", project: "team/site" },
  "/team/site/-/hooks": { page: "hooks", project: "team/site" },
  "/team/site/-/hooks/3": { page: "hooks", project: "team/site", id: "3" },
  "/team/site/-/milestones/2": { page: "milestone", project: "team/site", iid: "2" },
};
const UNKNOWN = [
  "/api",
  "/api/v4/projects",
  "/api/x",
  "/assets",
  "/assets/none.js",
  "/groups",
  "/groups/",
  "/-x",
  "/a/-b",
  "/a//b",
  "/a/b/c",
  "/a/b/-/",
  "/a/b/-/files/x",
  "/a/b/issues/x",
  "/a/b/issues/7/8",
  "/a/b/-/milestones/x",
  "/a/b/-/labels/1",
  "/a/b/-/settings/x",
  "/admin/users/1/2",
  "/a b",
  "/%61nn",
  "/a/b/-/commit/x/y",
  "/a/b/-/releases/x/y",
  "/a/b/-/releases/x/downloads",
  "/a/b/-/tags/x/y",
];

test("an address of a page is one to both, with what it names", () => {
  for (const [path, names] of Object.entries(KNOWN)) {
    assert.ok(isPage(path), path);
    assert.deepEqual(pages.route(path), names, path);
  }
});

test("any other address is a page to neither", () => {
  for (const path of UNKNOWN) {
    assert.ok(!isPage(path), path);
    assert.equal(pages.route(path).page, "missing", path);
  }
});

test("every address that pages link to is one", () => {
  const made = [
    pages.to.project("a/b"),
    pages.to.issues("a/b"),
    pages.to.newIssue("a/b"),
    pages.to.issue("a/b", 1),
    pages.to.pipelines("a/b", { ref: "x" }),
    pages.to.pipeline("a/b", 3),
    pages.to.commits("a/b"),
    pages.to.commits("a/b", "x/y#?% ü"),
    pages.to.commit("a/b", SHA),
    pages.to.tree("a/b", "x/y", "a b/c#"),
    pages.to.blob("a/b", "x", "a?/b"),
    pages.to.history("a/b", "x", "c d"),
    pages.to.environments("a/b"),
    pages.to.environment("a/b", 1),
    pages.to.milestone("a/b", 1),
    pages.to.person("ann"),
    pages.to.labels("a/b"),
    pages.to.milestones("a/b"),
    pages.to.branches("a/b"),
    pages.to.tags("a/b"),
    pages.to.tag("a/b", "x/y"),
    pages.to.releases("a/b", { tag: "x" }),
    pages.to.release("a/b", "x/y"),
    pages.to.compare("a/b"),
    pages.to.compare("a/b", null, "x"),
    pages.to.compare("a/b", "x/y", "z#?% ü", ".."),
    pages.to.members("a/b"),
    pages.to.settings("a/b"),
    pages.to.projectTokens("a/b"),
    pages.to.hooks("a/b"),
    pages.to.hook("a/b", 3),
    pages.to.search({ search: "x y" }),
    pages.to.newProject({ namespace_id: 1 }),
    pages.to.namespace({ kind: "group", path: "g" }),
    pages.to.namespace({ kind: "user", path: "u" }),
  ];
  for (const path of made) assert.ok(isPage(new URL(path, "http://x").pathname), path);
  assert.equal(pages.route(pages.to.commits("a/b", "x/y#?% ü")).branch, "x/y#?% ü");
  assert.equal(pages.route(pages.to.compare("a/b", "x/y", "z#?% ü")).range, "x/y...z#?% ü");
  assert.equal(pages.route(pages.to.release("a/b", "x/y#?% ü")).tag, "x/y#?% ü");
});

test("only who reads outside of the API gets a file, and only where files are", () => {
  const ASSETS = {};
  const asked = (method, path) => wantsPage(new Request(`http://x${path}`, { method }), { ASSETS });
  assert.ok(asked("GET", "/ann") && asked("HEAD", "/nothing/at/all") && asked("GET", "/apis"));
  assert.ok(!asked("POST", "/ann") && !asked("GET", "/api") && !asked("GET", "/api/v4") && !asked("DELETE", "/api/v3/projects/1"));
  assert.ok(!wantsPage(new Request("http://x/ann"), { ASSETS: undefined }));
  for (const probe of ["health", "liveness", "readiness"]) assert.ok(!asked("GET", `/-/${probe}`));
  for (const badge of [
    "a/b/badges/main/pipeline.svg",
    "a/b/-/badges/x/y/build.svg",
    "a/b/c/badges/main/pipeline.svg",
    "a/b/badges/main/coverage.svg",
    "a/b/-/badges/release.svg",
  ])
    assert.ok(!asked("GET", `/${badge}`));
  for (const feed of ["a/b/-/issues.atom", "a/b/-/issues.atom?private_token=x", "a/b/-/commits/x/y?format=atom"])
    assert.ok(!asked("GET", `/${feed}`));
  const upload = `uploads/${"0".repeat(32)}/a%20b.png`;
  for (const at of [`-/project/7/${upload}`, `/-/project/7/${upload}`, `a/b/${upload}`, `a/b/-/${upload}`])
    assert.ok(!asked("GET", `/${at}`));
  for (const page of [`a/${upload}`, `a/b/c/${upload}`, "a/b/uploads/1/a.png", "a/b/uploads"]) assert.ok(asked("GET", `/${page}`));
  for (const file of [
    "a/b/-/releases/v1/downloads/bin/x",
    "a/b/-/releases/permalink/latest",
    "a/b/-/releases/permalink/latest/downloads/x",
    "a/b/-/archive/v1/b-v1.zip",
    "a/b/-/archive/v1.zip",
    "a/b/archive/v1.zip",
    "a/b/-/raw/v1/x",
  ])
    assert.ok(!asked("GET", `/${file}`), file);
  for (const page of [
    "a/b/-/releases/v1",
    "a/b/-/releases/v1/edit",
    "a/b/-/compare/v1...v2",
    "a/b/-/commits/x/y",
    "a/b/-/commits?format=atom",
    "a/b/-/issues?format=atom",
    "a/-/issues.atom",
  ])
    assert.ok(asked("GET", `/${page}`));
  for (const page of ["a/badges/main/pipeline.svg", "a/b/commits/badges/x/pipeline.svg", "a/b/badges/main/other.svg", "pipeline.svg"])
    assert.ok(asked("GET", `/${page}`));
});

test("every page is the same file; one that is none says 404, whatever the browser has kept", async () => {
  const asked = [];
  const assets = {
    fetch: async (request) => {
      asked.push([new URL(request.url).pathname, request.headers.get("if-none-match")]);
      return new Response("the page", { headers: { "Content-Security-Policy": "p" } });
    },
  };
  const open = (path) =>
    page(
      new Request(`http://x${path}`, { headers: { "If-None-Match": "x", Accept: "text/html,*/*;q=0.8", "Sec-Fetch-Mode": "navigate" } }),
      assets,
    );
  const answers = await Promise.all([open("/team/secret"), open("/team/none"), open("/a/b/c/d")]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404],
  );
  assert.deepEqual(asked, [
    ["/", "x"],
    ["/", "x"],
    ["/", null],
  ]);
  for (const answer of answers) {
    assert.equal(await answer.text(), "the page");
    assert.equal(answer.headers.get("Content-Security-Policy"), "p");
  }
});

test("a client that takes no HTML gets 404 outside of the API, and one that takes anything gets pages alone", async () => {
  const assets = { fetch: async () => new Response("the page") };
  const ask = async (path, accept) => {
    const answer = await page(
      new Request(`http://x${path}`, { headers: accept ? { Accept: accept } : {} }),
      assets,
      async () => new Response("{}", { status: 404 }),
    );
    return [answer.status, await answer.text()];
  };
  const none = [404, '{"error":"404 Not Found"}\n'];
  assert.deepEqual(await ask("/team/site", "application/json"), none);
  assert.deepEqual(await ask("/team/site", "image/png"), none);
  assert.deepEqual(await ask("/team/site", "*/*"), [200, "the page"]);
  assert.deepEqual(await ask("/team/site"), [200, "the page"]);
  assert.deepEqual(await ask("/a/b/c/d", "*/*"), none);
  for (const probe of ["/health", "/healthz", "/manifest.json", "/admin"]) assert.deepEqual(await ask(probe, "*/*"), none, probe);
  assert.deepEqual(await ask("/ann", "text/html,*/*;q=0.8"), [200, "the page"]);
  assert.deepEqual(await ask("/-/ready"), none);
  assert.deepEqual(await ask("/a/b/c/d", "text/html"), [404, "the page"]);
});

test("a terminal gets five lines at /, and a browser the page", async () => {
  const assets = { fetch: async () => new Response("the page") };
  const ask = (headers) => page(new Request("http://x/?a=b", { headers }), assets);
  for (const headers of [{}, { Accept: "*/*" }, { Accept: "text/plain, */*" }]) {
    const answer = await ask(headers);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(answer.headers.get("strict-transport-security"), "max-age=31536000");
    const lines = (await answer.text()).trimEnd().split("\n");
    assert.equal(lines.length, 5);
    assert.match(lines[2], /http:\/\/x\/api\/v4$/);
  }
  assert.equal(await (await ask({ Accept: "text/html,*/*;q=0.8" })).text(), "the page");
});

test("a chat gets tags of what everybody may read, and a browser the file", async () => {
  const html = "<head><title>edgeforge</title></head>";
  const assets = { fetch: async () => new Response(html, { headers: { ETag: '"x"', "Content-Security-Policy": "p" } }) };
  const records = {
    "/api/v4/projects/team%2Fsite/issues/7": { iid: 7, title: 'It "breaks" <b>', description: "y".repeat(400) },
    "/api/v4/projects/team%2Fsite": { name: "Site", description: null },
    "/api/v4/projects/team%2Fsite/milestones?iids[]=2": [{ title: "v1", description: "first" }],
    "/api/v4/projects/team%2Fsite/milestones?iids[]=3": [],
    "/api/v4/projects/team%2Fsite/releases/a%2Fb": { name: "First", description: "*notes*" },
    [`/api/v4/projects/team%2Fsite/repository/commits/${SHA}`]: { title: "Mend", short_id: "01234567", message: "Mend\n\nbecause" },
  };
  const asked = [];
  const api = async (request) => {
    asked.push([...request.headers.keys()].join());
    const { pathname, search } = new URL(request.url);
    const record = records[pathname + search];
    return record ? Response.json(record) : new Response("{}", { status: 404 });
  };
  const open = (path, headers = {}) =>
    page(new Request(`http://x${path}`, { headers: { "PRIVATE-TOKEN": "t", "CF-Connecting-IP": "192.0.2.1", ...headers } }), assets, api);
  const answer = await open("/team/site/-/issues/7");
  assert.deepEqual(
    [answer.headers.get("etag"), answer.headers.get("vary"), answer.headers.get("content-security-policy")],
    [null, "Sec-Fetch-Mode", "p"],
  );
  const text = await answer.text();
  assert.match(text, /<meta property="og:title" content="It &#34;breaks&#34; &#60;b&#62; \(#7\) · team\/site">/);
  assert.match(text, new RegExp(`content="${"y".repeat(299)}…"`));
  assert.match(await (await open("/team/site")).text(), /og:title" content="team\/site">\s*<title>/);
  assert.match(await (await open("/team/site/-/milestones/2")).text(), /og:title" content="v1 · team\/site"/);
  assert.match(await (await open(`/team/site/-/commit/${SHA}`)).text(), /og:title" content="Mend \(01234567\) · team\/site"/);
  assert.match(await (await open("/team/site/-/releases/a%2Fb")).text(), /og:title" content="First · team\/site"/);
  assert.deepEqual([...new Set(asked)], ["cf-connecting-ip"], "the caller's token is not passed on");
  const before = asked.length;
  for (const path of ["/team/site/-/issues/8", "/team/secret", "/team/site/-/milestones/3", "/team/site/-/commit/master"])
    assert.equal(await (await open(path)).text(), html, path);
  assert.equal(asked.length - before, 3);
  assert.equal(await (await open("/team/site", { "Sec-Fetch-Mode": "navigate" })).text(), html);
  assert.equal(asked.length - before, 3);
});
