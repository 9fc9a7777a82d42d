// Databases of before have the job of each deployment as a status of its commit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesIn } from "../../scripts/migrations.mjs";
import { Sqlite } from "./sqlite.mjs";

/** Three commits. Statuses and deployments as the server made them: `stage` is that of a deployment. */
function formerBuilds() {
  const { file } = Sqlite.migrated("0019");
  file.exec(`
    insert into namespaces (id, kind, path, path_key) values (100, 'user', 'ann', 'ann');
    insert into users (id, username, name, email, email_key, created_at) values (100, 'ann', 'Ann', 'ann@example.com', 'ann@example.com', 1);
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
      values (1, 100, 100, 'p', 'p', 'ann/p', 'ann/p', 'ann / p', 0, 1, 1);
    insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at,
      committer_zone, message, additions, deletions, parent_shas)
      select value, 1, printf('%040x', value), 'A', 'a', 1, 0, 'A', 'a', 1, 0, 'm', 0, 0, '[]' from json_each('[1,2,3]');
    insert into environments (id, project_id, number, name, created_at) values (1, 1, 1, 'live', 1)`);
  const status = (id, commit, name, state, stage = "external", url = null) =>
    file
      .prepare(`insert into statuses (id, project_id, commit_id, ref, name, stage, user_id, state, target_url, created_at, finished_at)
      values (?, 1, ?, 'master', ?, ?, 100, ?, ?, 1, 2)`)
      .run(id, commit, name, stage, state, url);
  const deploy = (iid, id) =>
    file
      .prepare("insert into deployments (project_id, iid, environment_id, status_id, user_id, created_at) values (1, ?, 1, ?, 100, 1)")
      .run(iid, id);
  // a green build, and a deployment that failed twice
  status(1, 1, "build", "success");
  status(2, 1, "live", "failed", "deploy");
  status(3, 1, "live", "failed", "deploy");
  deploy(1, 3);
  // an older status of the same name as a deployment of the stage external
  status(4, 2, "live", "success");
  status(5, 2, "live", "failed");
  deploy(2, 5);
  // a posted status that a deployment took over, with and without another one of its ref
  status(6, 2, "ship", "pending", "deploy", "https://example.com/6");
  deploy(3, 6);
  status(7, 3, "ship", "success", "deploy", "https://example.com/7");
  deploy(4, 7);
  return file;
}

test("the jobs of deployments leave the statuses of their commits", () => {
  const file = formerBuilds();
  // a full project is migrated, too
  file.exec("update stored set project_most = 1, most = 1 where id = 1");
  file.exec(readFileSync("migrations/0020_deployments.sql", "utf8"));
  const rows = (query) =>
    file
      .prepare(query)
      .all()
      .map((row) => Object.values(row).join(" "));
  assert.deepEqual(rows("select id, stage from statuses order by id"), ["1 external", "4 external", "6 external"]);
  assert.deepEqual(rows("select commit_id, name, status_id, posted from status_heads order by 3"), [
    "1 build 1 1",
    "2 live 4 1",
    "2 ship 6 1",
  ]);
  assert.deepEqual(rows("select commit_id, posted, pending, success, failed, pipeline_id, iid from status_counts order by 1"), [
    "1 1 0 1 0 1 1",
    "2 2 1 1 0 4 2",
  ]);
  assert.deepEqual(rows("select iid, commit_id, ref, name, stage, state, finished_at from deployments order by iid"), [
    "1 1 master live deploy failed 2",
    "2 2 master live external failed 2",
    "3 2 master ship deploy pending 2",
    "4 3 master ship deploy success 2",
  ]);
  assert.deepEqual(rows("select count(*) from pragma_foreign_key_check"), ["0"]);
  for (const name of filesIn("migrations").filter((one) => one > "0021")) file.exec(readFileSync(`migrations/${name}`, "utf8"));
  const found = readFileSync("tests/api/storage/recount.sql", "utf8")
    .replace(/^--.*$/gm, "")
    .split(";")
    .filter((query) => query.trim());
  assert.deepEqual(
    found.flatMap((query) =>
      file
        .prepare(query)
        .all()
        .map(({ v }) => v),
    ),
    [],
  );
});
