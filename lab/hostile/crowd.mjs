// Eight clients without a token, of one address, ask the dearest requests for a minute, with the limits of
// wrangler.toml, while another user asks `GET /user`.
import { serve } from "../../scripts/workerd.mjs";
import { setTimeout as pause } from "node:timers/promises";
import { MOST_SLOWER } from "./bounds.mjs";
import { ask } from "./client.mjs";

const CLIENTS = 8;
const SECONDS = 60;
const ALONE_SECONDS = 10;
/** Milliseconds after which a client that was refused asks again: sooner, the clients would measure the machine's cores. */
const IMPATIENCE = 100;
/** Milliseconds between two requests of the user, who is below the limit of 1,200 a minute. */
const BREAK = 80;

const median = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];

export async function crowd({ state, token, requests, findings }) {
  const server = await serve(state, 0, ["--limits"]);
  const get = (who, path, address) => ask(server.address, who, "GET", path, undefined, { "CF-Connecting-IP": address });

  /** How long each request of the user takes, as long as they go on. */
  async function times(until) {
    const taken = [];
    while (Date.now() < until) {
      const began = performance.now();
      const { status } = await get(token, "/api/v4/user", "198.51.100.1");
      if (status !== 200) throw new Error(`GET /user answered ${status}`);
      taken.push(performance.now() - began);
      await pause(BREAK);
    }
    return taken;
  }

  await times(Date.now() + 1000);
  const alone = await times(Date.now() + ALONE_SECONDS * 1000);
  const until = Date.now() + SECONDS * 1000;
  const statuses = {};
  let asked = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (Date.now() < until) {
      const { status } = await get(null, requests[asked++ % requests.length], "203.0.113.1");
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429) await pause(IMPATIENCE);
    }
  });
  const [meanwhile] = await Promise.all([times(until), ...clients]);
  await server.stop();

  const ratio = median(meanwhile) / median(alone);
  console.log(
    `\n${CLIENTS} clients without a token ask for ${SECONDS} s: ${Object.entries(statuses)
      .map(([status, count]) => `${count} answered ${status}`)
      .join(", ")}`,
  );
  console.log(
    `GET /user alone: median ${median(alone).toFixed(1)} ms of ${alone.length}; meanwhile: median ${median(meanwhile).toFixed(1)} ms, worst ${Math.max(...meanwhile).toFixed(0)} ms of ${meanwhile.length}`,
  );
  findings.check(Boolean(statuses[200]), "the clients are served before they are refused");
  findings.check(ratio <= MOST_SLOWER, `its median is ${ratio.toFixed(2)} times as long, of at most ${MOST_SLOWER}`);
}
