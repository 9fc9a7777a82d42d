// Asks everything of the hostile worlds, prints what was dearest, and compares it with the bounds. See lab/hostile/run.
//
//   node lab/hostile/main.mjs --state DIR [--only routes|crowd] [--report]
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Findings, serve, token as root } from "../../scripts/workerd.mjs";
import { inspect } from "../inspector.mjs";
import { MEASURES, MOST } from "./bounds.mjs";
import { crowd } from "./crowd.mjs";
import { askRoutes } from "./routes.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, only: { type: "string" }, report: { type: "boolean" } } });
const world = JSON.parse(readFileSync(join(given.state, "world.json"), "utf8"));
const dearestFile = join(given.state, "dearest.json");
const findings = new Findings();
const cell = (value, width) => Math.round(value).toLocaleString("en").padStart(width);
const mega = (bytes) => (bytes / (1 << 20)).toFixed(1);
const line = ({ who, request, ms, rows, bytes }) => `${cell(ms, 8)}${cell(rows, 12)}${cell(bytes, 12)}  ${who.padEnd(9)} ${request}`;

async function freePort() {
  const listener = createServer();
  await new Promise((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address();
  await new Promise((done) => listener.close(done));
  return port;
}

async function measureRoutes() {
  const port = await freePort();
  const server = await serve(given.state, 0, ["--inspector", String(port)]);
  const inspector = await inspect(port);
  await inspector.find();
  const { routes, failures, retried, growth, most, asked } = await askRoutes(server.address, { ...world, tokens: { ...world.tokens, root } }, inspector);
  inspector.close();
  await server.stop();

  for (const { who, request, times } of retried) console.log(`asked again, over ${MOST.ms} ms: ${times.map((ms) => ms.toFixed(0)).join(", ")} ms: ${who} ${request}`);
  for (const name of MEASURES) {
    const dearest = routes.map((route) => route.dearest[name]).sort((one, other) => other[name] - one[name]);
    console.log(`\nthe ten routes with the most ${name}\n      ms        rows       bytes  who       request`);
    for (const answer of dearest.slice(0, 10)) console.log(line(answer));
    for (const answer of dearest.filter((one) => one[name] > MOST[name])) findings.check(false, `more than ${MOST[name].toLocaleString("en")} ${name}: ${line(answer).trim()}`);
  }
  console.log("\nMiB of wasm, which never shrinks, grew by");
  for (const { what, from, to } of growth) console.log(`${mega(to - from).padStart(8)} to ${mega(to).padStart(6)}  ${what}`);
  console.log("");
  for (const failure of failures) findings.check(false, failure);
  findings.check(asked > routes.length, `${asked} questions to ${routes.length} routes`);
  findings.check(most.wasm <= MOST.wasm, `wasm took ${mega(most.wasm)} MiB of ${mega(MOST.wasm)}`);
  findings.check(most.memory <= MOST.memory, `the isolate took ${mega(most.memory)} MiB of ${mega(MOST.memory)}`);
  const anonymous = routes.map(({ dearest }) => dearest.ms).filter(({ who }) => who === "nobody");
  writeFileSync(dearestFile, JSON.stringify(anonymous.sort((one, other) => other.ms - one.ms).slice(0, 10).map(({ request }) => request)));
}

if (given.only !== "crowd") await measureRoutes();
if (given.only !== "routes") await crowd({ state: given.state, token: world.tokens.outsider, requests: JSON.parse(readFileSync(dearestFile, "utf8")), findings });
console.log(findings.broken ? `${findings.broken} broken` : "all held");
process.exitCode = findings.broken && !given.report ? 1 : 0;
