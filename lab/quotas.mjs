// Writes 64 at once to a Worker with quotas of 50 writes an hour, 300,000 bytes a project and 500,000 bytes in total. Counts stored records by reading them back. ADMIN_TOKEN is root's.
//
//   node lab/quotas.mjs ADDRESS
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const [server] = process.argv.slice(2);
const WRITERS = 64;
let failed = false;

function tell(holds, text) {
  console.log(`${holds ? "ok" : "NOT SO"}: ${text}`);
  failed ||= !holds;
}

async function ask(method, path, token, body) {
  const headers = { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(`${server}/api/v3${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, json: text && JSON.parse(text), wait: answer.headers.get("Retry-After"), total: Number(answer.headers.get("X-Total")) };
}

/** Runs each, many at once. Returns how often each status was answered. */
async function all(tasks) {
  const left = [...tasks];
  const statuses = {};
  await Promise.all(Array.from({ length: WRITERS }, async () => {
    for (let task = left.pop(); task; task = left.pop()) {
      const { status } = await task();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }));
  return statuses;
}
const countsOf = (statuses) => Object.entries(statuses).map(([status, count]) => `${count} answered ${status}`).join(", ");

const root = process.env.ADMIN_TOKEN;
const name = "ann";
const ann = (await ask("POST", "/users", root, { name, username: name, email: "ann@example.com" })).json.id;
const token = (await ask("POST", `/users/${ann}/personal_access_tokens`, root, { name })).json.token;
const [one, other] = await Promise.all(["one", "other"].map(async (name) => (await ask("POST", "/projects", token, { name })).json.id));

// start early enough in an hour
const left = 3_600_000 - (Date.now() % 3_600_000);
if (left < 30_000) await pause(left + 500);
const first = (await ask("POST", `/projects/${one}/issues`, token, { title: "first" })).json.id;
const notes = `/projects/${one}/issues/${first}/notes`;
const writes = Array.from({ length: 400 }, (_, n) => () => (n % 2 ? ask("POST", notes, token, { body: "x" }) : ask("POST", `/projects/${one}/issues`, token, { title: "x" })));
const written = await all(writes);
const stored = (await ask("GET", `/projects/${one}/issues`, token)).total + (await ask("GET", notes, token)).total;
// two projects were written, too
tell(stored === 48, `400 issues and comments, ${WRITERS} at once, of which 47 fit: ${countsOf(written)}; ${stored} are stored`);
const late = await ask("POST", `/projects/${one}/issues`, token, { title: "late" });
tell(late.status === 429 && Number(late.wait) > 0, `one more: ${late.status} ${late.json.message}, Retry-After: ${late.wait}`);
const imported = await all(Array.from({ length: 100 }, (_, n) => () => ask("POST", `/projects/${one}/issues${n % 2 ? "?sudo=ann" : ""}`, root, { title: "imported" })));
tell(imported[200] === 100, `100 more by an administrator, half of them as that user: ${countsOf(imported)}`);

/** A commit without parents and with a diff of that many bytes, as the hook sends it. */
function commit(bytes) {
  const object = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n${randomBytes(8).toString("hex")}`;
  const id = createHash("sha1").update(`commit ${object.length}\0${object}`).digest("hex");
  const entry = { diff: "x".repeat(bytes), old_path: "a", new_path: "a", a_mode: null, b_mode: null, new_file: false, renamed_file: false, deleted_file: false };
  return { id, object, additions: 0, deletions: 0, diff: JSON.stringify([entry]) };
}
/** Waits as the hook does where the server answers so many pushes at once with 429. */
const push = (project) => async () => {
  for (;;) {
    const answer = await ask("POST", `/projects/${project}/mirror/commits`, root, { commits: [commit(10_000)] });
    if (answer.status !== 429) return answer;
    await pause(Number(answer.wait) * 1000);
  }
};
const bytesOf = async (project) => (await ask("GET", `/projects/${project}/mirror`, token)).json.bytes;
const pushed = await all(Array.from({ length: 100 }, () => push(one)));
const used = await bytesOf(one);
tell(used <= 300_000 && used > 285_000 && pushed[507] > 0, `100 pushes of 10 kB, ${WRITERS} at once: ${countsOf(pushed)}; ${used} bytes of 300000 are used`);
const elsewhere = await all(Array.from({ length: 100 }, () => push(other)));
const both = used + (await bytesOf(other));
tell(both <= 500_000 && both > 485_000 && elsewhere[507] > 0, `100 more to another project: ${countsOf(elsewhere)}; ${both} bytes of 500000 are used`);
tell(true, (await push(other)()).json.message);
process.exitCode = failed ? 1 : 0;
