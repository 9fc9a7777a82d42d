// Files and archives that are long when unpacked: the memory of workerd while many are sent, and while nobody reads them. The
// platform counts what its streams hold, which the inspector does not show.
import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { pause, serve } from "../../scripts/workerd.mjs";
import { MOST } from "./bounds.mjs";

const MIB = 1 << 20;
/** Milliseconds in which a Worker that does not wait for readers unpacks everything. */
const PATIENCE = 15_000;

/** A gigabyte of zeros. It is sent without a token. */
const BOMB = gzipSync(Buffer.alloc(1 << 30));
const PACKED = { "Content-Encoding": "gzip", "Content-Type": "application/json" };

/** How many at once, what, path and headers and body, whether nobody reads the answer. */
const CASES = /** @type {[number, string, [string, any?, any?], boolean?][]} */ ([
  [32, "bodies of 1 MB that unpack to 1 GB", ["issues", PACKED, BOMB]],
  [12, "the last byte of 99 MB", ["repository/files/zeros/raw?ref=zeros", { Range: "bytes=98999999-" }]],
  [15, "files of 99 MB that nobody reads", ["repository/files/zeros/raw?ref=zeros"], true],
  [8, "archives of 60 MB", ["repository/archive.tar?sha=bombs"]],
  [8, "packed archives of 60 MB that nobody reads", ["repository/archive.tar.gz?sha=bombs"], true],
]);

/** Resolves with the status after the last byte, or at once if nobody is to read. */
function ask(address, headers = {}, body = undefined, isUnread = false) {
  return new Promise((done, failed) => {
    const asked = request(address, { headers, method: body ? "POST" : "GET", agent: false }, (answer) => {
      if (isUnread) return done(answer.statusCode);
      answer
        .on("end", () => done(answer.statusCode))
        .on("error", failed)
        .resume();
    });
    asked.on("error", failed).end(body);
  });
}

export async function streams({ state, project, findings }) {
  for (const [times, what, [path, headers, body], isUnread] of CASES) {
    const server = await serve(state);
    const memory = () => 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", String(server.workerds[0])], { encoding: "utf8" }));
    const at = `${server.address}/api/v4/projects/${project}/`;
    await ask(`${at}repository/tree`);
    const before = memory();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, memory())), 100);
    const statuses = await Promise.all(Array.from({ length: times }, () => ask(at + path, headers, body, isUnread)));
    if (isUnread) await pause(PATIENCE);
    clearInterval(watch);
    const grown = ((most - before) / MIB).toFixed(0);
    // who has as many places as one person gets waits
    const isServed = statuses.some((status) => [200, 206, 401].includes(status));
    findings.check(
      most - before <= MOST.streams && isServed && statuses.every((status) => status < 300 || status === 401 || status === 429),
      `${times} ${what}: ${grown} MiB more in workerd`,
    );
    await server.stop();
  }
}
