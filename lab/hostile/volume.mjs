// Adds by SQL what the API would take very long for: the rows are those that the API writes, and the triggers count
// them. The server is stopped.
import { readFileSync, readdirSync } from "node:fs";
import { database } from "../../scripts/workerd.mjs";

const ISSUES = 20_000;
const WORDS = 45;
/** As many as one user may write in an hour. */
const SEARCHED = 1000;
/** The longest description that a search reads, as the newest migration has it. */
const migrations = readdirSync("migrations")
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => readFileSync(`migrations/${name}`, "utf8"));
const SEARCHED_BYTES = Number([...migrations.join("").matchAll(/iif\(octet_length\(description\) <= (\d+)/g)].at(-1)[1]);
/** Tries in the log of each hook, and of them those with the longest answers that are kept. */
const TRIES = 6000;
const LONG_TRIES = 100;
/** With the others just below the 2,000 projects that a list of issues may span. */
const HERD = 950;
const ACTS = 20_000;
const VOCABULARY = "common words that are the content which everybody writes into issues when something is wrong with it or not".split(" ");

export function addVolume(state, { ids, group, projects }) {
  const db = database(state);
  const idOf = (name) => projects[name]["projects/{id}"][0];
  const now = 1_700_000_000_000;
  db.exec("pragma synchronous = off; begin");

  const words = idOf("words");
  const titles = ["bug", "feature", "later", "ci"];
  const insertLabel = db.prepare("insert into labels (project_id, title, color, created_at) values (?, ?, '#428BCA', ?)");
  const labels = titles.map((title) => Number(insertLabel.run(words, title, now).lastInsertRowid));
  const insertMilestone = db.prepare(
    "insert into milestones (project_id, iid, title, due_date, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
  );
  const milestones = Array.from({ length: 10 }, (_, n) =>
    Number(insertMilestone.run(words, n + 1, `v${n}`, `20${20 + n}-01-31`, now, now).lastInsertRowid),
  );
  const insert =
    db.prepare(`insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential, due_date, created_at, updated_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const attach = db.prepare(
    "insert into issue_labels (issue_id, label_id, section, created_at) select id, ?, section, created_at from issues where id = ?",
  );
  // pseudorandom, and the same every time
  let state32 = 1;
  const pick = (most) => (state32 = (Math.imul(state32, 1664525) + 1013904223) >>> 0) % most;
  const sentence = () => Array.from({ length: WORDS }, () => VOCABULARY[pick(VOCABULARY.length)]).join(" ");
  for (let n = 1; n <= ISSUES; n++) {
    const author = n % 3 ? ids.mallory : ids.gus;
    const { lastInsertRowid: id } = insert.run(
      words,
      n,
      author,
      n % 5 ? null : ids.gus,
      n % 2 ? null : milestones[pick(10)],
      `Something common is wrong, number ${n}`,
      sentence(),
      n % 5 < 3 ? "opened" : "closed",
      n % 20 === 7 ? 1 : 0,
      n % 4 ? null : "2026-01-31",
      now + n * 60_000,
      now + n * 60_000 + pick(30) * 60_000,
    );
    for (const label of labels.filter((_, at) => n % (at + 2) === 0)) attach.run(label, id);
  }
  Object.assign(projects.words, {
    "milestones/{milestone_id}": [milestones[0]],
    "labels/{label_id}": [titles[0]],
    "labels/{name}": [titles[0]],
  });

  const { last: firstTries } = db.prepare("select max(id) as last from hook_log").get();
  const { last } = db.prepare("select last_iid as last from issue_counts where project_id = ?").get(idOf("long"));
  const text = "common ".repeat(SEARCHED_BYTES / 7);
  for (let n = 1; n <= SEARCHED; n++)
    insert.run(idOf("long"), last + n, ids.mallory, null, null, "common", text, "opened", 0, null, now + n, now + n);

  const headers = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, "\u0001".repeat(170)])));
  for (const [from, count, answer] of /** @type {[number, number, string[]][]} */ ([
    [0, TRIES, ["{}", ""]],
    [TRIES, LONG_TRIES, [headers, "\u0001".repeat(8000)]],
  ])) {
    db.prepare(`insert into hook_log (hook_id, project_id, event_id, webhook_id, attempt, bit, url, request_headers, response_status, response_headers, response_body, millis, created_at)
      select l.hook_id, l.project_id, l.event_id, l.webhook_id, 1, l.bit, l.url, l.request_headers, 500, ?, ?, 1, l.created_at
      from hook_log l join json_each(?) on true where l.id <= ?`).run(
      ...answer,
      JSON.stringify(Array.from({ length: count }, (_, n) => from + n)),
      firstTries,
    );
  }

  db.prepare(`insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, created_at)
    select 1, iif(value % 3, 'User', 'SystemHook'), value, 'PUT /users/:id', ?, printf('%016x', value), ? + value
    from json_each(?)`).run("/".repeat(200), now, JSON.stringify(Array.from({ length: ACTS }, (_, n) => n)));

  const project =
    db.prepare(`insert into projects (namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    values (?, ?, ?, ?, ?, ?, ?, 20, ?, ?)`);
  const counts = db.prepare("insert into issue_counts (project_id) values (?)");
  for (let n = 1; n <= HERD; n++) {
    const path = `hostile/herd-${n}`;
    const { lastInsertRowid: id } = project.run(
      group,
      ids.mallory,
      `herd ${n}`,
      `herd-${n}`,
      path,
      path,
      `hostile / herd ${n}`,
      now + n,
      now + n,
    );
    counts.run(id);
    insert.run(id, 1, ids.mallory, null, null, "common", sentence(), "opened", 0, null, now + n, now + n);
  }
  db.exec("commit; pragma wal_checkpoint(truncate)");
  db.close();
  return `words: ${ISSUES} issues of ${WORDS} words; long: ${SEARCHED} issues of ${SEARCHED_BYTES} bytes; ${HERD} projects with an issue each; ${ACTS} acts of administrators`;
}
