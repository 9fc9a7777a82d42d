// scripts/cover.mjs: the tests that run over HTTP.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cover, named, parsed, unasked } from "../../scripts/cover.mjs";

const LABELS = 'GET\t["labels"]';
const RECORD = [
  `route\tv3\t${LABELS}`,
  `route\tv4\t${LABELS}`,
  `test\tall\t9\t500\nasked\tall\tv3 spec\t${LABELS}\t200`,
  `asked\tall\tv3 spec\t${LABELS}\t404`,
  `asked\tall\tv4\t${LABELS}\t200`,
  `test\tquick\t0.1\t5\nasked\tquick\tv3 spec\t${LABELS}\t200\nasked\tquick\tv3 spec\t${LABELS}\t404`,
  `test\tother\t0.1\t5\nasked\tother\tv4\t${LABELS}\t200\nasked\tother\tv3 spec\t${LABELS}\t404`,
  "test\tfiles\t0.1\t0",
  "",
].join("\n");
const names = ({ chosen }) => chosen.map((test) => test.name);

test("the cheapest tests that ask everything are chosen", () => {
  const { tests, routes } = parsed(RECORD);
  const found = cover(tests, []);
  assert.deepEqual(names(found).sort(), ["other", "quick"]);
  assert.equal(found.facts.size, 3);
  assert.deepEqual(unasked(routes, found.facts), []);
});

test("tests that are named are always chosen, and others if something is left to ask", () => {
  const { tests } = parsed(RECORD);
  assert.deepEqual(names(cover(tests, ["files", "all"])), ["files", "all"]);
  assert.deepEqual(named("# why\nfiles # a file beside the Worker\n\n"), ["files"]);
  assert.throws(() => cover(tests, ["gone"]), /there is no test gone: mend tests\/workerd.txt/);
});

test("a route that no test asks over HTTP is refused by its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "cover-"));
  try {
    const file = join(folder, "asked.tsv");
    const listed = named(readFileSync("tests/workerd.txt", "utf8")).map((name) => `test\t${name}\t0\t0\n`);
    const run = (text) => {
      writeFileSync(file, listed.join("") + text);
      return spawnSync(process.execPath, ["scripts/cover.mjs", file], { encoding: "utf8" });
    };
    const done = run(RECORD);
    assert.deepEqual([done.status, done.stdout.trim().split("\n").length], [0, listed.length + 2], done.stderr);
    const refused = run(`${RECORD}route\tv4\tPOST\t["labels"]\n`);
    assert.deepEqual([refused.status, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /no test asks these routes over HTTP: v4 POST \["labels"\]/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
