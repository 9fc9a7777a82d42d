// Where the processor time of the seven commonest requests goes: V8's sampling profiler over the isolates of the Worker
// and of D1, under the load of lab/bench. Prints for each request the microseconds of each part and the dearest functions.
//
//   DURATION=5 TOP=12 ONLY=issue,status node lab/profile/profile.mjs --state DIR --world FILE --main FILE
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { freePort, serve } from "../../scripts/workerd.mjs";
import { load } from "../bench/meter.mjs";
import { deepPath, requests, vary } from "../bench/requests.mjs";
import { connect } from "../inspector.mjs";

const { values: given } = parseArgs({
  options: { state: { type: "string" }, world: { type: "string" }, main: { type: "string" } },
});
const seconds = Number(process.env.DURATION || 5);
const most = Number(process.env.TOP || 12);
const keys = (process.env.ONLY || "user,issue,issues,deep,create,status,commits").split(",");
const world = JSON.parse(readFileSync(given.world, "utf8"));

/** The parts, and which functions belong to each: the first that fits. Without an address a function is the runtime's own. */
const PARTS = {
  idle: ({ name }) => name === "(idle)",
  garbage: ({ name }) => name === "(garbage collector)",
  "wasm, edgeforge": ({ name, url }) => url.endsWith("wasm") && /(^|[ <&])edgeforge/.test(name),
  "wasm, crates": ({ name, url }) => url.endsWith("wasm") || /wasm-to-js|js-to-wasm/.test(name),
  "glue and src/worker": ({ url }) => url.endsWith("index.js"),
  "D1's client": ({ url }) => url.includes("d1-api"),
  "JavaScript of the runtime": ({ url }) => url !== "",
  "the runtime": () => true,
};

/** Self time of each function in microseconds, from a profile of V8. */
function timesOf({ nodes, samples, timeDeltas }) {
  const functions = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [
      id,
      { name: functionName || "(anonymous)", url: url.replace(/-[0-9a-f]+$/, "") },
    ]),
  );
  const times = new Map();
  samples.forEach((id, at) => {
    const { name, url } = functions.get(id);
    // symbols end with a hash
    const key = `${name.replace(/::h[0-9a-f]{16}$/, "")}\t${url}`;
    times.set(key, (times.get(key) ?? 0) + timeDeltas[at]);
  });
  return [...times].map(([key, micros]) => ({ name: key.split("\t")[0], url: key.split("\t")[1], micros }));
}

const port = await freePort();
const server = await serve(given.state, 0, ["--inspector", String(port), "--main", given.main]);
const deep = await deepPath(server.address, world.token);
const isolates = await Promise.all(["core:user:edgeforge", "d1:db"].map((name) => connect(port, name)));

/** The self times of both isolates under this load, for each request. */
async function profile(of, duration) {
  for (const { call } of isolates) {
    await call("Profiler.enable");
    await call("Profiler.setSamplingInterval", { interval: 100 });
    await call("Profiler.start");
  }
  const headers = { "PRIVATE-TOKEN": world.token, "Accept-Encoding": "identity" };
  const next = () => {
    const request = of({ ...vary(world), deep });
    return { ...request, headers: { ...request.headers, ...headers } };
  };
  const { answers } = await load({ url: server.address, pid: NaN }, { seconds: duration, connections: 8, next, missing: false });
  const profiles = [];
  for (const { call } of isolates) profiles.push(timesOf((await call("Profiler.stop")).profile));
  for (const times of profiles) for (const one of times) one.micros /= answers;
  return profiles;
}

const micros = (number) => number.toFixed(0).padStart(8);
for (const key of keys) {
  const { title, of } = requests[key];
  await profile(of, 1);
  const [worker, d1] = await profile(of, seconds);
  console.log(`\n${title}: microseconds of a request`);
  const parts = Object.keys(PARTS).map((name) => ({ name, sum: 0 }));
  for (const one of worker) parts[Object.values(PARTS).findIndex((fits) => fits(one))].sum += one.micros;
  for (const { name, sum } of parts.slice(1)) console.log(`${micros(sum)}  ${name}`);
  const busy = d1.filter(({ name }) => name !== "(idle)");
  console.log(`${micros(busy.reduce((sum, one) => sum + one.micros, 0))}  D1's isolate, SQLite included`);
  const dearest = worker.filter(({ name }) => name !== "(idle)").toSorted((a, b) => b.micros - a.micros);
  for (const one of dearest.slice(0, most))
    console.log(`${micros(one.micros)}      ${one.name}${one.url && !one.url.endsWith("wasm") ? `  ${one.url}` : ""}`);
}
for (const { close } of isolates) close();
await server.stop();
