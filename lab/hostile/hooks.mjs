// What one project makes the server write, log and send by its web hooks, in a state of its own with small quotas.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database, freePort, portOf, serve, token } from "../../scripts/workerd.mjs";
import { ask, must } from "./client.mjs";
import { inspect } from "./inspector.mjs";

const HOOKS = 20;
const QUOTAS = { PROJECT_BYTES: 1_000_000, INSTANCE_BYTES: 4_000_000 };
/** Rows that one push may write, by docs/limits.md. */
const MOST_ROWS = 10_000;
const MOST_BODY = 1_000_000;

/** A receiver whose answers are as long as the log takes. `longest`: bytes of a body that it got. */
async function receive() {
  const got = { longest: 0, requests: 0, close: () => server.close() };
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, "y".repeat(300)]));
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    got.longest = Math.max(got.longest, bytes);
    got.requests++;
    response.writeHead(200, headers).end("z".repeat(9000));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  return Object.assign(got, { address: `http://127.0.0.1:${portOf(server)}/` });
}

function commit() {
  const who = "Ann <ann@example.com> 1700000000 +0000";
  const object = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor ${who}\ncommitter ${who}\n\nfirst\n`;
  const id = createHash("sha1").update(`commit ${object.length}\0${object}`).digest("hex");
  return { id, object, additions: 0, deletions: 0, diff: "[]" };
}

export async function hooks(findings) {
  const state = mkdtempSync(join(tmpdir(), "edgeforge-hooks-"));
  execFileSync("scripts/prepare", [state], { stdio: "ignore" });
  const receiver = await receive();
  const port = await freePort();
  const variables = Object.entries(QUOTAS).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  const server = await serve(state, 0, ["--outbound", receiver.address, "--inspector", String(port), ...variables]);
  const inspector = await inspect(port);
  await inspector.find();
  const owner = (method, path, body) => must(server.address, token, method, `/api/v4${path}`, body);
  const make = async (name) => (await owner("POST", "/projects", { name, path: name })).id;
  const minute = () => fetch(`${server.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
  const count = (sql) => {
    const db = database(state, { readOnly: true });
    const [{ n }] = db.prepare(`select ${sql} as n`).all();
    db.close();
    return n;
  };
  async function push(project, names, sha) {
    const changes = names.map((name) => ({ name, old: null, new: sha, message: null }));
    const answer = await ask(server.address, token, "PUT", `/api/v4/projects/${project}/mirror/refs`, {
      default_branch: "master",
      changes,
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text()}`);
    return Number(/rows_written;desc="(\d+)"/.exec(answer.headers.get("Server-Timing"))[1]);
  }

  const project = await make("fan");
  const first = commit();
  const sha = first.id;
  await owner("POST", `/projects/${project}/mirror/commits`, { commits: [first] });
  await push(project, ["refs/heads/master"], sha);
  for (let n = 0; n < HOOKS; n++)
    await owner("POST", `/projects/${project}/hooks`, { url: `https://r${n}.example.com/in`, push_events: true, tag_push_events: true });
  const refs = (number, name) => Array.from({ length: number }, (_, n) => `refs/${n % 2 ? "tags" : "heads"}/${name}${n}`);
  for (const number of [300, 50, 25]) {
    const rows = await push(project, refs(number, `of${number}-`), sha);
    const waiting = count("(select count(*) from deliveries)");
    findings.check(
      rows <= MOST_ROWS && waiting <= 1000,
      `a push of ${number} refs with ${HOOKS} hooks writes ${rows} rows; ${waiting} deliveries wait`,
    );
  }
  for (let before = -1; before !== receiver.requests; ) {
    before = receiver.requests;
    await minute();
  }
  const bytes = count(`(select bytes from storage where project_id = ${project})`);
  const log = count("(select sum(quota_bytes) from hook_log)");
  findings.check(
    bytes <= QUOTAS.PROJECT_BYTES,
    `${receiver.requests} answers of 24 kB leave ${log} bytes of log in ${count("(select count(*) from hook_log)")} rows; the project has ${bytes} of ${QUOTAS.PROJECT_BYTES} bytes`,
  );
  const other = await make("other");
  const issue = await owner("POST", `/projects/${other}/issues`, { title: "still written" });
  findings.check(issue.iid === 1, "another project is still written to");

  const template = `[${Array(186).fill("{{object_attributes}}").join(",")}]`;
  for (let n = 0; n < 4; n++)
    await owner("POST", `/projects/${other}/hooks`, {
      url: `https://t${n}.example.com/`,
      push_events: false,
      note_events: true,
      custom_webhook_template: template,
    });
  const { wasm: before } = await inspector.sizes();
  receiver.longest = 0;
  await owner("POST", `/projects/${other}/issues/1/notes`, { body: "x".repeat(390_000) });
  await minute();
  const { wasm } = await inspector.sizes();
  findings.check(
    receiver.longest <= MOST_BODY && wasm <= 64 << 20,
    `a template that names a comment of 390 kB 186 times, in four hooks: the longest body has ${receiver.longest} bytes, wasm ${before} -> ${wasm}`,
  );
  inspector.close();
  await server.stop();
  receiver.close();
  rmSync(state, { recursive: true });
}
