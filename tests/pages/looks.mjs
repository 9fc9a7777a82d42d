// What pages weigh, ask, show and how soon, and whether everybody can use them.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every address of a page that the API hands out in the demo world. */
export async function addresses(call) {
  const found = new Set();
  const collect = (value) => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (value && typeof value === "object") {
      for (const [name, inner] of Object.entries(value)) {
        if ((name === "web_url" || (name === "target_url" && value.target)) && typeof inner === "string") found.add(inner);
        else collect(inner);
      }
    }
  };
  const every = async (path) => {
    for (let page = 1; page < 20; page++) {
      const { data } = await call("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
      collect(data);
      if (!Array.isArray(data) || data.length < 100) break;
    }
  };
  const { data: projects } = await call("GET", "/projects?per_page=100");
  for (const path of ["/projects", "/groups", "/users", "/issues?scope=all", "/todos", "/namespaces"]) await every(path);
  for (const { id } of projects) {
    for (const list of [
      "/issues",
      "/milestones",
      "/members/all",
      "/repository/branches",
      "/repository/tags",
      "/repository/commits",
      "/deployments",
      "/environments",
      "/pipelines",
    ])
      await every(`/projects/${id}${list}`);
  }
  return [...found];
}

/** What axe-core finds, as lines. */
export async function accessibility(page) {
  // evaluated by the debugger, which the page's policy does not bind
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(
    ({ id, help, nodes }) =>
      `${page.url()}: ${id}: ${help}: ${nodes
        .map((node) => node.html.slice(0, 160))
        .slice(0, 3)
        .join(" | ")}`,
  );
}

/**
 * Bytes, gzipped as the platform does: of the files that every page begins with, and for each script that is loaded later,
 * of it and what it imports beside those.
 */
export function weights(folder = "build/page") {
  const read = (name) => readFileSync(join(folder, "assets", name), "utf8");
  const weigh = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
  const assets = readdirSync(join(folder, "assets"));
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const named = [...page.matchAll(/\/assets\/([\w.-]+)/g)].map(([, name]) => name);
  const imports = (name, found = new Set()) => {
    if (found.has(name) || named.includes(name)) return found;
    found.add(name);
    for (const [, other] of read(name).matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) imports(other, found);
    return found;
  };
  const first = { "index.html": weigh("index.html") };
  for (const name of named) {
    const kind = name.replace(/-[A-Z0-9]{8}\./, ".");
    first[kind] = (first[kind] ?? 0) + weigh(`assets/${name}`);
  }
  const entries = assets.filter((name) =>
    /^(attaching|browsing|changing|colours|finding|managing|people|reporting|working)-[A-Z0-9]{8}\.js$/.test(name),
  );
  const later = Object.fromEntries(
    entries.map((entry) => [entry.split("-")[0], [...imports(entry)].reduce((sum, name) => sum + weigh(`assets/${name}`), 0)]),
  );
  const missing = named
    .filter((name) => name.startsWith("main-"))
    .flatMap((name) => [...read(name).matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map(([, other]) => other))
    .filter((name) => !named.includes(name));
  return { first, later, missing, all: Object.values(first).reduce((sum, bytes) => sum + bytes) };
}

/** The served files that browsers never ask for again although a new version has the same name. */
export async function staleFiles(server, folder = "build/page") {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(folder, name)).isFile() && name !== "_headers",
  );
  const unhashed = names.filter((name) => !/-[A-Z0-9]{8}\./.test(name));
  const kept = await Promise.all(unhashed.map(async (name) => (await fetch(new URL(name, server))).headers.get("cache-control")));
  return unhashed.filter((_, n) => kept[n]?.includes("immutable"));
}

/**
 * Of the browser's own trace of a cold load, in milliseconds from the start of the navigation: `paint` first contentful
 * paint, `largest`, `interactive` the end of the last task above 50 ms before nothing more was asked, and `blocked` how much
 * longer than 50 ms the tasks between took. `selector`: what is there when the page is shown. `slowed`: how many times slower the
 * processor seems.
 */
export async function trace(browser, as, path, selector, slowed = 1) {
  const page = await browser.page({ as, name: "trace" });
  const session = await page.tab.newCDPSession(page);
  if (slowed > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", {
    traceConfig: {
      includedCategories: ["loading", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "blink.user_timing"],
    },
  });
  await page.goto(new URL(path, browser.server).href);
  await page.locator(selector).first().waitFor({ state: "attached", timeout: 60_000 });
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.mark("shown").startTime)))),
  );
  await browser.settled(page);
  const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await ended;
  await page.tab.close();
  const named = (name) => events.filter((event) => event.name === name);
  const start =
    named("navigationStart")
      .filter((event) => event.args.data?.documentLoaderURL?.startsWith(browser.server))
      .at(-1) ?? named("navigationStart").at(-1);
  const since = (event) => (event ? (event.ts - start.ts) / 1000 : NaN);
  const paint = since(named("firstContentfulPaint").find((event) => event.ts > start.ts));
  const largest = since(
    named("largestContentfulPaint::Candidate")
      .filter((event) => event.ts > start.ts)
      .at(-1),
  );
  const shown = since(named("shown").at(-1));
  const tasks = events.filter(
    (event) =>
      event.name === "RunTask" &&
      event.pid === start.pid &&
      event.tid === start.tid &&
      event.ts >= start.ts &&
      event.dur > 50_000 &&
      since(event) < shown,
  );
  const interactive = Math.max(paint, ...tasks.map((event) => since(event) + event.dur / 1000));
  return { paint, largest, shown, interactive, blocked: tasks.reduce((sum, event) => sum + event.dur / 1000 - 50, 0), tasks: tasks.length };
}

const LISTS =
  "projects project issues commits environments environment group todos milestones milestone user users search labels branches tags members tree activity pipelines pipeline projectTokens hooks";

/** In pixels: the size of a screen, and where the first row of a list and the first line of a diff may begin at most. */
const SCREENS = [
  { width: 1280, height: 800, row: 250, line: 420, diffs: ["commit", "compared"] },
  { width: 390, height: 844, row: 330, line: 420, diffs: ["commit"] },
];

/**
 * Where lists and diffs begin: `{ measured, high }`, the number of both and those that begin too far down. Lists without an entry
 * are left out.
 */
export async function heights(browser, as, shown) {
  const high = [];
  let measured = 0;
  for (const { width, height, row, line, diffs } of SCREENS) {
    const page = await browser.page({ as, width, height, name: "heights" });
    const look = async (name, most, selector = "main .rows > .row") => {
      await browser.open(page, shown[name]);
      const top = await page.evaluate(
        (wanted) => [...document.querySelectorAll(wanted)].map((one) => one.getBoundingClientRect()).find((one) => one.height)?.top,
        selector,
      );
      if (top === undefined) return;
      measured++;
      if (top > most) high.push(`${name} at ${width} x ${height} begins at ${Math.round(top)}, at most ${most}`);
    };
    for (const name of LISTS.split(" ")) await look(name, row);
    await look("releases", row, "main section.card");
    for (const name of diffs) await look(name, line, "main .lines");
    await page.tab.close();
  }
  return { measured, high };
}

/** How much of a page may move by itself while it loads: the sum of Chromium's layout shifts. */
export const MOST_MOVED = 0.05;
/** Milliseconds by which each answer of the API is late, so that parts of a page arrive one after the other. */
const LATE = 150;

/**
 * What moves. `moved`: for each page and width the sum of its layout shifts; `places`: where the tabs of a project are, with
 * the pages that have them there. On a phone the tabs can be scrolled, so each has its place in their row.
 */
export async function stillness(browser, as, shown) {
  const moved = {};
  const places = {};
  for (const width of [1280, 390]) {
    const page = await browser.page({ as, width, height: 844, name: "stillness" });
    page.noted.expected = new Set([404]);
    await page.route("**/api/**", async (route) => {
      await new Promise((done) => setTimeout(done, LATE));
      await route.continue().catch(() => {});
    });
    for (const [name, path] of Object.entries(shown)) {
      await browser.open(page, path);
      const { sum, place } = await page.evaluate(async () => {
        /** @type {any[]} */
        const shifts = await new Promise((done) => {
          new PerformanceObserver((list) => done(list.getEntries())).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done([]), 100);
        });
        /** @type {HTMLElement | null} */
        const row = document.querySelector("nav[aria-label=Project]");
        const { left, top, right } = (row ?? document.body).getBoundingClientRect();
        /** @type {NodeListOf<HTMLElement>} */
        const tabs = document.querySelectorAll("nav[aria-label=Project] a");
        return {
          sum: shifts.filter((shift) => !shift.hadRecentInput).reduce((sum, { value }) => sum + value, 0),
          place: row && `${[left, top, right].map(Math.round)} ${[...tabs].map((tab) => `${tab.innerText} ${tab.offsetLeft}`)}`,
        };
      });
      moved[`${name} at ${width}`] = sum;
      if (place) ((places[width] ??= {})[place] ??= []).push(name);
    }
    await page.tab.close();
  }
  return { moved, places };
}

/** The pages that a customer is shown, by their names. `failed`: a pipeline whose tests failed. */
export const SHOWN = (sha, failed) => ({
  projects: "/",
  project: "/demo-group/edgeforge",
  issues: "/demo-group/edgeforge/-/issues?state=all",
  issue: "/demo-group/edgeforge/-/issues/6",
  commits: "/demo-group/edgeforge/-/commits",
  commit: `/demo-group/edgeforge/-/commit/${sha}`,
  environments: "/demo-group/edgeforge/-/environments",
  group: "/groups/demo-group",
  new: "/demo-group/edgeforge/-/issues/new",
  todos: "/todos",
  milestone: "/demo-group/edgeforge/-/milestones/1",
  environment: "/demo-group/edgeforge/-/environments/1",
  user: "/ann",
  admin: "/admin",
  users: "/admin/users",
  audit: "/admin/audit",
  profile: "/profile",
  signIn: "/users/sign_in?problem=no_account",
  search: "/search?search=link",
  newProject: "/projects/new",
  labels: "/demo-group/edgeforge/-/labels",
  milestones: "/demo-group/edgeforge/-/milestones",
  branches: "/demo-group/edgeforge/-/branches",
  tags: "/demo-group/edgeforge/-/tags",
  members: "/demo-group/edgeforge/-/project_members",
  settings: "/demo-group/edgeforge/-/settings",
  projectTokens: "/demo-group/edgeforge/-/settings/access_tokens",
  hooks: "/demo-group/edgeforge/-/hooks",
  tree: "/demo-group/edgeforge/-/tree/HEAD",
  blob: "/demo-group/edgeforge/-/blob/HEAD/Cargo.toml",
  markdown: "/demo-group/edgeforge/-/blob/HEAD/README.md",
  tag: "/demo-group/edgeforge/-/tags/v0.1.0",
  releases: "/demo-group/edgeforge/-/releases",
  release: "/demo-group/edgeforge/-/releases/v0.2.0",
  newGroup: "/groups/new",
  activity: "/demo-group/edgeforge/-/activity",
  editedRelease: "/demo-group/edgeforge/-/releases/v0.2.0/edit",
  compare: "/demo-group/edgeforge/-/compare",
  compared: "/demo-group/edgeforge/-/compare/v0.3.0-rc.1...v0.3.0",
  pipelines: "/demo-group/edgeforge/-/pipelines",
  pipeline: "/demo-group/edgeforge/-/pipelines/1",
  failed: `/demo-group/edgeforge/-/pipelines/${failed.id}`,
  broken: `/demo-group/edgeforge/-/commit/${failed.sha}`,
  missing: "/a/b/c/d",
});
export const PICTURED =
  "projects project issues issue new commits commit broken compared pipelines failed environments milestones milestone labels branches releases release editedRelease tree blob markdown search todos profile admin audit user activity settings hooks".split(
    " ",
  );
