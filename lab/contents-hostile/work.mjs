// Kinds of trees that are short as they are sent, and long to read: what one request for them takes of the instance's 128 MB.
// The figures come from the runtime's inspector. wasm's memory never shrinks, so what it had at most is read afterwards.
import { randomBytes } from "node:crypto";
import { inspect } from "../hostile/inspector.mjs";
import { blob, sorted, tree } from "./objects.mjs";

const MOST_MEMORY = 128 << 20;
/** Less would be of no use: the platform gives a request 30 s of a processor. */
const MOST_SECONDS = 10;
/** Entries of 8 MiB whose names pack well. */
const long = (prefix, { id }) => Array.from({ length: 2_070 }, (_, at) => ["100644", `${prefix}${String(at).padStart(4, "0")}${"a".repeat(4_000)}`, id]);

/** `[kind, make]`: `make` sends objects, and returns a root and the request for it. */
const KINDS = [
  ["24 directories of 8 MiB each", async (project) => {
    const file = blob("x");
    await project.sendAll([file]);
    const entries = [];
    for (let at = 0; at < 24; at++) {
      const one = tree(long(String(at).padStart(2, "0"), file));
      await project.sendAll([one]);
      entries.push(["40000", `d${at}`, one.id]);
    }
    return [tree(sorted(entries)), "/repository/tree?recursive=true&per_page=1&page=99&ref="];
  }],
  ["files of 40 MB where directories should be", async (project) => {
    const entries = [];
    for (let at = 0; at < 3; at++) {
      const file = blob(randomBytes(40_000_000));
      await project.sendAll([file]);
      entries.push(["40000", `d${at}`, file.id]);
    }
    return [tree(sorted(entries)), "/repository/tree?recursive=true&ref="];
  }],
  ["100 directories of 8 MiB in one another", async (project) => {
    const file = blob("x");
    let [at, waiting] = [["100644", "d", file.id], [file]];
    for (let level = 0; level < 100; level++) {
      const one = tree(sorted([...long("a", file), at]));
      waiting.push(one);
      at = ["40000", "d", one.id];
      if (waiting.length === 7) await project.sendAll(waiting.splice(0));
    }
    await project.sendAll(waiting);
    return [tree([at]), `/repository/files/${Array(101).fill("d").join("%2F")}/raw?ref=`];
  }],
];

export async function checkWork(project, port, tally) {
  for (const [at, [kind, make]] of KINDS.entries()) {
    tally.kind(kind);
    const [root, address] = await make(project);
    await project.sendAll([root]);
    await project.push(root.id, [`refs/heads/work-${at}`], { message: kind });
    const inspector = await inspect(port);
    await inspector.find();
    const [before, began] = [await inspector.sizes(), performance.now()];
    const { status } = await project.ask("GET", `${address}work-${at}`);
    const [after, seconds] = [await inspector.sizes(), (performance.now() - began) / 1000];
    inspector.close();
    const mega = (bytes) => `${Math.round(bytes / (1 << 20))} MiB`;
    console.log(`        ${kind}: ${status} after ${seconds.toFixed(1)} s, the instance went from ${mega(before.all)} to ${mega(after.all)}`);
    if (after.all > MOST_MEMORY && after.all - before.all > 8 << 20) tally.wrong(`one request took the instance to ${mega(after.all)} of ${mega(MOST_MEMORY)}`);
    if (seconds > MOST_SECONDS) tally.wrong(`one request took ${seconds.toFixed(1)} s`);
  }
}
