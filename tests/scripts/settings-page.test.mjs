// The page of settings marks those as only stored that docs/settings.md does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EFFECTIVE } from "../../page/parts/settings.mjs";

/** The names of v4 where the page shows them. */
const NEWER = { domain_whitelist: "domain_allowlist", domain_blacklist: "domain_denylist", avatar_enabled: "gravatar_enabled" };

test("a setting with an effect is in a section, and no other", () => {
  const rows = readFileSync("docs/settings.md", "utf8")
    .split("\n")
    .filter((line) => /^\| `/.test(line));
  const effective = rows
    .filter((row) => !row.includes("| only stored"))
    .flatMap((row) => [...row.split("|")[1].matchAll(/`(\w+)`/g)].map(([, name]) => NEWER[name] ?? name));
  assert.ok(rows.length > effective.length && effective.length > 5);
  assert.deepEqual(Object.values(EFFECTIVE).flat().sort(), effective.sort());
});
