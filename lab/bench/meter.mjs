// Puts one load on one server: its rate and its cost.
import autocannon from "autocannon";
import { existsSync, readFileSync } from "node:fs";
import { processorOf } from "../../scripts/workerd.mjs";

/** The processor time in milliseconds that the children of a process, a server's workerd, have used. */
function used(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return NaN;
  return processorOf(readFileSync(file, "utf8").trim().split(" "));
}

/** Sums the figures of `Server-Timing`. Workerd's clock for D1 ticks in milliseconds, so only a mean is useful. */
class Costs {
  answers = 0;
  sums = { millis: 0, trips: 0, read: 0, written: 0 };

  add(headers) {
    const at = headers.findIndex((text) => text.toLowerCase() === "server-timing");
    const found = /dur=([\d.]+), trips;desc="(\d+)", rows_read;desc="(\d+)".* rows_written;desc="(\d+)"/.exec(headers[at + 1]);
    if (!found) return;
    this.answers += 1;
    Object.keys(this.sums).forEach((name, n) => (this.sums[name] += Number(found[n + 1])));
  }
}

/**
 * Puts load on a server for some seconds. `pid`: of the process that started workerd, NaN without one. `next`: makes a
 * request. `missing`: the expected answer is 404. Returns the number of answers, the rate, processor time of a request,
 * and sums of D1's work.
 */
export async function load({ url, pid }, { seconds, connections, next, missing }) {
  const costs = new Costs();
  const before = used(pid);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => client.on("headers", ({ headers }) => costs.add(headers)),
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...next() }) }],
  });
  const refused = missing ? result["4xx"] !== result.requests.total : result.non2xx;
  if (refused || result.errors)
    throw new Error(
      `${url}: ${result.errors} failed, answers by status: ${Object.keys(result.statusCodeStats)}: the figures would be wrong`,
    );
  const cpu = (used(pid) - before) / result.requests.total;
  return { answers: result.requests.total, rate: result.requests.total / result.duration, cpu, costs };
}

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** D1's work for a request, a mean over all loads. */
export function meanCosts(loads) {
  const answers = loads.reduce((sum, { costs }) => sum + costs.answers, 0);
  const mean = (name) => (answers ? loads.reduce((sum, { costs }) => sum + costs.sums[name], 0) / answers : 0);
  return { millis: mean("millis"), read: mean("read"), written: mean("written") };
}
