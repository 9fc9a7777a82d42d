// Comments and titles cite sections of docs/behaviour.md: each must be there.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const files = ["src", "mirror/src", "wire/src", "tests/api"].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => `${folder}/${name}`),
);

test("every section that is cited is there", () => {
  const text = readFileSync("docs/behaviour.md", "utf8");
  const sections = new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number));
  let cited = 0;
  for (const file of files) {
    for (const [, numbers] of readFileSync(file, "utf8").matchAll(/behaviour (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g)) {
      for (const number of numbers.split(/, | and /)) {
        assert.ok(sections.has(number), `${file} cites behaviour ${number}`);
        cited += 1;
      }
    }
  }
  assert.ok(cited > 40, `${cited} citations`);
});
