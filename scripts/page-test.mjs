// Tests the pages of a served edgeforge with the demo world in Chromium, and prints the findings.
//
//   ADMIN_TOKEN=.. node scripts/page-test.mjs --server URL --state DIR --browser FILE --pictures DIR --hook FILE
//                                             [--only pages,flows,...]
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Browser, caller, person } from "../tests/pages/browser.mjs";
import { readDocumentation } from "../tests/pages/docs.mjs";
import { DONE_BY, FLOWS } from "../tests/pages/flows.mjs";
import { FILES, HOOKS } from "../tests/pages/flows-files.mjs";
import { FINDING, FOUND_BY } from "../tests/pages/flows-finding.mjs";
import { WORKED_BY, WORKING } from "../tests/pages/flows-issue.mjs";
import { HANDED_BY, HANDS } from "../tests/pages/flows-hands.mjs";
import { KEEPING, KEPT_BY } from "../tests/pages/flows-keeping.mjs";
import { LIVE } from "../tests/pages/flows-live.mjs";
import { MANAGED_BY, MANAGING } from "../tests/pages/flows-managing.mjs";
import { READING } from "../tests/pages/flows-reading.mjs";
import { RELEASED_BY, RELEASES } from "../tests/pages/flows-releases.mjs";
import { REPORTED_BY, REPORTS } from "../tests/pages/flows-reports.mjs";
import { SEARCHED_BY, SEARCHING } from "../tests/pages/flows-search.mjs";
import { SESSIONS, SIGNED_IN_BY } from "../tests/pages/flows-sessions.mjs";
import { UPLOADED_BY, UPLOADS } from "../tests/pages/flows-uploads.mjs";
import { VISITED_BY, VISITS } from "../tests/pages/flows-visits.mjs";
import { race } from "../tests/pages/race.mjs";
import {
  accessibility,
  addresses,
  heights,
  MOST_MOVED,
  PICTURED,
  SHOWN,
  staleFiles,
  stillness,
  trace,
  weights,
} from "../tests/pages/looks.mjs";
import { attack, fill, PAYLOADS } from "../tests/pages/xss.mjs";

const option = /** @type {const} */ ({ type: "string" });
/** @type {any} */
const { values: given } = parseArgs({
  options: { server: option, state: option, browser: option, pictures: option, hook: option, only: { ...option, default: "" } },
});
const wanted = (part) => (given.only ? given.only.split(",").includes(part) : part !== "readme");
/** A commit of this repository with a short diff. */
const SHOWN_IN_README = "c863242ed5c3";
const MOST = 90_000;
const MOST_LATER = 20_000;
let failed = 0;
const problems = (what, list) => {
  failed += list.length;
  for (const text of list.slice(0, 20)) console.log(`BROKEN  ${what}: ${text}`);
};
const check = (holds, text) => {
  if (!holds) failed++;
  console.log(`${holds ? "  ok  " : "BROKEN"}  ${text}`);
};

const root = process.env.ADMIN_TOKEN;
const tokens = { root, ...JSON.parse(readFileSync(join(given.state, "demo.json"), "utf8")) };
const people = Object.fromEntries(
  await Promise.all(Object.entries(tokens).map(async ([name, token]) => [name, await person(given.server, token)])),
);
const call = caller(given.server, root);
const { data: deployments } = await call("GET", "/projects/demo-group%2Fedgeforge/deployments?environment=production");
const { sha } = deployments[0];
const { data: broken } = await call("GET", "/projects/demo-group%2Fedgeforge/pipelines?status=failed&ref=main");
const shown = SHOWN(sha, broken.at(-1));
mkdirSync(given.pictures, { recursive: true });
const browser = await Browser.start(given.server, given.browser);
let foreign = 0;
let errors = 0;
async function close(page) {
  foreign += page.noted.foreign;
  errors += page.noted.problems.length;
  problems("console", page.noted.problems);
  await page.tab.close();
}

const parts = {
  async weight() {
    const { all, first, later, missing } = weights();
    const words = (parts) =>
      Object.entries(parts)
        .map(([name, bytes]) => `${name} ${bytes}`)
        .join(", ");
    check(
      all <= MOST && !missing.length,
      `a page weighs ${all} bytes gzipped (${words(first)}) before the code of a single page is loaded, at most ${MOST}; then ${words(later)} more`,
    );
    check(
      Object.keys(later).length === 9 && Object.values(later).every((bytes) => bytes <= MOST_LATER),
      `no script that is loaded later has more than ${MOST_LATER} bytes`,
    );
    const stale = await staleFiles(given.server);
    check(!stale.length, `files without a hash in their names that browsers keep for a year: ${stale.join(", ") || "none"}`);
  },

  async pages() {
    const found = await addresses(caller(given.server, tokens.ann));
    const page = await browser.page({ as: people.ann, name: "pages" });
    let lost = 0;
    for (const address of found) {
      const { status } = await browser.open(page, address);
      const missing = await page.locator(".missing, .problem").count();
      if (status === 200 && !missing) continue;
      problems("a page", [`${address} is ${status}${missing ? ", not found" : ""}`]);
      lost++;
    }
    check(!lost && found.length > 50, `${found.length} addresses that the API hands out were opened, ${lost} of them not there`);
    await close(page);
  },

  async requests() {
    for (const [who, as] of [
      ["signed in", people.root],
      ["without a token", undefined],
    ]) {
      const page = await browser.page({ as, name: "requests" });
      page.noted.expected = new Set([404]);
      const counts = {};
      const touched = {};
      for (const [name, path] of Object.entries(shown)) {
        counts[name] = (await browser.open(page, path)).asked.length;
        touched[name] = (await browser.touch(page)).length;
      }
      const figures = Object.entries(counts).map(
        ([name, count]) => `${name} ${count}${touched[name] ? ` (${touched[name]} more once the mouse moves)` : ""}`,
      );
      console.log(`        requests to the API, ${who}: ${figures.join(", ")}`);
      check(counts.issue <= 2, `the first view of an issue takes ${counts.issue} requests ${who}`);
      await close(page);
    }
  },

  async axe() {
    let looked = 0;
    const found = [];
    for (const dark of [false, true]) {
      for (const [as, width] of [
        [people.root, 1280],
        [people.root, 360],
        [undefined, 1280],
      ]) {
        const page = await browser.page({ as, width, dark, name: "axe" });
        page.noted.expected = new Set([404]);
        for (const path of Object.values(shown)) {
          await browser.open(page, path);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) problems("too wide", [`${path} by ${wide} at ${width}`]);
          found.push(...(await accessibility(page)));
          looked++;
        }
        await close(page);
      }
    }
    problems("axe", found);
    check(
      !found.length,
      `axe-core looked at ${looked} pages (light and dark, 1280 and 360 wide, with and without a token): ${found.length} findings`,
    );
  },

  async heights() {
    const { measured, high } = await heights(browser, people.root, shown);
    problems("too far down", high);
    check(measured > 30 && !high.length, `${measured} lists and diffs begin high enough, but for ${high.length}`);
  },

  async stillness() {
    const { moved, places } = await stillness(browser, people.root, shown);
    const restless = Object.entries(moved).filter(([, sum]) => sum > MOST_MOVED);
    problems(
      "moves while it loads",
      restless.map(([name, sum]) => `${name} by ${sum.toFixed(3)}, at most ${MOST_MOVED}`),
    );
    check(!restless.length, `of ${Object.keys(moved).length} pages ${restless.length} move while they load`);
    for (const [width, found] of Object.entries(places)) {
      const each = Object.entries(found).map(([place, names]) => `${place} on ${names.join(", ")}`);
      if (each.length > 1) problems(`tabs at ${width}`, each);
      check(each.length === 1, `the tabs of a project are at one place on its pages, ${width} wide`);
    }
  },

  async pictures() {
    let taken = 0;
    for (const dark of [false, true]) {
      for (const width of [1280, 360]) {
        const page = await browser.page({ as: people.root, width, dark, name: "pictures" });
        for (const name of PICTURED) {
          await browser.open(page, shown[name]);
          await browser.touch(page);
          // what loads when it comes into view loads once
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          for (const at of Array.from({ length: Math.ceil(height / 900) }, (_, step) => step * 900).reverse()) {
            await page.evaluate((top) => scrollTo(0, top), at);
            await browser.settled(page);
          }
          // a whole page can be very high: the commit of the demo world may have a hundred files
          await page.setViewportSize({ width, height: Math.min(height, 2200) });
          await page.screenshot({ path: join(given.pictures, `${name}-${width}-${dark ? "dark" : "light"}.png`) });
          await page.setViewportSize({ width, height: 900 });
          taken++;
        }
        if (width === 1280 && !dark) {
          await browser.open(page, shown.issue);
          await page.pdf({ path: join(given.pictures, "issue.pdf"), format: "A4" });
        }
        await close(page);
      }
    }
    check(taken === 4 * PICTURED.length, `${taken} pictures in ${given.pictures}, and an issue as it is printed`);
  },

  /** The pictures of README.md, by `ONLY=readme` alone: they differ in their times whenever they are taken. */
  async readme() {
    const { default: sharp } = await import(createRequire(import.meta.resolve("miniflare")).resolve("sharp"));
    const page = await browser.page({ as: people.root, height: 640, name: "readme" });
    for (const [name, path, top] of /** @type {[string, string, string?][]} */ ([
      ["issues", "/demo-group/edgeforge/-/issues?state=all&sort=created_at+asc"],
      ["issue", shown.issue],
      ["diff", `/demo-group/edgeforge/-/commit/${SHOWN_IN_README}`, ".changes"],
    ])) {
      await browser.open(page, path);
      await browser.touch(page);
      if (top) await page.locator(top).evaluate((element) => element.scrollIntoView());
      await browser.settled(page);
      await sharp(await page.screenshot())
        .png({ palette: true, colours: 32, dither: 0, effort: 10 })
        .toFile(`docs/${name}.png`);
    }
    await close(page);
  },

  async flows() {
    const by = {
      ...DONE_BY,
      ...VISITED_BY,
      ...MANAGED_BY,
      ...WORKED_BY,
      ...FOUND_BY,
      ...KEPT_BY,
      ...RELEASED_BY,
      ...REPORTED_BY,
      ...UPLOADED_BY,
      ...HANDED_BY,
      ...SEARCHED_BY,
      ...SIGNED_IN_BY,
    };
    const named = process.env.FLOW ?? "";
    for (const [name, flow] of Object.entries({
      ...FLOWS,
      ...VISITS,
      ...READING,
      ...MANAGING,
      ...WORKING,
      ...FINDING,
      ...FILES,
      ...HOOKS,
      ...KEEPING,
      ...RELEASES,
      ...REPORTS,
      ...UPLOADS,
      ...HANDS,
      ...SEARCHING,
      ...LIVE,
      ...SESSIONS,
    })) {
      if (!name.includes(named)) continue;
      const who = name in by ? by[name] : "ann";
      const page = await browser.page({ as: who ? people[who] : undefined, name });
      try {
        await flow({ browser, people, call: caller(given.server, tokens.ann), root: call, sha, hook: given.hook }, page);
        check(page.noted.problems.length === 0, `somebody ${name}`);
      } catch (error) {
        check(false, `somebody ${name}: ${error.message.slice(0, 900)}`);
        await page.screenshot({ path: join(given.pictures, "failed.png") }).catch(() => {});
      }
      await close(page);
    }
  },

  async race() {
    const { pages, marks, kept, refused, shown, lost } = await race(browser, people, caller(given.server, tokens.ann));
    problems("lost", lost);
    check(
      !lost.length,
      `two browsers edited one issue 200 times: of ${marks} texts ${kept} are in it, the others were shown to a writer who chose; ${refused} saves came too late, ${shown} of them had both texts shown; ${lost.length} texts lost`,
    );
    for (const page of pages) await close(page);
  },

  async documentation() {
    const sections = await readDocumentation(browser, root, join(given.pictures, "docs.png"));
    check(sections > 0, `the page at /docs shows ${sections} sections, and a call with a token through it answers`);
  },

  async speed() {
    const { data: project } = await call(
      "POST",
      "/projects",
      { name: "hundred", path: "hundred", visibility: "public" },
      { expect: [201, 400] },
    );
    if (project.id)
      for (let at = 0; at < 100; at++)
        await call("POST", `/projects/${project.id}/issues`, {
          title: `Issue ${at} of a hundred, with a title as long as they are`,
          labels: at % 2 ? "bug,ci" : "feature",
        });
    const path = "/root/hundred/-/issues?per_page=100";
    const runs = [];
    for (let at = 0; at < 5; at++) runs.push(await trace(browser, people.root, path, "main .row:nth-child(100)"));
    const middle = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[2];
    const figure = (name) => `${Math.round(middle(name))} ms`;
    check(
      Number.isFinite(middle("paint")),
      `a page of 100 issues, cold, by Chromium's trace (median of 5): first paint ${figure("paint")}, largest ${figure("largest")}, all rows shown ${figure("shown")}, interactive ${figure("interactive")}, blocked ${figure("blocked")}`,
    );
  },

  async xss() {
    const { paths, taken } = await fill(given.server, root, { work: given.state, hook: given.hook });
    console.log(`        the API took ${taken}`);
    const { opened, found } = await attack(browser, people.root, paths);
    problems("xss", found);
    check(!found.length, `XSS: ${found.length} of ${PAYLOADS.length} payloads did anything, on ${opened} pages`);
  },
};

try {
  for (const [name, part] of Object.entries(parts)) {
    if (!wanted(name)) continue;
    const began = Date.now();
    await part();
    console.log(`        (${name}: ${Math.round((Date.now() - began) / 1000)} s)`);
  }
  check(foreign === 0 && errors === 0, `${errors} errors on the console, ${foreign} requests to other servers`);
} finally {
  await browser.stop();
}
assert.equal(failed, 0, `${failed} broken`);
