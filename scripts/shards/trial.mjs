// See scripts/shards/run. A project is served from one database, then its repository is moved to the second one, and it is
// served from both. The answers must be the same; what each costs is printed.
//
//   node scripts/shards/trial.mjs --state DIR --config FILE
import { copyFileSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { chain } from "../objects.mjs";
import { Findings, serve, token } from "../workerd.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, config: { type: "string" } } });
const findings = new Findings();
const check = (holds, text) => findings.check(holds, text);
const start = (apart) => serve(given.state, 0, ["--config", given.config, "--main", "scripts/shards/entry.mjs", "--var", `APART=${apart}`, "--var", "EXTERNAL_URL=https://forge.example.com"]);

const ROUNDS = 50;
const COMMITS = 200;
const TABLES = ["status_heads", "status_counts", "commit_comments", "deployments", "environments", "statuses", "branch_counts", "branch_queue", "diffs", "parents", "refs", "forgotten_commits", "staged_swaps", "mirrors", "commits"];

const diff = (number) => JSON.stringify([{ old_path: "a", new_path: "a", a_mode: "100644", b_mode: "100644", new_file: false, renamed_file: false, deleted_file: false, diff: `@@ -1 +1 @@\n-${number}\n+${"x".repeat(20_000)}\n` }]);
const commits = chain(COMMITS).map((commit, number) => ({ ...commit, diff: diff(number) }));
const shas = commits.map(({ id }) => id);

/** Milliseconds of processor time of the server's workerd so far. */
const processor = (server) =>
  server.workerds.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
const counted = async (server) => (await fetch(`${server.address}/counted`)).json();

const at = "/projects/load%2Fload";
const READS = {
  "commits, 20": (n) => [`${at}/repository/commits?page=${1 + (n % 5)}`],
  "one commit": (n) => [`${at}/repository/commits/${shas[100 + (n % 100)]}`],
  "a diff of 20 kB": (n) => [`${at}/repository/commits/${shas[n % COMMITS]}/diff`],
  "statuses, 20": (n) => [`${at}/repository/commits/${shas[n % 2]}/statuses`],
};
let posts = 0;
const POST = () => [`${at}/statuses/${shas[2 + (posts++ % 90)]}`, "POST", { state: "running", name: `job ${posts}` }];

/** Asks one kind of question many times: what one costs, and all that was answered. */
async function measure(server, who, question) {
  for (let n = 0; n < 10; n++) await server.ask(who, ...asked(question(n)));
  await counted(server);
  const [before, began] = [processor(server), performance.now()];
  const answers = [];
  for (let n = 0; n < ROUNDS; n++) answers.push(await server.ask(who, ...asked(question(n))));
  const wall = performance.now() - began;
  const spent = processor(server) - before;
  const { home, repository, steps, refreshed, millis } = await counted(server);
  const each = (number) => number / ROUNDS;
  return { answers, home: each(home), repository: each(repository), steps: each(steps), refreshed, millis: each(millis), wall: each(wall), spent: each(spent) };
}
const asked = ([path, method = "GET", body]) => [method, path, body];

async function measured(server, who) {
  const found = {};
  for (const [name, question] of Object.entries(READS)) found[name] = await measure(server, who, question);
  found["POST a status"] = await measure(server, who, POST);
  return found;
}

/** Files of the two local databases, the first one first. */
function files() {
  const folder = join(given.state, "v3/d1/miniflare-D1DatabaseObject");
  const found = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite").map((name) => join(folder, name));
  const users = (file) => {
    const database = new DatabaseSync(file);
    const { n } = database.prepare("select count(*) as n from users").get();
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    return n;
  };
  return found.sort((a, b) => users(b) - users(a));
}

/** Moves all repositories: the second database becomes a copy, without tokens; the first one keeps no row of a repository. */
function move() {
  const [first, second] = files();
  for (const end of ["-wal", "-shm"]) rmSync(second + end, { force: true });
  copyFileSync(first, second);
  const repositories = new DatabaseSync(second);
  repositories.exec("delete from tokens");
  repositories.close();
  const home = new DatabaseSync(first);
  home.exec("pragma foreign_keys = off");
  for (const table of TABLES) home.exec(`delete from ${table}`);
  home.close();
}

let server = await start("0");
const group = await server.make("/groups", { name: "load", path: "load", visibility_level: 0 });
const project = await server.make("/projects", { name: "load", path: "load", namespace_id: group.id, visibility_level: 0 });
async function person(name) {
  const user = await server.make("/users", { username: name, name, email: `${name}@example.com` });
  const made = await server.make(`/users/${user.id}/personal_access_tokens`, { name: "t" });
  await server.make(`${at}/members`, { user_id: user.id, access_level: 30 });
  return { id: user.id, token: made.token, token_id: made.id };
}
const [ann, bob, eve] = [await person("ann"), await person("bob"), await person("eve")];
let written = 0;
for (let from = 0; from < COMMITS; from += 50) {
  const pushed = await server.ask(token, "POST", `${at}/mirror/commits`, { commits: commits.slice(from, from + 50) });
  check(pushed.status === 201, `pushed ${from} to ${from + 50}`);
  written += pushed.written;
}
await server.ask(token, "PUT", `${at}/mirror/refs`, { default_branch: "master", changes: [{ name: "refs/heads/master", old: null, new: shas.at(-1) }] });
for (let n = 0; n < 80; n++) await server.make(`${at}/statuses/${shas[n % 2]}`, { state: "success", name: `job ${n}` }, ann.token);
const one = await measured(server, ann.token);
await server.stop();

move();
server = await start("1");
const two = await measured(server, ann.token);

console.log("what is the same");
for (const name of Object.keys(READS)) {
  const same = one[name].answers.every((answer, n) => answer.status === 200 && JSON.stringify(answer.json) === JSON.stringify(two[name].answers[n].json));
  check(same, `${name}: ${ROUNDS} answers, none differs`);
}
check(two["POST a status"].answers.every(({ status }) => status === 201), "statuses are posted");

console.log("what is taken away, at once");
const commitsOf = async (who) => (await server.ask(who, "GET", `${at}/repository/commits`)).status;
check((await commitsOf(bob.token)) === 200 && (await commitsOf(eve.token)) === 200, "bob and eve read, whose tokens the second database has not seen");
await server.ask(token, "DELETE", `/users/${bob.id}/personal_access_tokens/${bob.token_id}`);
check((await commitsOf(bob.token)) === 401, "a revoked token reads nothing");
check((await server.ask(bob.token, ...asked(POST()))).status === 401, "and writes nothing");
await server.ask(token, "DELETE", `${at}/members/${eve.id}`);
check((await commitsOf(eve.token)) === 404, "who is no member any more reads nothing");
check((await server.ask(eve.token, ...asked(POST()))).status === 404, "and writes nothing");
check((await server.make(`${at}/issues`, { title: "an issue" }, ann.token)).iid === 1, "issues are made in the first database");
await server.stop();
const [first, second] = files().map((file) => new DatabaseSync(file));
const rows = (database) => TABLES.reduce((sum, table) => sum + database.prepare(`select count(*) as n from ${table}`).get().n, 0);
check(rows(first) === 0 && rows(second) > 1_000, `rows of repositories: ${rows(first)} in the first database, ${rows(second)} in the second`);

const number = (value, digits, wide) => value.toFixed(digits).padStart(wide);
const line = (name, { steps, home, repository, millis, spent, wall }) =>
  console.log(`${name.padEnd(36)}${number(steps, 1, 8)}${number(home, 1, 8)}${number(repository, 1, 8)}${number(millis, 2, 10)}${number(spent, 2, 10)}${number(wall, 2, 10)}`);
console.log(`\nmeans of ${ROUNDS}; trips: one after the other; first, second: batches of each database\n${"".padEnd(36)}` + ["trips", "first", "second", "D1 ms", "CPU ms", "wall ms"].map((name, at) => name.padStart(at < 3 ? 8 : 10)).join(""));
for (const name of Object.keys(one)) {
  line(`${name}, one database`, one[name]);
  line(`${"".padEnd(name.length)}  two`, two[name]);
}
console.log(`\na commit with its diff is ${number(written / COMMITS, 1, 0)} rows written, those of indexes included`);
findings.end();
