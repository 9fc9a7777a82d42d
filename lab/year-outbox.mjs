// What waits for web hooks after a day, for lab/year.mjs: a hook with all events whose receiver is down, and then taken by it.
import { createServer } from "node:http";
import { database, pause, portOf } from "../scripts/workerd.mjs";

const TABLES = ["hook_events", "deliveries", "hook_log"];
const TIMES = 150;
/** A project sends so many a minute, so that what waits takes some. */
const PATIENCE_MS = 300_000;

/** The receiver of all hooks. `isUp` can be set. */
export async function receiver() {
  const one = { isUp: false, requests: 0, bytes: 0 };
  const http = createServer((request, response) => {
    one.requests++;
    request.on("data", (part) => (one.bytes += part.length)).on("end", () => response.writeHead(one.isUp ? 200 : 503).end());
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", () => done(null)));
  one.address = `http://127.0.0.1:${portOf(http)}/`;
  one.stop = () => http.close();
  return one;
}

/** Rows of the tables of hooks, and the bytes of their pages with their indexes. */
function stored(state) {
  const file = database(state, { readOnly: true });
  const pages = file.prepare("select sum(pgsize) as bytes from dbstat where name in (select name from sqlite_schema where tbl_name = ?)");
  const all = Object.fromEntries(
    TABLES.map((table) => [table, { rows: file.prepare(`select count(*) as n from ${table}`).get().n, bytes: pages.get(table).bytes }]),
  );
  file.close();
  return all;
}

const less = (after, before) =>
  Object.fromEntries(
    TABLES.map((table) => [table, { rows: after[table].rows - before[table].rows, bytes: after[table].bytes - before[table].bytes }]),
  );

/** For each step what one such request leaves in each table, and how many rows it writes. Then the receiver takes all of it. */
export async function measureOutbox({ state, address, project, steps, names, hooks }) {
  const token = "token-of-the-administrator";
  const wanted = {
    push_events: true,
    tag_push_events: true,
    issues_events: true,
    confidential_issues_events: true,
    note_events: true,
    confidential_note_events: true,
    job_events: true,
    pipeline_events: true,
  };
  const made = await fetch(`${address}/api/v4/projects/${project}/hooks`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://receiver.example.com/in", ...wanted }),
  });
  if (made.status !== 201) throw new Error(`the hook: ${made.status} ${await made.text()}`);
  const each = {};
  for (const name of names) {
    const act = steps[name]();
    await act(0);
    const before = stored(state);
    let written = 0;
    for (let number = 1; number <= TIMES; number++) for (const answer of [await act(number)].flat()) written += answer.written;
    each[name] = {
      written: written / TIMES,
      left: Object.fromEntries(
        Object.entries(less(stored(state), before)).map(([table, { rows, bytes }]) => [
          table,
          { rows: rows / TIMES, bytes: bytes / TIMES },
        ]),
      ),
    };
  }
  const waiting = stored(state);
  hooks.isUp = true;
  // the hook waits after its failures: an operator saves it, and the Cron trigger sends the rest
  const file = database(state);
  file.exec("update hooks set next_at = 0, failures = 0, disabled_until = null");
  file.close();
  const [begun, sent] = [performance.now(), hooks.requests];
  while (stored(state).deliveries.rows && performance.now() - begun < PATIENCE_MS) {
    await fetch(`${address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
    await pause(500);
  }
  return {
    each,
    waiting,
    taken: stored(state),
    requests: hooks.requests - sent,
    bytes: hooks.bytes,
    seconds: (performance.now() - begun) / 1000,
  };
}
