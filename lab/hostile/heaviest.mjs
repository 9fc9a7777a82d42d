// What one of the dearest requests costs a fresh Worker: milliseconds of D1, of the processor, and the memory that it adds to the
// idle isolate.
import { freePort, pause, serve } from "../../scripts/workerd.mjs";
import { MOST } from "./bounds.mjs";
import { ask } from "./client.mjs";
import { inspect } from "./inspector.mjs";

const MIB = 1 << 20;
/** Milliseconds between two looks at the memory. */
const BREAK = 20;
const MEASURES = { ms: "ms of D1", processor: "ms of the processor", grown: "MiB above the idle isolate" };

async function measure(state, token, request) {
  const port = await freePort();
  const server = await serve(state, 0, ["--inspector", String(port)]);
  try {
    for (let n = 0; n < 3; n++) await ask(server.address, token, "GET", "/api/v4/version");
    const inspector = await inspect(port);
    await inspector.find();
    const { all: idle } = await inspector.sizes();
    let most = idle;
    let isOver = false;
    const asked = ask(server.address, token, "GET", request).finally(() => (isOver = true));
    asked.catch(() => {});
    while (!isOver) {
      await pause(BREAK);
      most = Math.max(most, (await inspector.sizes()).all);
    }
    await asked;
    inspector.close();
    // once more, because the inspector takes time of the processor, too
    const before = server.processor;
    const { ms } = await ask(server.address, token, "GET", request);
    return { ms, processor: server.processor - before, grown: (most - idle) / MIB };
  } finally {
    await server.stop();
  }
}

export async function heaviest({ state, tokens, requests, findings }) {
  const measured = [];
  for (const { who, request } of requests) measured.push({ who, request, ...(await measure(state, tokens[who], request)) });
  for (const [name, unit] of Object.entries(MEASURES)) {
    const ranked = measured.toSorted((one, other) => other[name] - one[name]);
    console.log(`\nthe three of ${measured.length} dear requests, each to a fresh Worker, with the most ${unit}`);
    for (const one of ranked.slice(0, 3)) console.log(`${one[name].toFixed(1).padStart(8)}  ${one.who.padEnd(9)} ${one.request}`);
  }
  const most = Math.max(...measured.map(({ grown }) => grown));
  findings.check(most * MIB <= MOST.grown, `one request adds ${most.toFixed(1)} MiB to the idle isolate, of at most ${MOST.grown / MIB}`);
}
