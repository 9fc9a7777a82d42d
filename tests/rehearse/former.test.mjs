// A deployed database of the former migrations: the upgrade refuses it, and a backup and a restore bring it along, as they are typed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FORMER, schemaOf } from "../../scripts/migrations.mjs";
import { start } from "../../scripts/rehearse/server.mjs";
import { database } from "../../scripts/workerd.mjs";
import { Sqlite } from "../scripts/sqlite.mjs";

const root = join(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "edgeforge-former-d1-"));
const folder = join(work, "backup");
const state = join(work, "state");
let rehearsal;

before(async () => {
  rehearsal = await start({ state: join(work, "account"), quiet: true });
});
after(async () => {
  await rehearsal.stop();
  rmSync(work, { recursive: true, force: true });
});

function run(program, ...given) {
  const env = { ...process.env, ...rehearsal.environment, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  return new Promise((done) => {
    execFile(process.execPath, ["--no-warnings", program, ...given], { cwd: root, env }, (error, out, err) =>
      done({ code: error?.code ?? 0, said: out + err }),
    );
  });
}
const wrangler = (...given) => run("node_modules/wrangler/bin/wrangler.js", ...given);

async function ended(running) {
  const { code, said } = await running;
  assert.equal(code, 0, said);
  return said;
}

test("an upgrade refuses it and changes nothing, and a backup brings it along", async () => {
  const file = join(work, "former.sql");
  writeFileSync(
    file,
    `create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null);
    ${FORMER.map((name) => `insert into d1_migrations (name) values ('${name}');`).join("\n")}
    ${readFileSync(join(root, "tests/scripts/former/schema.sql"), "utf8")}
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    values (7, 1, 1, 'p', 'p', 'root/p', 'root/p', 'Administrator / p', 0, 1, 1);
    insert into issue_counts (project_id) values (7);
    insert into labels (id, project_id, title, color, created_at) values (8, 7, 'bug', '#428BCA', 1);
    insert into issues (id, project_id, iid, author_id, title, confidential, created_at, updated_at) values (9, 7, 1, 1, 'One', 1, 5, 6);
    insert into issue_labels (issue_id, label_id) values (9, 8);`,
  );
  for (const name of ["edgeforge", "edgeforge-2"]) await ended(wrangler("d1", "create", name));
  await ended(wrangler("d1", "execute", "DB", "--remote", "--yes", "--file", file));

  const refused = await run("scripts/migrate.mjs");
  assert.equal(refused.code, 1);
  assert.match(refused.said, /^error: the database was made by the former migrations/);

  await ended(run("scripts/backup.mjs", folder));
  assert.match(await ended(run("scripts/restore.mjs", folder, "--database", "edgeforge-2")), /is of the former migrations/);
  await ended(run("scripts/restore.mjs", folder, "--state", state));
  assert.ok(!existsSync(`${folder}.renewed`));

  // it has the first eight files, and the next `make dev` applies the others
  await ended(run("scripts/prepare.mjs", state));
  const local = database(state, { readOnly: true });
  assert.equal(schemaOf(local), schemaOf(Sqlite.migrated().file));
  assert.deepEqual({ ...local.prepare("select * from issue_labels").get() }, { issue_id: 9, label_id: 8, section: 2, created_at: 5 });
  assert.equal(local.prepare("select opened_hidden from labels").get().opened_hidden, 1);
  local.close();
  const told = await ended(
    wrangler(
      "d1",
      "execute",
      "edgeforge-2",
      "--remote",
      "--json",
      "--command",
      "select iid, section, (select count(*) from d1_migrations) as files from issues",
    ),
  );
  assert.deepEqual(JSON.parse(told)[0].results, [{ iid: 1, section: 2, files: 8 }]);
});
