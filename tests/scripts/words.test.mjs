// Comments and documents are plain English: no word of WORDS, which shows what to write instead.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * A word, and what to write instead. The patterns are narrow enough to leave honest uses alone.
 * @type {[RegExp, string][]}
 */
const WORDS = [
  // verbs of speech for data
  [/\bhears?\b/i, "receives, gets"],
  [/\b(?:is|are|was|were|be|been) told\b/i, "receives, is given"],
  [/\btells\b/i, "shows, returns, prints"],
  [
    /\b(?:table|column|row|index|file|database|schema|header|cursor|statement|query|answer|server|project) knows\b/i,
    "has, stores, contains",
  ],
  [/\b(?<!specification )says (?:that )?(?:it|they|none|nothing|so)\b/i, "contains, states; name the value"],
  // abstract subjects
  [/\bwhoever\b/i, "the caller, a user who, anyone who"],
  [/(?<!\bfor )\bwhom\b/i, "name the person: the caller, the author, the user"],
  [/\bwhat is not(?=[,.;:]|$)/i, "name the thing: other records, the rest"],
  [/\bwhat hears\b/i, "the error for"],
  [/\bwhat stands\b/i, "name the thing that is there"],
  [/\bstands? (?:in the way|for what|by itself)\b/i, "is, means, blocks"],
  [/\bnobody's\b/i, "unused, invalid, without an owner"],
  [/\bnone of (?:the|its|their) business\b/i, "not visible to"],
  // definitions by a colon
  [/(?:^|[\s(])none: /, "null if .., empty if .., nothing if .."],
  // terms that the project has replaced
  [/\b(?:shelf|shelves)\b/i, "index range, cache"],
  [/\bjudged?\b/i, "validate, validated"],
  [/\b(?<!round[ -])trips?\b(?! over)/i, "round trip"],
  [/\bposting lists?\b/i, "index range"],
  [/\bportions?\b/i, "chunk"],
  [/\bbless(?:ed|es)?\b/i, "update the snapshots"],
  [/\bbook of statements\b/i, "query snapshots"],
  [/\bmade anew\b/i, "recreated, copied"],
  // persons
  [/\b(?:he|him|his)\b/, "they, the user, the caller"],
];

const FOLDERS = ["src", "row", "wire", "mirror", "page", "scripts", "lab", "migrations", "tests"];
const DOCUMENTS = /^(?:docs\/)?[^/]+\.md$/;
/** Data that looks like comments, a table that a test writes, and this list. */
const OTHER_FILES = /\.(?:txt|json|lock|dict|md|png|svg|xml)$|^tests\/scripts\/words\.test\.mjs$/;
/** A released migration may not change. */
const released = new Set(
  readFileSync("migrations/released.txt", "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => `migrations/${line.split(/\s+/)[1]}`),
);
const COMMENT = /^\s*(?:\/\/[/!]?|\/\*\*?|#(?![[!])|--|\* ?)(.*)$/;

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path && existsSync(path));
const isSource = (path) => FOLDERS.includes(path.split("/")[0]) && path.includes("/") && !OTHER_FILES.test(path) && !released.has(path);

/** The comment of each line, or "". Code in backticks is left out. */
const comments = (text) => text.split("\n").map((line) => (COMMENT.exec(line)?.[1] ?? "").replace(/`[^`]*`/g, "``"));

/** The lines of a document without blocks of code, code in backticks, quotations and the addresses of links. */
function prose(text) {
  let isCode = false;
  return text.split("\n").map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode
      ? ""
      : line
          .replace(/`[^`]*`/g, "``")
          .replace(/"[^"]*"/g, '""')
          .replace(/\]\([^)]*\)/g, "]");
  });
}

const findings = (path, lines) =>
  lines.flatMap((line, at) =>
    WORDS.flatMap(([word, instead]) => {
      const found = word.exec(line);
      return found ? [`${path}:${at + 1}: "${found[0].trim()}": write instead: ${instead}`] : [];
    }),
  );

/** Comments and lines of documents that were there before this test. The numbers only go down. */
const LEFT = { comments: 0, documents: 0 };

test("comments are plain English", () => {
  const files = tracked.filter(isSource);
  assert.ok(files.length > 300, `only ${files.length} files: are FOLDERS right?`);
  const found = files.flatMap((path) => findings(path, comments(readFileSync(path, "utf8"))));
  assert.ok(found.length <= LEFT.comments, `${found.length} comments need other words:\n${found.join("\n")}`);
});

test("documents are plain English", () => {
  const files = tracked.filter((path) => DOCUMENTS.test(path));
  assert.ok(files.length > 10, `only ${files.length} documents: is DOCUMENTS right?`);
  const found = files.flatMap((path) => findings(path, prose(readFileSync(path, "utf8"))));
  assert.ok(found.length <= LEFT.documents, `${found.length} lines need other words:\n${found.join("\n")}`);
});

test("a word is found in comments and in prose, and nowhere else", () => {
  const source = "/// What hears it.\n// `whoever`\nlet whoever = 1;\n  -- a shelf\n * one trip\n // one round trip\n#[shelf]\n";
  assert.deepEqual(
    findings("a", comments(source)).map((line) => line.split(":")[1]),
    ["1", "1", "4", "5"],
  );
  const document = '# Whoever\n\n```\nwhoever\n```\n`whom`, [x](whom.md), "whom"\n';
  assert.deepEqual(
    findings("a", prose(document)).map((line) => line.split(":")[1]),
    ["1"],
  );
});
