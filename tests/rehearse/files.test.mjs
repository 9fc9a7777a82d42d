// Backup and restore as they are typed take the files of issues and packages along: of the stand-in for Cloudflare's API, into
// another database and into a local state.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBucket } from "../../scripts/database/bucket.mjs";
import { start } from "../../scripts/rehearse/server.mjs";

const root = join(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "edgeforge-files-"));
const folder = join(work, "backup");
const bytes = randomBytes(3_000_000);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const secret = "ab".repeat(16);
let rehearsal;
let key;

before(async () => {
  rehearsal = await start({ state: join(work, "account"), quiet: true });
  await ask("POST", "/r2/buckets", { name: "edgeforge-diffs" });
  for (const name of ["edgeforge", "edgeforge-2", "edgeforge-3"]) await ask("POST", "/d1/database", { name });
  const schema = join(work, "schema.sql");
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  writeFileSync(
    schema,
    files
      .sort()
      .map((name) => readFileSync(join(root, "migrations", name), "utf8"))
      .join("\n"),
  );
  const { code, said } = await run("node_modules/wrangler/bin/wrangler.js", [
    "d1",
    "execute",
    "edgeforge",
    "--remote",
    "--yes",
    "--file",
    schema,
  ]);
  assert.equal(code, 0, said);
  const rows = [
    "insert into namespaces (id, kind, path, path_key) values (2, 'user', 'ann', 'ann')",
    "insert into users (id, username, name, email, email_key, created_at) values (2, 'ann', 'Ann', 'a@x', 'a@x', 1)",
    `insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
      values (1, 2, 2, 'p', 'p', 'ann/p', 'ann/p', 'Ann / p', 0, 1, 1)`,
    `insert into uploads (project_id, secret, filename, size, sha256, author_id, created_at)
      values (1, '${secret}', 'a.bin', ${bytes.length}, '${sha256}', 2, 1)`,
  ];
  const answer = await (await ask("POST", "/d1/database/edgeforge/query", { batch: rows.map((sql) => ({ sql })) })).json();
  assert.ok(answer.success, JSON.stringify(answer));
  const { result } = await (await ask("POST", "/d1/database/edgeforge/query", { sql: "select store from object_sweeps" })).json();
  key = `${result[0].results[0].store}/1/uploads/${secret}`;
});

after(async () => {
  await rehearsal.stop();
  rmSync(work, { recursive: true, force: true });
});

async function ask(method, path, body) {
  const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: id, CLOUDFLARE_API_TOKEN: token } = rehearsal.environment;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return await fetch(`${base}/accounts/${id}${path}`, {
    method,
    headers,
    body: body && (body instanceof Buffer ? body : JSON.stringify(body)),
  });
}

const inBucket = async () => Buffer.from(await (await ask("GET", `/r2/buckets/edgeforge-diffs/objects/${key}`)).arrayBuffer());

function run(program, given, variables = {}) {
  const env = { ...process.env, ...rehearsal.environment, ...variables };
  return new Promise((done) =>
    execFile(process.execPath, ["--no-warnings", program, ...given], { cwd: root, env }, (error, out, said) =>
      done({ code: error ? error.code : 0, said: out + said }),
    ),
  );
}

test("a file that the bucket has lost is named, and FILES=0 leaves all out", async () => {
  const without = await run("scripts/backup.mjs", [join(work, "without")], { FILES: "0" });
  assert.match(without.said, /\nFILES=0: the 1 files of issues and packages are not in it\n$/);
  assert.ok(!existsSync(join(work, "without/files")));
  const lost = await run("scripts/backup.mjs", [join(work, "lost")]);
  assert.match(lost.said, /\n0 files of issues and packages, 3000000 bytes; 1 are not in the bucket, or are damaged there\n$/);
  const restored = await run("scripts/restore.mjs", [join(work, "lost"), "--database", "edgeforge-3"]);
  assert.match(restored.said, /\n0 files of issues and packages came back, 0 were in the bucket, 1 are missing there and in the backup\n$/);
});

test("the files come back into a bucket without them, and are left alone in one that has them", async () => {
  await ask("PUT", `/r2/buckets/edgeforge-diffs/objects/${key}`, bytes);
  const backup = await run("scripts/backup.mjs", [folder]);
  assert.match(backup.said, /\n1 files of issues and packages, 3000000 bytes\n$/);
  const beside = await run("scripts/restore.mjs", [folder, "--database", "edgeforge-2"]);
  assert.match(beside.said, /\n0 files of issues and packages came back, 1 were in the bucket\n$/);
  assert.deepEqual(await inBucket(), bytes);
  const state = join(work, "state");
  const local = await run("scripts/restore.mjs", [folder, "--state", state]);
  assert.match(local.said, /\n1 files of issues and packages came back, 0 were in the bucket\n$/);
  process.chdir(root);
  const bucket = await openBucket({ state });
  assert.deepEqual(await bucket?.get(key), bytes);
  await bucket?.close();
  const again = await run("scripts/backup.mjs", [join(work, "again"), "--state", state]);
  assert.match(again.said, /\n1 files of issues and packages, 3000000 bytes\n$/);
});
