// Asks everything of the hostile worlds, prints what was dearest, and compares it with the bounds. See lab/hostile/run.
//
//   node lab/hostile/main.mjs --state DIR [--only routes|heaviest|together|crowd|streams|hooks|PATTERN OF ROUTES] [--report]
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Findings, freePort, serve, token as root } from "../../scripts/workerd.mjs";
import { inspect } from "./inspector.mjs";
import { CALLERS, IS_A_FILE, MEASURES, MOST, TIMES } from "./bounds.mjs";
import { keep } from "./costs.mjs";
import { crowd } from "./crowd.mjs";
import { heaviest } from "./heaviest.mjs";
import { hooks } from "./hooks.mjs";
import { askRoutes, dearestOf } from "./routes.mjs";
import { streams } from "./streams.mjs";
import { together } from "./together.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, only: { type: "string" }, report: { type: "boolean" } } });
const world = JSON.parse(readFileSync(join(given.state, "world.json"), "utf8"));
const dearestFile = join(given.state, "dearest.json");
const heavyFile = join(given.state, "heavy.json");
const notesFile = join(given.state, "routes.jsonl");
const findings = new Findings();
const cell = (value, width) => Math.round(value).toLocaleString("en").padStart(width);
const mega = (bytes) => (bytes / (1 << 20)).toFixed(1);
const line = ({ who, request, ms, rows, bytes }) => `${cell(ms, 8)}${cell(rows, 12)}${cell(bytes, 12)}  ${who.padEnd(9)} ${request}`;

/** Notes what a route cost, so that a run that is stopped is not lost. */
function note({ route, dearest }, asked, seconds) {
  const ofCaller = (answers) => Object.fromEntries(MEASURES.map((name) => [name, line(answers[name])]));
  const costs = Object.fromEntries(Object.entries(dearest).map(([who, answers]) => [who, ofCaller(answers)]));
  appendFileSync(notesFile, `${JSON.stringify({ route, asked, seconds: Math.round(seconds), costs })}\n`);
}

/** Prints the answers with the most of a measure. Returns them all, in that order. */
function ranking(answers, name, whose) {
  const ranked = answers.toSorted((one, other) => other[name] - one[name]);
  console.log(`\nthe ten routes with the most ${name}${whose}\n      ms        rows       bytes  who       request`);
  for (const answer of ranked.slice(0, 10)) console.log(line(answer));
  return ranked;
}

/** All routes whose names match `only`. */
async function measureRoutes(only) {
  rmSync(notesFile, { force: true });
  let server;
  async function start() {
    await server?.stop();
    const port = await freePort();
    server = await serve(given.state, 0, ["--inspector", String(port)]);
    const inspector = await inspect(port);
    await inspector.find();
    return { server: server.address, inspector, processor: () => server.processor };
  }
  const { routes, failures, retried, growth, most, asked } = await askRoutes(
    start,
    { ...world, tokens: { ...world.tokens, root } },
    only,
    note,
  );
  await server.stop();

  for (const { who, request, times } of retried)
    console.log(
      `asked again: ${TIMES.map((name) => `${times[name].map((ms) => ms.toFixed(0)).join(", ")} ms of ${name}`).join("; ")}: ${who} ${request}`,
    );
  for (const who of CALLERS) {
    for (const name of MEASURES) {
      const ranked = ranking(
        routes.map(({ dearest }) => dearest[who][name]),
        name,
        ` for ${who}`,
      );
      if (who === "nobody" && name === "ms") writeFileSync(dearestFile, JSON.stringify(ranked.slice(0, 10).map(({ request }) => request)));
    }
  }
  const ofAll = (name) => routes.map(({ dearest }) => dearestOf(dearest, name)).sort((one, other) => other[name] - one[name]);
  console.log(`\nthe ten routes with the most milliseconds of the processor\n      ms  who       request`);
  for (const { processor, who, request } of ofAll("processor").slice(0, 10))
    console.log(`${cell(processor, 8)}  ${who.padEnd(9)} ${request}`);
  const growers = routes
    .filter(({ route }) => growth.some(({ what }) => what.endsWith(route)))
    .map(({ dearest }) => dearestOf(dearest, "bytes"));
  const heavy = [...["ms", "processor", "bytes"].flatMap((name) => ofAll(name).slice(0, 8)), ...growers];
  writeFileSync(heavyFile, JSON.stringify([...new Map(heavy.map(({ who, request }) => [request, { who, request }])).values()]));
  console.log("");
  const dearProcessor = ofAll("processor")[0];
  findings.check(
    dearProcessor.processor <= MOST.processor,
    `the most processor time is ${dearProcessor.processor} ms: ${dearProcessor.request}`,
  );
  for (const name of MEASURES) {
    const bound = routes.filter(({ route }) => name !== "bytes" || !IS_A_FILE.test(route));
    const dear = bound.map(({ dearest }) => dearestOf(dearest, name)).filter((answer) => answer[name] > MOST[name]);
    for (const answer of dear) findings.check(false, `more than ${MOST[name].toLocaleString("en")} ${name}: ${line(answer).trim()}`);
  }
  keep(routes.map(({ route, dearest }) => [route, MEASURES.map((name) => dearestOf(dearest, name)[name])]));
  console.log("\nMiB of wasm, which never shrinks, grew by");
  for (const { what, from, to } of growth) console.log(`${mega(to - from).padStart(8)} to ${mega(to).padStart(6)}  ${what}`);
  console.log("");
  for (const failure of failures) findings.check(false, failure);
  findings.check(asked > routes.length, `${asked} questions to ${routes.length} routes`);
  findings.check(most.work <= MOST.work, `the most work is ${cell(most.work, 0)} ms: ${most.worker}`);
  findings.check(most.wasm <= MOST.wasm, `wasm took ${mega(most.wasm)} MiB of ${mega(MOST.wasm)}`);
  findings.check(most.memory <= MOST.memory, `the isolate took ${mega(most.memory)} MiB of ${mega(MOST.memory)}: ${most.what}`);
}

const parts = {
  "": ["", true, true, true, true, true],
  routes: [""],
  heaviest: [null, false, false, false, true],
  together: [null, false, false, false, false, true],
  crowd: [null, true],
  streams: [null, false, true],
  hooks: [null, false, false, true],
};
const [routes, isCrowd, hasStreams, hasHooks, hasHeaviest, isTogether] = parts[given.only ?? ""] ?? [given.only];
if (routes !== null) await measureRoutes(routes);
if (hasHeaviest)
  await heaviest({
    state: given.state,
    tokens: { ...world.tokens, root },
    requests: JSON.parse(readFileSync(heavyFile, "utf8")),
    findings,
  });
if (isTogether) await together({ state: given.state, tokens: { ...world.tokens, root }, projects: world.projects, findings });
if (hasStreams) await streams({ state: given.state, project: world.projects.archives["projects/{id}"][0], findings });
if (isCrowd)
  await crowd({ state: given.state, token: world.tokens.outsider, requests: JSON.parse(readFileSync(dearestFile, "utf8")), findings });
if (hasHooks) await hooks(findings);
console.log(findings.broken ? `${findings.broken} broken` : "all held");
process.exitCode = findings.broken && !given.report ? 1 : 0;
