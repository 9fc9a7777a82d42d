// Whether a search finds what a plain reading does, and what it costs, among 10,000 issues and more, in one project and
// in many; and how long it takes until all are in the index of words. Variables: ISSUES, PROJECTS, with commas between.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database, databaseFile, Findings, serve, token } from "../scripts/workerd.mjs";
import { dice } from "./contents/world.mjs";

const numbers = (name, usual) => (process.env[name] ?? usual).split(",").map(Number);
/** Milliseconds that the database may take for a request. */
const MOST = 150;
const findings = new Findings();

const roll = dice(7);
const LETTERS = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуф", "日本語問題検索世界中国文字東京", "ابتثجحخدذرزسشصض", "éüößñçåø"];
const letters = (script, length) => Array.from({ length }, () => [...LETTERS[script]][roll([...LETTERS[script]].length)]).join("");
const WORDS = Array.from({ length: 8000 }, (_, at) => letters(at % 12 < 8 ? 0 : (at % 12) - 7, 2 + roll(9)));
/** Few words are common and most are rare, as in a language. */
const word = () => WORDS[Math.floor((roll(1000) / 1000) ** 4 * WORDS.length)];
const text = (length) => Array.from({ length }, word).join(roll(9) ? " " : "🦀, ");

function fill(state, issues, projects) {
  const file = database(state);
  const [{ id: author }] = file.prepare("select id from users order by id limit 1").all();
  file.exec("begin");
  file.exec(`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${projects})
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    select 1000 + n, ${author}, ${author}, 'p' || n, 'p' || n, 'root/p' || n, 'root/p' || n, 'p', 20, 0, 0 from n;
    insert or ignore into issue_counts (project_id) select id from projects; insert or ignore into storage (project_id) select id from projects`);
  const add = file.prepare(`insert into issues (project_id, iid, author_id, title, description, confidential, created_at, updated_at)
    values (?, ?, ${author}, ?, ?, ?, ?, ?)`);
  const rows = [];
  for (let at = 0; at < issues; at++) {
    const row = {
      project: 1001 + (at % projects),
      iid: 1 + Math.floor(at / projects),
      title: text(6),
      description: text(20 + roll(30)),
      hidden: roll(10) ? 0 : 1,
    };
    rows.push(row);
    add.run(row.project, row.iid, row.title, row.description, row.hidden, at, at);
  }
  // all of them were there before the index
  file.exec("delete from unindexed_issues; update issue_index set below = (select max(id) + 1 from issues); commit");
  file.close();
  return rows;
}

/** A plain reading: each word begins a word, or stands anywhere if it has letters that are not Latin. */
function plainly(rows, search) {
  const words = search
    .toLowerCase()
    .split(/[^\p{Alphabetic}\p{N}]+/u)
    .filter(Boolean);
  if (!words.length) return 0;
  const isLatin = (one) => [...one].every((letter) => letter <= "\u02c1");
  const pattern = (one) => new RegExp(isLatin(one) ? `(^|[^0-9a-zªµºÀ-ÖØ-öø-\u02c1])${one}` : one, "u");
  const patterns = words.map(pattern);
  const finds = (texts) => patterns.every((one) => texts.some((text) => one.test(text)));
  return rows.filter((row) => finds([row.title.toLowerCase(), row.description.toLowerCase()])).length;
}

function queries(rows) {
  const some = () => rows[roll(rows.length)];
  const one = (row) => row.title.split(/[ ,🦀]+/u)[roll(5)] ?? "x";
  return [
    ..."aeiz1日аب".split(""),
    ...Array.from({ length: 40 }, () => one(some())),
    ...Array.from({ length: 30 }, () => one(some()).slice(0, 3)),
    ...Array.from({ length: 40 }, () => ((row) => `${one(row)} ${one(row)}`)(some())),
    ...Array.from({ length: 20 }, () => some().title),
    ...Array.from({ length: 20 }, () => `${one(some())} ${one(some())}`),
    ...Array.from({ length: 22 }, () => letters(roll(5), 12)),
    "🦀",
    '"',
    "a OR b",
    "NEAR(a b)",
    "title:a",
    "a*",
    "^a",
    "-a",
    "'; drop",
    "{title}",
    "a".repeat(200),
    "日".repeat(60),
    "a b c d e f g h i j",
    "%",
    "_",
    "\\",
    "#",
    "(",
    "a AND",
    "é",
    "É",
    "ß",
    "İ",
  ];
}

async function cron(served) {
  await fetch(`${served.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
}

async function found(served, path) {
  const answer = await fetch(served.address + path, { headers: { "PRIVATE-TOKEN": token } });
  const timing = answer.headers.get("Server-Timing") ?? "";
  const figure = (name) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)?.[1]);
  const rows = answer.ok ? await answer.json() : [];
  return {
    status: answer.status,
    rows,
    total: answer.headers.get("X-Total"),
    millis: Number(/dur=([\d.]+)/.exec(timing)?.[1]),
    trips: figure("trips"),
    read: figure("rows_read"),
  };
}

for (const issues of numbers("ISSUES", "10000,100000"))
  for (const projects of numbers("PROJECTS", "1,1000")) {
    const state = mkdtempSync(join(tmpdir(), "edgeforge-search-"));
    try {
      execFileSync("scripts/prepare", [state], { stdio: "ignore" });
      const rows = fill(state, issues, projects);
      const before = statSync(databaseFile(state)).size;
      let served = await serve(state);
      const begun = Date.now();
      let runs = 0;
      for (; runs < 200; runs++) {
        await cron(served);
        const { search_check: left } = await (await fetch(`${served.address}/-/readiness`)).json();
        if (!left) break;
      }
      const seconds = (Date.now() - begun) / 1000;
      await served.stop();
      const size = statSync(databaseFile(state)).size;
      console.log(
        `== ${issues} issues in ${projects} projects: indexed in ${seconds.toFixed(1)} s, ${runs + 1} runs; the index has ${Math.round((size - before) / issues)} bytes an issue`,
      );
      served = await serve(state);
      const list = projects === 1 ? "/api/v4/projects/1001/issues?scope=all" : "/api/v4/issues?scope=all";
      const costs = [];
      let wrong = 0;
      let early = 0;
      for (const search of queries(rows)) {
        const expected = plainly(rows, search);
        const page = await found(served, `${list}&per_page=100&search=${encodeURIComponent(search)}`);
        if (page.status !== 200 && search.trim()) {
          wrong++;
          console.log(`${page.status} for ${JSON.stringify(search)}`);
        }
        if (page.total !== null && Number(page.total) !== expected) {
          wrong++;
          console.log(`${JSON.stringify(search)}: ${page.total} in place of ${expected}`);
        }
        if (page.total === null && expected <= (projects === 1 ? 10000 : 4000)) early++;
        if (page.total !== null && page.rows.length !== Math.min(100, expected)) {
          wrong++;
          console.log(`${JSON.stringify(search)}: a page of ${page.rows.length}, of ${expected}`);
        }
        costs.push({ search, expected, ...page });
      }
      costs.sort((a, b) => b.millis - a.millis);
      const middle = costs[Math.floor(costs.length / 2)].millis;
      findings.check(wrong === 0, `${costs.length} searches, ${wrong} wrong; ${early} without a total although there are few`);
      findings.check(costs[0].millis <= MOST, `the dearest takes ${costs[0].millis} ms of D1, the median ${middle}`);
      for (const { search, expected, millis, trips, read, total } of costs.slice(0, 6))
        console.log(`   ${millis} ms, ${trips} trips, ${read} rows, ${total ?? "no total"} of ${expected}: ${search.slice(0, 60)}`);
      await served.stop();
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  }
findings.end();
