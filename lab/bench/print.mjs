// The tables of lab/bench/run.mjs.
import { gzipSync } from "node:zlib";
import { meanCosts, median } from "./meter.mjs";

const cell = (text, width) => String(text).padStart(width);
const fixed = (number, width) => cell(number.toFixed(2), width);
const of = (loads, what) => median(loads.map((one) => one[what]));
/** The median ratio of one load to another in the same round. */
const beside = (some, others, ratio) => median(some.map((one, n) => ratio(one, others[n])));
/** A mean number of rows; whole numbers without decimals. */
const count = (number, width) => cell(Number.isInteger(number) || number >= 100 ? Math.round(number) : number.toFixed(1), width);

function printFloors(floors) {
  for (const [name, title] of [
    ["query", "one bound value asked of D1"],
    ["nothing", "nothing asked"],
  ]) {
    const [rate, cpu] = ["rate", "cpu"].map((what) => of(floors[name], what));
    console.log(`floor, ${title}: ${rate.toFixed(0)} req/s, ${cpu.toFixed(2)} ms of processor time a request`);
  }
}

/** Ours and the yardstick. */
function printComparison(rows, floors) {
  console.log(`
edgeforge beside the yardstick. Ratios: above 1 edgeforge is better. CPU: times that of the floor that asks D1.

                -- ratio --    ------ CPU ------   ----- D1 ms -----   --- rows read ---   - rows written -    same
                 req/s   CPU     ours  yardstick     ours  yardstick     ours  yardstick     ours  yardstick   answer`);
  for (const { title, loads, same } of rows) {
    const { ours, yardstick } = loads;
    const ratios = [(a, b) => a.rate / b.rate, (a, b) => b.cpu / a.cpu].map((ratio) => fixed(beside(ours, yardstick, ratio), 6));
    const sides = [ours, yardstick].map((side) => ({ ...meanCosts(side), cpu: beside(side, floors.query, (a, b) => a.cpu / b.cpu) }));
    const pairs = /** @type {const} */ ([
      ["cpu", fixed],
      ["millis", fixed],
      ["read", count],
      ["written", count],
    ]).map(([what, write]) => `${write(sides[0][what], 9)}${write(sides[1][what], 11)}`);
    console.log(`${title.padEnd(16)}${ratios.join("")}${pairs.join("")}   ${same ? "yes" : "NO"}`);
  }
}

function printNumbers(rows) {
  console.log(`
                 -------------- edgeforge (Rust) --------------   ----------- yardstick (JavaScript) -----------
                  req/s      p50      p99  CPU/req  D1 trips       req/s      p50      p99  CPU/req  D1 trips`);
  const side = (loads) => {
    const latencies = ["p50", "p99"].map((what) => cell(`${of(loads, what)} ms`, 9)).join("");
    return `${cell(of(loads, "rate").toFixed(0), 7)}${latencies}${cell(`${of(loads, "cpu").toFixed(2)} ms`, 9)}${count(meanCosts(loads).trips, 10)}`;
  };
  for (const { title, loads } of rows) console.log(`${title.padEnd(16)}${side(loads.ours)}     ${side(loads.yardstick)}`);
}

/** v4 and v3, both ours. */
function printVersions(rows) {
  console.log(`
v4 beside v3     rows read   written   answer's bytes   -- v4 / v3 --
                  v3    v4   v3   v4       v3       v4    req/s    CPU`);
  for (const { title, loads, bytes, today } of rows.filter((row) => row.today)) {
    const [v3, v4] = [loads.ours, loads.today].map(meanCosts);
    const ratio = (what) =>
      fixed(
        beside(loads.today, loads.ours, (a, b) => a[what] / b[what]),
        7,
      );
    const numbers = [
      [v3.read, 4],
      [v4.read, 6],
      [v3.written, 5],
      [v4.written, 5],
      [bytes, 9],
      [today.bytes, 9],
    ];
    console.log(
      `${title.padEnd(16)}${numbers.map(([number, width]) => cell(Math.round(number), width)).join("")}  ${ratio("rate")}${ratio("cpu")}`,
    );
  }
}

export function print({ rows, floors, rounds, seconds, connections, wasm }) {
  console.log(`\nmedians of ${rounds} rounds of ${seconds} s, ${connections} connections, all on this machine's workerd and D1\n`);
  printFloors(floors);
  printComparison(rows, floors);
  printNumbers(rows);
  printVersions(rows);
  const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
  console.log(`\nwasm: ${kb(wasm.length)} raw, ${kb(gzipSync(wasm, { level: 9 }).length)} gzipped`);
}
