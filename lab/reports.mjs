// What reports of CI cost on the built Worker: PUT of 2,000 and of 100,000 tests, their test_report and problems, a gate of
// 50 names; and whether a row and an object of a report stay together when workerd is killed. Variables: CASES, ROUNDS, KILLS.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { reportOf } from "../scripts/demo-reports.mjs";
import { database, pause, serve, token } from "../scripts/workerd.mjs";
import { bucket, median } from "./contents/world.mjs";

const sizes = (process.env.CASES ?? "2000,100000").split(",").map(Number);
const rounds = Number(process.env.ROUNDS ?? 5);
const NAMES = Array.from({ length: 50 }, (_, at) => `ci/gate ${at}`);
const state = mkdtempSync(join(tmpdir(), "reports-"));
execFileSync("scripts/prepare", [state], { stdio: "ignore" });

{
  const db = database(state);
  const [{ id: user }] = db.prepare("select id from users order by id limit 1").all();
  db.exec(`insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at, default_branch)
      values (1001, ${user}, ${user}, 'p', 'p', 'root/p', 'root/p', 'p', 20, 0, 0, 'main');
    insert or ignore into issue_counts (project_id) values (1001); insert or ignore into storage (project_id) values (1001)`);
  db.close();
}
const begin = () => serve(state, 0, ["--var", "REQUESTS_PER_MINUTE=0"]);
let server = await begin();

/** One request: status, body, milliseconds until its first byte and its end, of the database, and of the processor. */
async function ask(method, path, body, headers = {}) {
  const [began, before] = [performance.now(), server.processor];
  const answer = await fetch(`${server.address}/api/v4/projects/1001${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, ...headers },
    body,
  });
  const reader = answer.body.getReader();
  const parts = [];
  let first = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    first ||= performance.now() - began;
    parts.push(part.value);
  }
  const timing = answer.headers.get("Server-Timing") ?? "";
  const figure = (name) => Number(new RegExp(`${name};(?:dur=|desc=")([\\d.]+)`).exec(timing)?.[1] ?? NaN);
  return {
    status: answer.status,
    text: Buffer.concat(parts).toString(),
    first,
    wall: performance.now() - began,
    processor: server.processor - before,
    database: figure("d1"),
    trips: figure("trips"),
    read: figure("rows_read"),
    written: figure("rows_written"),
  };
}
const json = (body) => [JSON.stringify(body), { "Content-Type": "application/json" }];
async function must(expected, ...request) {
  const answer = await ask(...request);
  if (answer.status !== expected) throw new Error(`${request[0]} ${request[1]} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}

/** The most memory of workerd since `forget`, in MiB. Its databases and buckets are in the same process. */
const memory = () => {
  const most = server.workerds.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0));
  return Math.max(...most) / 1024;
};
const forget = () => server.workerds.forEach((pid) => writeFileSync(`/proc/${pid}/clear_refs`, "5"));

/** The answers of all rounds. */
async function repeated(act) {
  const answers = [];
  for (let round = 0; round < rounds; round++) answers.push(await act());
  return answers;
}

function told(what, answers, more = "") {
  const each = (name) => median(answers.map((answer) => answer[name]));
  const { trips, read, written } = answers.at(-1);
  console.log(
    `${what.padEnd(38)} wall ${each("wall").toFixed(0)} ms, first byte ${each("first").toFixed(0)}, processor of workerd ${each("processor")}, database ${each("database").toFixed(1)}; ${trips} trips, rows read ${read}, written ${written}${more}`,
  );
}

/** A report of so many tests, of which every hundredth failed, at most `broken`. */
function report(count, broken = Math.ceil(count / 100)) {
  /** @type {any[]} */
  const lines = [];
  for (let at = 0; at < count; at++) {
    const one = {
      status: at < broken ? "failed" : "success",
      name: `adds ${at} numbers and compares them`,
      execution_time: Number((2 - at / count).toFixed(4)),
    };
    if (at % 100 === 0) Object.assign(one, { classname: `tests.unit.module_${at / 100}.Sum`, file: `tests/unit/module_${at / 100}.py` });
    if (at < broken) one.system_output = "assert left == right\n  left: 3\n right: 4\n";
    lines.push(one);
  }
  return reportOf("tests", lines);
}

/** Objects of reports without a row, rows without an object, and the bytes of the rows beside those that are counted. */
function compared() {
  const [rows, objects] = [database(state), bucket(state)];
  const stored = new Set(
    objects
      .prepare("select key from _mf_objects where key like '%/reports/%'")
      .all()
      .map(({ key }) => key),
  );
  const keys = rows
    .prepare(
      "select coalesce(r.store, w.store) || '/' || r.project_id || '/reports/' || r.job_id || '.' || r.kind || '.' || r.object as key from reports r cross join object_sweeps w where r.object is not null",
    )
    .all();
  const missing = keys.filter(({ key }) => !stored.delete(key)).length;
  const { bytes } = rows.prepare("select coalesce(sum(size), 0) as bytes from reports").get();
  const { counted } = rows.prepare("select sum(reports) as counted from storage").get();
  rows.close();
  objects.close();
  return { missing, forgotten: stored.size, difference: counted - bytes, rows: keys.length };
}

/** Kills workerd while reports arrive; each is sent again afterwards. Then the sweep removes what no row names. */
async function killed(kills, status) {
  const packed = gzipSync(report(20_000));
  const put = (id) => ask("PUT", `/jobs/${id}/reports/tests`, packed, { "Content-Encoding": "gzip" });
  const answers = { first: {}, again: {} };
  const note = (list, status) => (list[status] = (list[status] ?? 0) + 1);
  for (let kill = 0; kill < kills; kill++) {
    const { id } = await status(`ci/kill ${kill}`, "failed");
    const sent = put(id).then(
      (answer) => answer.status,
      () => "lost",
    );
    await pause(Math.random() * 250);
    await server.kill();
    note(answers.first, await sent);
    server = await begin();
    note(answers.again, (await put(id)).status);
  }
  await server.stop();
  const before = compared();
  const objects = bucket(state);
  objects.prepare("update _mf_objects set uploaded = uploaded - ?").run(2 * 3_600_000);
  objects.close();
  server = await begin();
  for (let run = 0; run < 20; run++) await fetch(`${server.address}/cdn-cgi/local/scheduled`);
  const after = compared();
  console.log(
    `${kills} kills while a report arrived: answers ${JSON.stringify(answers.first)}, of the retry ${JSON.stringify(answers.again)}; ${JSON.stringify(before)}, after the sweep ${JSON.stringify(after)}`,
  );
}

try {
  const repository = join(state, "one.git");
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository]);
  const git = (...args) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { encoding: "utf8" }).trim();
  git("commit", "--quiet", "--allow-empty", "--message", "One");
  const sha = git("rev-parse", "HEAD");
  execFileSync(
    process.env.HOOK ?? "target/release/edgeforge-mirror",
    ["sync", "--quiet", "--repository", repository, "--server", server.address, "--project", "1001"],
    {
      env: { ...process.env, EDGEFORGE_TOKEN: token },
    },
  );
  let last = 0;
  const status = async (name, state) =>
    JSON.parse((await must(201, "POST", `/statuses/${sha}`, ...json({ name, state, ref: "main" }))).text);
  const put = async (body) => {
    const { id } = await status(`ci/${++last}`, "failed");
    const packed = gzipSync(body);
    return { ...(await must(201, "PUT", `/jobs/${id}/reports/tests`, packed, { "Content-Encoding": "gzip" })), id };
  };
  for (const size of sizes) {
    const body = report(size);
    await put(report(10));
    forget();
    const answers = await repeated(() => put(body));
    told(`PUT of ${size} tests`, answers, `, ${(body.length / 1e6).toFixed(1)} MB; memory of workerd ${memory().toFixed(0)} MiB`);
    const { pipeline } = JSON.parse((await must(200, "GET", `/jobs/${answers[0].id}`)).text);
    const problems = await repeated(() => must(200, "GET", `/pipelines/${pipeline.id}/problems?job_id=${answers[0].id}`));
    told(`problems of one job of ${size} tests`, problems, `, ${problems[0].text.length} bytes`);
    if (size === sizes.at(-1)) {
      forget();
      const ids = [];
      for (let at = 0; at < 8; at++) ids.push((await status(`ci/many ${at}`, "failed")).id);
      const packed = gzipSync(body);
      const before = performance.now();
      const all = await Promise.all(ids.map((id) => ask("PUT", `/jobs/${id}/reports/tests`, packed, { "Content-Encoding": "gzip" })));
      const counts = all.map(({ status }) => status).sort();
      console.log(
        `eight PUTs of ${size} tests at once       ${counts} in ${(performance.now() - before).toFixed(0)} ms; memory of workerd ${memory().toFixed(0)} MiB`,
      );
    }
  }
  const { id: pipelineId } = JSON.parse((await must(200, "GET", "/pipelines")).text)[0];
  forget();
  const reports = await repeated(() => must(200, "GET", `/pipelines/${pipelineId}/test_report`));
  const { total_count: total, test_suites: suites } = JSON.parse(reports[0].text);
  const shown = suites.reduce((sum, suite) => sum + suite.test_cases.length, 0);
  told(
    "test_report",
    reports,
    `, ${suites.length} suites, ${total} tests, ${shown} with their cases, ${(reports[0].text.length / 1e6).toFixed(1)} MB; memory of workerd ${memory().toFixed(0)} MiB`,
  );
  told("test_report_summary", await repeated(() => must(200, "GET", `/pipelines/${pipelineId}/test_report_summary`)));
  for (const name of NAMES) await status(name, "success");
  const query = new URLSearchParams([...NAMES.map((name) => ["names[]", name]), ["ref", "main"]]);
  told("a gate of 50 names", await repeated(() => must(200, "GET", `/repository/commits/${sha}/gate?${query}`)));
  await killed(Number(process.env.KILLS ?? 20), status);
} finally {
  await server.stop();
  rmSync(state, { recursive: true, force: true });
}
