// Opens an issue with each text of tests/pages/corpus.mjs in Chromium, in several lengths, and prints the longest task of
// the main thread. Exits with 1 if one takes longer than MOST milliseconds. ADMIN_TOKEN is root's.
//
//   node lab/markdown.mjs ADDRESS BROWSER
import { setTimeout as pause } from "node:timers/promises";
import { Browser, caller, person } from "../tests/pages/browser.mjs";
import { CORPUS } from "../tests/pages/corpus.mjs";

const [server, program] = process.argv.slice(2);
const MOST = 200;
// 20,000 is the longest text that is formatted at once; an issue takes 900,000 bytes
const LENGTHS = [10_000, 20_000, 100_000, 900_000];
const GIVE_UP = 15_000;
const CATEGORIES = ["blink.user_timing", "toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];
const only = process.env.ONLY?.split(",");

/** The longest task of the page's main thread, in milliseconds of processor time, from the start until the text is painted. */
async function longestTask(page, path) {
  const session = await page.tab.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES } });
  await page.goto(server + path);
  await page.locator(".issue .markdown").waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
  const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await ended;
  const start = events.findLast(({ name, args }) => name === "navigationStart" && args.data?.documentLoaderURL?.startsWith(server));
  const tasks = events.filter(
    ({ name, pid, tid, ts, tdur }) => name === "RunTask" && tdur && pid === start.pid && tid === start.tid && ts >= start.ts,
  );
  if (!tasks.length) throw new Error("the trace has no task with its processor time");
  return Math.max(...tasks.map(({ tdur }) => tdur / 1000));
}

const call = caller(server, process.env.ADMIN_TOKEN);
const root = await person(server, process.env.ADMIN_TOKEN);
const { data: project } = await call("POST", "/projects", { name: "texts", path: "texts", visibility: "public" });
const { data: issue } = await call("POST", `/projects/${project.id}/issues`, { title: "A text" });
const path = new URL(issue.web_url).pathname;

/** Milliseconds for each length; Infinity if the page did not come to rest. A browser that hangs is closed. */
async function measure(make) {
  const took = [];
  const browser = await Browser.start(server, program);
  for (const length of LENGTHS) {
    const page = await browser.page({ as: root, name: "markdown" });
    await page.route(/\/issues\/\d+(\?|$)/, async (route) => {
      if (route.request().resourceType() === "document") return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), description: make(length) } });
    });
    const task = longestTask(page, path);
    // it fails when the browser is closed
    task.catch(() => {});
    const one = await Promise.race([task, pause(GIVE_UP, Infinity)]);
    took.push(one);
    // a longer text would take longer
    if (one === Infinity) break;
    await page.tab.close();
  }
  await browser.stop();
  return took;
}

const rows = [];
for (const [name, make] of Object.entries(CORPUS)) {
  if (only && !only.includes(name)) continue;
  const took = await measure(make);
  rows.push({ name, took, worst: Math.max(...took) });
}
const figure = (ms) => (ms === Infinity ? `>${GIVE_UP}` : String(Math.round(ms))).padStart(8);
console.log(
  `the longest task of the main thread in ms of processor time, by characters of the text\n${LENGTHS.map((length) => String(length).padStart(8)).join("")}  pattern`,
);
for (const { name, took } of rows.sort((a, b) => (a.worst < b.worst ? 1 : -1))) console.log(`${took.map(figure).join("")}  ${name}`);
const slow = rows.filter(({ worst }) => worst > MOST);
console.log(`${rows.length} patterns, ${slow.length} of them above ${MOST} ms`);
process.exitCode = slow.length || !rows.length ? 1 : 0;
