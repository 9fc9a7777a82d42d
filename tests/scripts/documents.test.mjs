// The documents: links and anchors have targets, cited sections exist, quoted code matches its file, lines are short.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { SYSTEMS, step, trustOf } from "../../page/parts/ci-steps.mjs";
import { document as v3 } from "../../openapi/index.mjs";
import { document as v4 } from "../../openapi/v4/index.mjs";

const MOST_WORDS_OF_README = 400;
const LONGEST_LINE = 120;
/** Pictures that are not taken yet. Remove one from this list when its file exists. */
const TO_TAKE = [];
/** Files that programs write without wrapping lines. */
const GENERATED = ["tests/README.md"];
/** A document whose links are relative to another folder: a release has it in its root. */
const FOLDERS = { "release/README.md": "." };

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path && existsSync(path));
const documents = tracked.filter((path) => path.endsWith(".md"));
const read = (path) => readFileSync(path, "utf8");

/** The text without fenced code and without code indented after an empty line. */
function prose(text) {
  let isFenced = false;
  let isIndented = false;
  let before = "";
  return text.split("\n").map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isFenced = !isFenced;
    else if (!isFenced && line.trim()) isIndented = /^ {4}/.test(line) && (isIndented || !before.trim());
    before = line;
    return isFence || isFenced || isIndented ? "" : line;
  });
}

/** The anchor of each heading, as GitHub makes it; `-1`, `-2` where a heading is repeated. */
function anchors(text) {
  const seen = new Map();
  return prose(text).flatMap((line) => {
    const title = /^#{1,6} (.*)/.exec(line)?.[1];
    if (title === undefined) return [];
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return [times ? `${anchor}-${times}` : anchor];
  });
}

/** The addresses of links and pictures, without code in backticks. */
function links(text) {
  const words = prose(text)
    .join("\n")
    .replace(/`[^`\n]*`/g, "");
  return [...words.matchAll(/\]\(\s*([^)\s]+)[^)]*\)/g)].map(([, address]) => address);
}

/** The broken links of a document. `files`: the text of each file by its path. */
function brokenLinks(path, files) {
  return links(files(path)).flatMap((address) => {
    if (/^[a-z]+:/.test(address)) return [];
    const [name, anchor] = address.split("#");
    const target = name ? normalize(join(FOLDERS[path] ?? dirname(path), decodeURIComponent(name))) : path;
    if (files(target) === null) return TO_TAKE.includes(target) ? [] : [`${path}: ${address}: there is no ${target}`];
    if (anchor === undefined || anchors(files(target)).includes(anchor)) return [];
    return [`${path}: ${address}: ${target} has no such heading`];
  });
}

/** The numbers of lines that are too long. Table rows and lines with a long address may be longer. */
function longLines(text) {
  return text.split("\n").flatMap((line, at) => {
    const mayBeLong = /^\s*\|/.test(line) || /https?:\/\/\S{60}/.test(line);
    return [...line].length > LONGEST_LINE && !mayBeLong ? [at + 1] : [];
  });
}

/** Quoted code that differs from its file: a block under a first line `// src/file` or `-- src/file` must repeat lines of that file. */
function staleQuotes(text, files) {
  return [...text.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block
      .split(/^(?:\/\/|--) (?=src\/\S+$)/m)
      .slice(1)
      .flatMap((part) => {
        const [path, ...lines] = part.trimEnd().split("\n");
        const plain = (some) =>
          some
            .map((line) => line.trim())
            .filter(Boolean)
            .join("\n");
        const source = files(path);
        return source !== null && plain(source.split("\n")).includes(plain(lines)) ? [] : [`${path}: ${lines[0]}`];
      }),
  );
}

const onDisk = (path) => (existsSync(path) ? (/\.(md|rs|sql|mjs)$/.test(path) ? read(path) : "") : null);

test("every link leads to a file and a heading", () => {
  assert.ok(documents.length > 15, `${documents.length} documents`);
  const found = documents.flatMap((path) => links(read(path)));
  assert.ok(found.length > 100, `${found.length} links`);
  assert.deepEqual(
    documents.flatMap((path) => brokenLinks(path, onDisk)),
    [],
  );
});

test("a link to a missing file and one to a missing heading are found", () => {
  const texts = { "a.md": "[x](b.md#c-d) [y](#e) [z](https://h/i.md)\n\n# E\n", "b.md": "# C, `d`\n\n```\n# f\n```\n" };
  const files = (path) => texts[path] ?? null;
  assert.deepEqual(brokenLinks("a.md", files), []);
  for (const bad of ["[x](c.md)", "[x](b.md#d)", "[x](b.md#f)", "![x](c.png)", "[x\ny](c.md)"]) {
    texts["a.md"] = bad;
    assert.equal(brokenLinks("a.md", files).length, 1, bad);
  }
  texts["a.md"] = "`[x](c.md)`\n\n    [x](c.md)\n\n```\n[x](c.md)\n```\n";
  assert.deepEqual(brokenLinks("a.md", files), []);
});

/** The paths of files that a document names, also by their last folders alone, and that are not there. */
const missingPaths = (text) =>
  [...text.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.(?:rs|sql|mjs|jsx|md|txt|tsv|toml))`/g)]
    .map(([, path]) => path)
    .filter((path) => !path.includes("NNNN") && !tracked.some((known) => known === path || known.endsWith(`/${path}`)));

test("every file that a document for developers names is there", () => {
  const missing = documents
    .filter((path) => !path.startsWith("docs/"))
    .flatMap((path) => missingPaths(read(path)).map((name) => `${path}: ${name}`));
  assert.deepEqual(missing, []);
  assert.deepEqual(missingPaths("`src/lib.rs`, `areas/mod.rs`, `areas/no.rs`"), ["areas/no.rs"]);
});

test("commands for developers use the node that the project pins, and files that are there", () => {
  const commands = [...read("CONTRIBUTING.md").matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block.split("\n"));
  const paths = commands.flatMap((command) => command.split("#")[0].match(/\b(scripts|tests)\/[\w./-]+/g) ?? []);
  assert.ok(paths.length > 8, `${paths}`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(path)),
    [],
  );
  assert.deepEqual(
    commands.filter((command) => /^(\w+=\S+ )*(node|npx) /.test(command)),
    [],
  );
});

test("pictures that are to be taken are not there yet", () => {
  assert.deepEqual(
    TO_TAKE.filter((path) => existsSync(path)),
    [],
    "these pictures exist: remove them from TO_TAKE",
  );
});

test("every page and section of docs/ that code cites is there", () => {
  let cited = 0;
  const missing = [];
  for (const path of tracked.filter((name) => /\.(rs|mjs|sql|sh|toml|jsx)$|^(scripts|lab)\/[\w/-]+$|Makefile$/.test(name))) {
    for (const [, page, title] of read(path).matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"\n]+)")?/g)) {
      cited += 1;
      const isThere =
        existsSync(page) &&
        (!title ||
          read(page)
            .split("\n")
            .some((line) => line.replace(/^#+ /, "") === title && line !== title));
      if (!isThere) missing.push(`${path} cites ${page}${title ? `, "${title}"` : ""}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(cited > 8, `${cited} citations`);
});

test("quoted code is the code", () => {
  assert.deepEqual(
    documents.flatMap((path) => staleQuotes(read(path), onDisk).map((quote) => `${path} quotes ${quote}`)),
    [],
  );
  assert.equal(staleQuotes("```sql\n-- src/a.sql\nselect 1\n```\n", () => "select\n 2").length, 1);
  assert.equal(staleQuotes("```sql\n-- src/a.sql\nselect 1\n```\n", () => "x\n  select 1\n").length, 0);
});

test("README fits one screen", () => {
  const words = read("README.md").split(/\s+/).filter(Boolean).length;
  assert.ok(words <= MOST_WORDS_OF_README, `${words} words`);
});

/** The paragraphs of README.md, each on one line; a list is one paragraph. */
const paragraphs = read("README.md")
  .split(/\n\n+/)
  .map((text) => text.replace(/\n\s*/g, " "));

test("the first sentence of README names GitLab's API, its versions and clients", () => {
  const [sentence] = paragraphs[1].split(/\. |\.$/);
  for (const words of ["GitLab's REST API", "v4", "v3", "python-gitlab", "semantic-release", "Buildbot", "Jenkins", "unchanged"])
    assert.ok(sentence.includes(words), `${words} is missing: ${sentence}`);
});

test("README says in three lines what the server is not", () => {
  const limits = paragraphs.find((text) => /^\* .*not a git server/.test(text)) ?? "";
  assert.equal(limits.split("* ").length - 1, 3, limits);
  for (const words of ["not a git server", "no merge requests", "no CI runner", "never ran on a real Cloudflare account"])
    assert.ok(limits.includes(words), `${words} is missing: ${limits}`);
});

test("README shows features, pictures of an issue, a list and a diff, and the license", () => {
  const features = paragraphs[paragraphs.indexOf("What it has:") + 1] ?? "";
  for (const words of ["Issues", "Commits", "statuses", "deployments", "releases", "packages", "page"])
    assert.ok(features.startsWith("* ") && features.includes(words), `${words} is no feature: ${features}`);
  const pictures = [...read("README.md").matchAll(/!\[[^\]]{10,}\]\((docs\/\w+\.png)\)/g)].map(([, path]) => path);
  assert.deepEqual(pictures, ["docs/issue.png", "docs/issues.png", "docs/diff.png"]);
  for (const path of pictures) assert.ok(statSync(path).size < 100_000, `${path} has ${statSync(path).size} bytes`);
  assert.match(paragraphs.at(-1), /\[the license: Apache 2\.0\]\(LICENSE\) ?$/);
});

test("the requests of README need only the token that `make dev` prints", () => {
  const text = read("README.md");
  const requests = text.split("\n").filter((line) => /^ {4}curl /.test(line));
  assert.ok(requests.length, "README has no line of curl");
  for (const line of requests) assert.match(line, /PRIVATE-TOKEN: \$TOKEN"/);
  assert.doesNotMatch(text, /\$ADMIN_TOKEN/);
  assert.match(text, /With a token that `make dev` or wrangler prints:\n\n {4}TOKEN=/);
});

test("the lines of curl that `make dev` prints ask v4", () => {
  const printed = ["scripts/dev", "scripts/demo.mjs"].map((path) =>
    read(path)
      .split("\n")
      .filter((line) => /["`]curl /.test(line)),
  );
  // with the demo world and without it
  assert.deepEqual(
    printed.map((lines) => lines.length),
    [3, 3],
  );
  for (const line of printed.flat()) assert.match(line, /\/api\/v4[/$]/);
  for (const path of ["scripts/dev", "scripts/demo.mjs"]) assert.match(read(path), /the API is at BASE\/api\/v4\)/);
});

/** The words of `value` for readers: its descriptions, summaries and titles, and the names of its groups. */
function wordsOf(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" ? (["description", "summary", "title", "name"].includes(key) ? [inner] : []) : wordsOf(inner),
  );
}
/** Names of files of this repository, which readers of a server cannot open. A full address they can. */
const filesIn = (text) => text.replace(/https?:\/\/\S+/g, "").match(/\b(?:docs|openapi|src|tests)\/[\w./-]+/g) ?? [];

test("no description of the API names a file of this repository, and its groups have names that say something", () => {
  for (const document of [v3, v4]) {
    const words = wordsOf(document);
    assert.ok(words.length > 300, `only ${words.length} descriptions`);
    assert.deepEqual(
      words.flatMap((text) => filesIn(text).map((path) => `${path}: ${text}`)),
      [],
    );
    const groups = document.tags.map(({ name }) => name);
    assert.ok(groups.length > 10 && !groups.some((name) => /^(?:nothing|none|other|misc)/i.test(name)), groups.join(", "));
  }
  assert.deepEqual(filesIn("See docs/v4.md, https://h/x/docs/v4.md."), ["docs/v4.md"]);
});

test("no line is longer than 120 characters", () => {
  const long = documents
    .filter((path) => !GENERATED.includes(path))
    .flatMap((path) => longLines(read(path)).map((line) => `${path}:${line}`));
  assert.deepEqual(long, []);
  assert.deepEqual(longLines(`${"a ".repeat(61)}\n| ${"a ".repeat(61)}|\nhttps://${"a".repeat(120)}\n`), [1]);
});

test("the steps that the page shows are those of docs/ci.md", () => {
  const ci = readFileSync("docs/ci.md", "utf8");
  const given = { server: "https://forge.example.com", project: "group/project" };
  const trust = (system, more = {}, audience = "urn:edgeforge:trust:00000000000000000000") => ({
    ...trustOf({ system, name: "ci", id: "12", ...more }),
    audience,
  });
  for (const system of Object.keys(SYSTEMS)) {
    const { beginning, text } = step(trust(system), given);
    const elsewhere = step(trust(system, { place: "git.example.com" }), given);
    assert.deepEqual(elsewhere, { beginning, text }, "the step is known of the trust");
    for (const part of [beginning, text]) assert.ok(!part || ci.includes(`\`\`\`yaml\n${part}\n\`\`\``), `${system}: ${part}`);
    const id = SYSTEMS[system].id[0];
    assert.ok(ci.includes(`\`${id}\``), id);
  }
  const other = step(trust("github", {}, "urn:edgeforge:trust:a"), { server: "http://127.0.0.1:8787", project: "ann/x" }).text;
  assert.match(other, /AUDIENCE: urn:edgeforge:trust:a\n/);
  // a pull request has another ref, so its jobs do not report to the trust of a branch
  const ofBranch = step(trust("github", { ref: "main" }), given).text;
  assert.match(ofBranch, /\n +if: always\(\) && github\.ref == 'refs\/heads\/main'\n/);
  assert.match(other, /"http:\/\/127\.0\.0\.1:8787\/api\/v4\/projects\/ann%2Fx\/statuses\/\$SHA"/);
  assert.equal(step({ issuer: "https://ci.example.com", claims: ["sub=a"], audience: "a" }, given), null);
});

test("the page makes the issuer and the claims of each system", () => {
  const made = (system, more = {}) => {
    const { issuer, claims } = trustOf({ system, name: "ci", id: " 12 ", ...more });
    return [issuer, ...claims];
  };
  assert.deepEqual(made("github", { ref: "main" }), [
    "https://token.actions.githubusercontent.com",
    "repository_id=12",
    "ref=refs/heads/main",
  ]);
  assert.deepEqual(made("github", { ref: "refs/heads/main" }).at(-1), "ref=refs/heads/main");
  assert.deepEqual(made("gitlab", { place: "https://git.example.com/" })[0], "https://git.example.com");
  assert.deepEqual(made("github", { place: "ghe.example.com" }), ["https://ghe.example.com/_services/token", "repository_id=12"]);
  assert.deepEqual(made("gitlab", { ref: "main" }), ["https://gitlab.com", "project_id=12", "ref_path=refs/heads/main"]);
  assert.deepEqual(made("forgejo", { place: "git.example.com" }), ["https://git.example.com/api/actions", "repository_id=12"]);
  assert.deepEqual(made("forgejo"), ["https://codeberg.org/api/actions", "repository_id=12"]);
  assert.deepEqual(made("buildkite", { ref: "main" }), ["https://agent.buildkite.com", "pipeline_id=12", "build_branch=main"]);
  assert.deepEqual(made("circleci", { place: "7c8a" }), ["https://oidc.circleci.com/org/7c8a", "oidc.circleci.com/project-id=12"]);
});
