// docs/behaviour.md: comments and titles cite existing sections, and each rule names its tests. tests/README.md lists
// the tests by section; UPDATE_SNAPSHOTS=1 node --test tests/scripts/behaviour.test.mjs writes it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const INDEX = "tests/README.md";
const MOST_NOT_HELD = 10;
const text = readFileSync("docs/behaviour.md", "utf8");

function filesIn(folders, ending) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name}`)
      .sort(),
  );
}

test("every section that is cited is there", () => {
  const sections = new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number));
  let cited = 0;
  for (const file of filesIn(["src", "mirror/src", "wire/src", "tests/api"], ".rs")) {
    for (const [, numbers] of readFileSync(file, "utf8").matchAll(/behaviour (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g)) {
      for (const number of numbers.split(/, | and /)) {
        assert.ok(sections.has(number), `${file} cites behaviour ${number}, which docs/behaviour.md does not have`);
        cited += 1;
      }
    }
  }
  assert.ok(cited > 40, `${cited} citations`);
});

/** The files of each test, by its name: the function in Rust, the quoted title elsewhere. */
function testsOf(files, read) {
  const tests = new Map();
  for (const file of files) {
    const pattern = file.endsWith(".rs") ? /#\[test\]\s*(?:#\[[^\n]*\]\s*)*fn (\w+)/g : /^test\((".*?"),/gm;
    for (const [, name] of read(file).matchAll(pattern)) tests.set(name, [...(tests.get(name) ?? []), file]);
  }
  return tests;
}

/** The module of a file: `tests/api/issues/mod.rs` is `issues`. */
function moduleOf(file) {
  return file
    .replace(/\/mod\.rs$/, "")
    .replace(/^.*\//, "")
    .replace(/\..*$/, "");
}

/** The rules of a text, and its lines "Held by": the section, the words, and the content of the brackets at the end. */
function rulesOf(text) {
  const rules = [];
  let section = null;
  let table = [];
  for (const block of text.split(/\n(?=#|\* |\n|Held by )/).map((block) => block.trim())) {
    const [, number, title] = /^#+ (\d+(?:\.\d+)?)\.? (.*)/.exec(block) ?? [];
    if (number || block.startsWith("* ")) {
      for (const line of table.splice(0)) rules.push({ section, said: line, held: null });
    }
    if (number) {
      section = { number, title };
    } else if (section && block.startsWith("|")) {
      table = [block.split("\n")[0]];
    } else if (section && block) {
      table = [];
      const said = block.replace(/\s+/g, " ");
      const held = /^(?:\* .*|Held by) \[([^[\]]*)\](?!\()\.?$/.exec(said)?.[1] ?? null;
      rules.push({ section, said, held });
    }
  }
  return [...rules, ...table.map((said) => ({ section, said, held: null }))];
}

/** The faults of a text's rules, the tests of each section with their files, and the number of rules without a test. */
function checked(text, tests) {
  const faults = [];
  const sections = new Map();
  let notHeld = 0;
  for (const { section, said, held } of rulesOf(text)) {
    const about = `${section.number}: ${said.slice(0, 80)}`;
    const named = sections.get(section.number) ?? { title: section.title, tests: new Map() };
    sections.set(section.number, named);
    if (!held?.trim()) {
      faults.push(`${about}: no test and no reason`);
    } else if (held.startsWith("not held:")) {
      notHeld += 1;
      if (!held.slice("not held:".length).trim()) faults.push(`${about}: no reason`);
    } else {
      for (const name of held.match(/"[^"]*"|\S+/g)) {
        const [, module, alone] = /^(?:(\w+)::)?(.*)$/.exec(name);
        const files = (tests.get(alone) ?? []).filter((file) => !module || moduleOf(file) === module);
        if (files.length === 0) faults.push(`${about}: there is no test ${name}`);
        else if (files.length > 1) faults.push(`${about}: ${name} is in ${files.join(" and ")}: write module::${alone}`);
        else named.tests.set(alone, files[0]);
      }
    }
  }
  return { faults, sections, notHeld };
}

const rust = ["tests/api", "tests/unit", "mirror/src", "mirror/tests", "wire/src", "row/src"];
const files = [...filesIn(rust, ".rs"), ...filesIn(["tests/scripts", "tests/replicas", "tests/pages"], ".mjs")];
const tests = testsOf(files, (file) => readFileSync(file, "utf8"));
const { faults, sections, notHeld } = checked(text, tests);

test("every rule names tests that are there", () => {
  assert.deepEqual(faults, []);
  assert.ok(notHeld <= MOST_NOT_HELD, `${notHeld} rules have no test, and the limit is ${MOST_NOT_HELD}: name a test`);
  const rules = rulesOf(text).length;
  assert.ok(rules > 250, `${rules} rules`);
});

test("a rule without a test, a test that is not there and an ambiguous name are found", () => {
  const found = (rule) =>
    checked(
      `## 1. A\n\n${rule}\n`,
      new Map([
        ["a", ["x/a.rs"]],
        ["b", ["x/a.rs", "y/b/mod.rs"]],
      ]),
    ).faults.length;
  for (const good of [
    "* A. [a]",
    "* A\n  b. [x::a]".replace("x::", "a::"),
    "* A. [b::b a]",
    "* A. [not held: why]",
    "| t |\n|---|\n\nHeld by [a].",
  ]) {
    assert.equal(found(good), 0, good);
  }
  for (const bad of [
    "* A.",
    "* A [b](c).",
    "* A. []",
    "* A. [c]",
    "* A. [b]",
    "* A. [a c]",
    "* A. [c::a]",
    "* A. [not held:]",
    "Prose.",
    "| t |\n|---|\n\n* A. [a]",
  ]) {
    assert.equal(found(bad), 1, bad);
  }
});

test("the index of tests by section is as written", () => {
  const lines = [
    "# The tests of each rule",
    "",
    "For each section of [docs/behaviour.md](../docs/behaviour.md), this file lists the tests that its rules name, and their files.",
    "The tests of a section fail when one of its rules is broken.",
    "`UPDATE_SNAPSHOTS=1 node --test tests/scripts/behaviour.test.mjs` writes it.",
  ];
  for (const [number, { title, tests }] of sections) {
    lines.push("", `## ${number} ${title}`, "");
    const byFile = Map.groupBy(tests, ([, file]) => file);
    for (const [file, named] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(
        `* \`${file}\``,
        ...named
          .map(([name]) => name)
          .sort()
          .map((name) => `  * ${name}`),
      );
    }
  }
  const index = `${lines.join("\n")}\n`;
  if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(INDEX, index);
  const known = existsSync(INDEX) ? readFileSync(INDEX, "utf8") : "";
  assert.ok(known === index, `${INDEX} is stale: write it with UPDATE_SNAPSHOTS=1 node --test tests/scripts/behaviour.test.mjs`);
});
