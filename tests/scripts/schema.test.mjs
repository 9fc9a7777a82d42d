// docs/schema.sql shows the schema that all migrations together make: each table with its indexes and triggers, then
// the views. UPDATE_SNAPSHOTS=1 node --no-warnings --test tests/scripts/schema.test.mjs writes it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { splitNarrowly, splitWholly } from "../../scripts/database/split.mjs";
import { filesIn } from "../../scripts/migrations.mjs";

const FILE = "docs/schema.sql";
const HEAD = `-- The schema that all files of migrations/ together make, as SQLite keeps it: tables by name, each with its indexes by
-- name and its triggers in the order of creation, then views by name. migrations/ also has the comments on tables,
-- triggers and views. UPDATE_SNAPSHOTS=1 node --no-warnings --test tests/scripts/schema.test.mjs writes this file.
`;

const read = (name) => readFileSync(`migrations/${name}`, "utf8");

function objects() {
  const database = new DatabaseSync(":memory:");
  for (const name of filesIn("migrations")) database.exec(read(name));
  // what SQLite creates for itself has no text
  return database.prepare("select type, name, tbl_name as of, sql from sqlite_schema where sql is not null order by rowid").all();
}

const byName = (one, other) => (one.name < other.name ? -1 : 1);
const text = ({ sql }) => `${sql.replace(/^CREATE (TABLE|UNIQUE INDEX|INDEX|TRIGGER|VIEW)/, (words) => words.toLowerCase())};\n`;

/** One paragraph for each table with its indexes, each trigger and each view. */
function schema(all) {
  const typed = (type) => all.filter((object) => object.type === type);
  const tables = typed("table")
    .sort(byName)
    .flatMap((table) => {
      const own = (type) => typed(type).filter(({ of }) => of === table.name);
      return [[table, ...own("index").sort(byName)].map(text).join(""), ...own("trigger").map(text)];
    });
  return [HEAD, ...tables, ...typed("view").sort(byName).map(text)].join("\n");
}

test("docs/schema.sql shows what the migrations make", () => {
  const made = schema(objects());
  if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(FILE, made);
  const known = existsSync(FILE) ? readFileSync(FILE, "utf8") : "";
  assert.ok(known === made, `${FILE} is stale: write it with UPDATE_SNAPSHOTS=1 node --no-warnings --test tests/scripts/schema.test.mjs`);
});

// Columns that a later file has added, with the reason why reading the pages of the long text before them is bearable.
const BEHIND = /** @type {Record<string, string>} */ ({
  "issue_words.description": "the table keeps no texts",
  "groups.creator_id": "a description has at most 2,000 letters, and what reads this column reads one group",
});

test("long texts are the last columns of their tables, so that no other column costs their pages", () => {
  const LONG = ["description", "body", "note", "message", "text", "before", "snapshot"];
  const database = new DatabaseSync(":memory:");
  for (const name of filesIn("migrations")) database.exec(read(name));
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const early = tables.flatMap(({ name: table }) => {
    const columns = database.prepare("select name, type from pragma_table_xinfo(?) where hidden = 0").all(table);
    const first = columns.findIndex(({ name }) => LONG.includes(String(name)));
    return first < 0
      ? []
      : columns
          .slice(first)
          .filter(({ type }) => type !== "TEXT")
          .map(({ name }) => `${table}.${name}`)
          .filter((name) => !BEHIND[name]);
  });
  assert.deepEqual(early, [], "columns behind a long text: see BEHIND");
});

test("comments hold nothing that a narrow splitter takes for the end of a statement or the begin of a text", () => {
  for (const name of filesIn("migrations")) {
    for (const [at, line] of read(name).split("\n").entries()) {
      const comment = line.split("--").slice(1).join("--");
      assert.doesNotMatch(comment, /['";]/, `${name}:${at + 1}`);
    }
  }
});

test("triggers are spelled for the narrowest reader: BEGIN and END in upper case, no CASE", () => {
  const triggers = filesIn("migrations").flatMap((name) => [...splitWholly(read(name))].filter((text) => /create\s+trigger/i.test(text)));
  assert.ok(triggers.length > 0);
  for (const trigger of triggers) {
    const words = trigger.replace(/--.*/g, "").replace(/'(?:[^']|'')*'/g, "");
    assert.doesNotMatch(words, /\bcase\b/i, trigger);
    assert.doesNotMatch(words, /\b(begin|end|Begin|End)\b/, trigger);
  }
  assert.ok(splitNarrowly(triggers[0]).length > 1, "a splitter at semicolons breaks a trigger");
});
