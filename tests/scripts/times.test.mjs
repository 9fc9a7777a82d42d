// The documents and the commands say the seconds that were measured last, docs/times.tsv, and no others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(path, "utf8");
const lines = read("docs/times.tsv")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));
const measured = lines.map((line) => line.split("\t"));
/** The rows of a document's tables with a measured command in the first column. */
const rowsOf = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.split("|").length === 5)
    .flatMap((line) => {
      const [first, ...values] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.replaceAll("`", "").trim());
      const found = measured.find(([name]) => (name.startsWith("after") ? first.endsWith(name) : first.startsWith(name)));
      return found ? [{ name: found[0], values }] : [];
    });

test("every row of a table of times has the seconds that were measured last", () => {
  for (const [path, least] of /** @type {[string, number][]} */ ([
    ["README.md", 3],
    ["CONTRIBUTING.md", measured.length],
  ])) {
    const rows = rowsOf(read(path));
    assert.equal(new Set(rows.map(({ name }) => name)).size, least, path);
    for (const { name, values } of rows) assert.deepEqual(values, measured.find(([one]) => one === name).slice(1), `${path}: ${name}`);
  }
});

test("no other sentence says how long a command takes", () => {
  const documents = execFileSync(
    "git",
    ["ls-files", "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "Makefile", "scripts", "docs", "release", "page/README.md"],
    { encoding: "utf8" },
  )
    .trim()
    .split("\n");
  const says = /(make (dev|check|test|prove)|wrangler dev)\b.*\b(\d+|a|half a|some|few) (seconds?|minutes?|s)\b(?! of processor)/;
  const found = documents
    .filter((path) => /\.md$|Makefile|scripts\/[a-z-]+$/.test(path))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .filter((line) => says.test(line))
        .map((line) => `${path}: ${line}`),
    );
  assert.deepEqual(found, []);
});
