// A hundred kinds of hostile contents against a served Worker with its pages. See lab/contents-hostile/run.
//
//   node lab/contents-hostile/main.mjs --server ADDRESS --browser PROGRAM --inspector PORT [--only foreign,believed,work,bytes,pages]
import { parseArgs } from "node:util";
import { checkForged, checkOdd } from "./believed.mjs";
import { Client } from "./client.mjs";
import { FILES, NAMES, READMES } from "./files.mjs";
import { checkAddresses, checkForeign, checkRanges } from "./foreign.mjs";
import { checkHeaders } from "./headers.mjs";
import { tree } from "./objects.mjs";
import { openBytes, openPages, store } from "./runs.mjs";
import { checkWork } from "./work.mjs";
import { makeWorld } from "./world.mjs";

const { values: given } = parseArgs({ options: { server: { type: "string" }, browser: { type: "string" }, inspector: { type: "string" }, only: { type: "string", default: "" } } });
const parts = new Set(given.only ? given.only.split(",") : ["foreign", "believed", "work", "bytes", "pages"]);

/** What happened that must not, by the kind of content. */
class Tally {
  counts = { ran: 0, believed: 0, foreign: 0, wrong: 0 };
  kinds = new Set();
  #kind = "";
  #shown = new Map();

  kind(name) {
    this.kinds.add((this.#kind = name));
  }

  note(what, text) {
    this.counts[what]++;
    const key = `${what} ${this.#kind}`;
    const shown = (this.#shown.get(key) ?? 0) + 1;
    this.#shown.set(key, shown);
    // one kind may fail at a thousand addresses
    if (shown <= 3) console.log(`${what.padEnd(9)} ${this.#kind}: ${text}`);
  }

  ran = (text) => this.note("ran", text);
  believed = (text) => this.note("believed", text);
  foreign = (text) => this.note("foreign", text);
  /** No answer is 5xx, none is without bounds, and none lacks a header. */
  wrong = (text) => this.note("wrong", text);
}

const client = new Client(given.server);
const tally = new Tally();
const began = performance.now();
const say = (text) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`);
const world = await makeWorld(client, process.env.ADMIN_TOKEN);
if (parts.has("foreign")) {
  await checkForeign(world, tally);
  say("foreign: what is Vera's was asked for");
  await checkRanges(world, tally);
  await checkAddresses(world, tally);
  say("foreign: ranges and addresses");
}
if (parts.has("believed")) {
  await checkForged(world.hostile, tally);
  say("believed: forged objects were sent");
  await world.hostile.sendAll([tree([])]);
  if (!world.hostile.refs.has("refs/heads/main")) await world.hostile.push(tree([]).id, ["refs/heads/main"]);
  await checkOdd(world.hostile, tally);
  say("believed: odd trees were sent and read");
}
if (parts.has("work")) {
  await checkWork(world.hostile, Number(given.inspector), tally);
  say("work: short trees that are long to read");
}
if (parts.has("bytes") || parts.has("pages")) {
  const { addresses, pages, as } = await store(world);
  for (const [kind] of [...addresses, ...pages]) tally.kind(kind);
  say(`runs: ${FILES.length} files, ${NAMES.length} names and ${READMES.length} texts are stored, with ${addresses.length} addresses and ${pages.length} pages`);
  if (parts.has("bytes")) {
    await checkHeaders(world, addresses.map(([, route, address]) => [route, address]), tally);
    await openBytes(world, addresses, given.browser, tally);
    say("runs: all addresses were opened, and taken for scripts, styles, workers and frames");
  }
  if (parts.has("pages")) {
    await openPages(world, pages, as, given.browser, tally);
    say("runs: all pages were opened");
  }
}
const { ran, believed, foreign, wrong } = tally.counts;
console.log(`${tally.kinds.size} kinds, ${client.requests} requests, ${ran} ran, ${believed} believed, ${foreign} foreign${wrong ? `, ${wrong} wrong answers` : ""}`);
process.exit(ran + believed + foreign + wrong ? 1 : 0);
