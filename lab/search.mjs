// Whether a search finds what a plain reading does, and what it costs, among 10,000 issues and more, in one project and
// in many; what the index of words weighs and what writes cost more with it; and how a database gets one that had none,
// while eight clients work and workerd is killed. Variables: ISSUES, PROJECTS, with commas between, and KILLS.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database, Findings, serve } from "../scripts/workerd.mjs";
import { ask, processor, upgrade, writes } from "./search/figures.mjs";
import { fill, plainly, queries, texts } from "./search/world.mjs";

const numbers = (name, usual) => (process.env[name] ?? usual).split(",").map(Number);
/** Milliseconds that the database may take for a request, or workerd of the processor, if other programs run. */
const MOST = 150;
/** Issues that a list of one project and of many counts. */
const COUNTED = [10_000, 4000];
const findings = new Findings();
const table = [];

/** The size and the segments of the index, and whether it has each issue that there is and no other. */
function weigh(state) {
  const file = database(state);
  const [{ bytes, segments, texts, wrong }] = file
    .prepare(`select (select sum(length(block)) from issue_words_data) as bytes,
      (select count(distinct segid) from issue_words_idx) as segments, (select count(*) from issue_words_docsize) as texts,
      (select count(*) from unindexed_issues)
        + (select count(*) from issue_words_docsize w left join issues i on i.id = w.id and i.deleted_at is null where i.id is null)
        + (select count(*) from issues i left join issue_words_docsize w on w.id = i.id
          where i.deleted_at is null and w.id is null) as wrong`)
    .all();
  file.close();
  findings.check(wrong === 0, `the index has ${texts} issues and lacks or has too many: ${wrong}`);
  return { bytes: Math.round(bytes / texts), segments };
}

/** Asks for each text, and compares the first page and the total with what a plain reading finds. */
async function searched(served, path, rows, counted, asked) {
  const costs = [];
  let [wrong, early] = [0, 0];
  for (const search of asked) {
    const expected = plainly(rows, search);
    const address = `${path}per_page=100&search=${encodeURIComponent(search)}`;
    const page = await ask(served, address);
    if (page.millis > MOST) page.millis = Math.min(page.millis, await processor(served, address));
    const ids = (page.json ?? []).map(({ id }) => id);
    const among = new Set(expected);
    // a page that has looked at a part has a next one and no total
    const isWhole = page.total !== null;
    const isRight = isWhole
      ? Number(page.total) === expected.length && ids.join() === expected.slice(0, 100).join()
      : page.next !== undefined && ids.every((id) => among.has(id));
    if (page.status !== 200 || (search.trim() && !isRight)) {
      wrong++;
      console.log(`${page.status} for ${JSON.stringify(search)}: ${ids.length}, ${page.total} of ${expected.length}`);
    }
    if (!isWhole && expected.length <= counted) early++;
    costs.push({ search, expected: expected.length, ...page });
  }
  costs.sort((a, b) => b.millis - a.millis);
  return { costs, wrong, early, dearest: costs[0].millis, median: costs[Math.floor(costs.length / 2)].millis };
}

/** The pages of a search, whose texts are read: milliseconds and rows of the dearest, and whether all is found. */
async function scanned(served, path, rows, asked) {
  const most = { millis: 0, read: 0 };
  let [lacking, silent] = [0, 0];
  for (const search of asked) {
    const ids = [];
    let isPart = false;
    for (let next = `${path}search=${encodeURIComponent(search)}&per_page=100`; next; ) {
      const page = await ask(served, next);
      if (page.millis > MOST) page.millis = Math.min(page.millis, await processor(served, next));
      if (page.millis > most.millis) Object.assign(most, { millis: page.millis, read: page.read });
      isPart ||= Boolean(page.hint);
      ids.push(...(page.json ?? []).map(({ id }) => id));
      next = page.next && new URL(page.next).pathname.replace("/api/v4", "") + new URL(page.next).search;
    }
    const wanted = search.toLowerCase();
    const holds = ({ title, description }) => `${title} ${description}`.toLowerCase().includes(wanted);
    const lacks = rows.filter(holds).length !== ids.length;
    lacking += Number(lacks);
    silent += Number(lacks && !isPart);
  }
  findings.check(
    silent === 0,
    `   ${path.split("?")[0]} ${path.split("?")[1]} at most ${most.millis} ms, ${most.read} rows; ${lacking} of ${asked.length} lack some, ${silent} without saying so`,
  );
}

for (const issues of numbers("ISSUES", "10000,100000"))
  for (const projects of numbers("PROJECTS", "1,1000")) {
    const state = mkdtempSync(join(tmpdir(), "edgeforge-search-"));
    try {
      execFileSync("scripts/prepare", [state], { stdio: "ignore" });
      fill(state, issues, projects);
      const kills = Number(process.env.KILLS ?? 10);
      console.log(`== ${issues} issues in ${projects} projects`);
      const grown = await upgrade(state, issues, projects, kills);
      findings.check(
        grown.wrong === 0,
        `indexed in ${grown.seconds.toFixed(1)} s and ${grown.runs} runs, ${kills} of them killed, while eight clients made ${grown.done} issues; ${grown.wrong} of these not found`,
      );
      const weight = weigh(state);
      const rows = texts(state);
      const served = await serve(state);
      const asked = queries(rows.issues);
      const list = projects === 1 ? "/projects/1001/issues?scope=all&" : "/issues?scope=all&";
      const { costs, wrong, early, dearest, median } = await searched(served, list, rows.issues, COUNTED[Number(projects > 1)], asked);
      findings.check(wrong === 0, `${costs.length} searches, ${wrong} wrong; ${early} without a total although there are few`);
      findings.check(dearest <= MOST, `the dearest takes ${dearest} ms of D1, the median ${median}`);
      for (const { search, expected, millis, read, total } of costs.slice(0, 6))
        console.log(`   ${millis} ms, ${read} rows, ${total ?? "no total"} of ${expected}: ${search.slice(0, 60)}`);
      // what has no index of words
      const some = asked.filter((search) => /^\p{Alphabetic}+$/u.test(search)).slice(0, 40);
      const places = ["/projects/1001/milestones?", "/projects/1001/search?scope=milestones&", "/search?scope=milestones&"];
      for (const place of places) {
        const own = place.startsWith("/projects") && projects > 1 ? [] : rows.milestones;
        if (own.length) await scanned(served, place, own, some);
      }
      for (const place of ["/search?scope=projects&", "/projects?"]) await scanned(served, place, [], some.slice(0, 10));
      await served.stop();
      const indexed = await writes(state);
      const file = database(state);
      for (const { name } of file.prepare("select name from sqlite_master where type = 'trigger' and name like '%unindexed%'").all())
        file.exec(`drop trigger ${name}`);
      file.close();
      const plain = await writes(state);
      table.push({
        issues,
        projects,
        wrong,
        early,
        "dearest ms": dearest,
        "median ms": median,
        "most rows": Math.max(...costs.map(({ read }) => read)),
        "bytes an issue": weight.bytes,
        segments: weight.segments,
        "s to index": Math.round(grown.seconds),
        ...Object.fromEntries(
          Object.keys(plain).map((name) => [`${name}, rows`, `${plain[name]} + ${(indexed[name] - plain[name]).toFixed(1)}`]),
        ),
      });
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  }
console.table(table);
findings.end();
