// The table of lab/bench/run.mjs.
import { gzipSync } from "node:zlib";
import { meanCosts, median } from "./meter.mjs";

const fixed = (number) => number.toFixed(2);
/** A mean number of rows; whole numbers without decimals. */
const count = (number) => (Number.isInteger(number) || number >= 100 ? String(Math.round(number)) : number.toFixed(1));
const of = (loads, what) => median(loads.map((one) => one[what]));
/** The median ratio of the processor times of two loads in the same round. */
const ratio = (some, others) => fixed(median(some.map(({ cpu }, n) => cpu / others[n].cpu)));

const floorNames = { query: "one bound value asked of D1", nothing: "nothing asked" };
const heads = ["ms", "x floor", "D1 ms", "rows read", "written", "req/s"];

export function print({ rows, floors, rounds, seconds, connections, wasm }) {
  console.log(`\nmedians of ${rounds} rounds of ${seconds} s, ${connections} connections, all on this machine's workerd and D1`);
  console.log("ms: processor time of a request; x floor: times that of the floor that asks D1\n");
  for (const [name, title] of Object.entries(floorNames)) {
    console.log(`floor, ${title}: ${fixed(of(floors[name], "cpu"))} ms, ${of(floors[name], "rate").toFixed(0)} req/s`);
  }
  console.log(`\n${"".padEnd(16)}${heads.map((head) => head.padStart(15)).join("")}   peer /    same`);
  console.log(`${"".padEnd(16)}${"    ours   peer".repeat(heads.length)}     ours  fields`);
  for (const { title, loads, same } of rows) {
    const cells = [loads.ours, loads.peer].map((side) => {
      const { millis, read, written } = meanCosts(side);
      const [cpu, rate] = ["cpu", "rate"].map((what) => of(side, what));
      return [fixed(cpu), ratio(side, floors.query), fixed(millis), count(read), count(written), rate.toFixed(0)];
    });
    const pairs = heads.map((_, n) => `${cells[0][n].padStart(8)}${cells[1][n].padStart(7)}`);
    console.log(`${title.padEnd(16)}${pairs.join("")}${ratio(loads.peer, loads.ours).padStart(9)}${(same ? "yes" : "NO").padStart(8)}`);
  }
  const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
  console.log(`\nwasm: ${kb(wasm.length)} raw, ${kb(gzipSync(wasm, { level: 9 }).length)} gzipped`);
}
