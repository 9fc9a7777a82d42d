// Asks a filled edgeforge, served through bench/record.mjs, for what is measured, and notes which SQL each request sends.
//
//   ADMIN_TOKEN=.. node bench/note.mjs --server URL --out DIR
//
// Completes DIR/world.json for bench/run.mjs and leaves DIR/statements.json for the yardstick.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recipe } from "./recipe.mjs";
import { project, requests, vary } from "./requests.mjs";

const { values: given } = parseArgs({ options: { server: { type: "string" }, out: { type: "string" } } });
const world = JSON.parse(readFileSync(join(given.out, "world.json"), "utf8"));
const ask = (path, request) =>
  fetch(given.server + path, { ...request, headers: { ...request?.headers, "PRIVATE-TOKEN": world.token } });

// the address of page 1,000 is the `next` link of the page before
const before = await ask(`${project}/issues?page=999`);
const [, next] = /<([^>]+)>; rel="next"/.exec(before.headers.get("link"));
const { pathname, search } = new URL(next);
world.deep = pathname + search;

const hash = createHash("sha256").update(world.token).digest("hex");
const statements = {};
for (const [key, { of, uses, missing }] of Object.entries(requests)) {
  const varied = vary(world);
  const { path, ...request } = of(varied);
  await ask("/recorded");
  const answer = await ask(path, request);
  if (!answer.ok && !missing) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
  const trips = await (await ask("/recorded")).json();
  statements[key] = recipe(trips, { hash, ...Object.fromEntries(uses.map((name) => [name, varied[name]])) });
}
writeFileSync(join(given.out, "world.json"), JSON.stringify(world));
writeFileSync(join(given.out, "statements.json"), JSON.stringify(statements));
