// Repositories whose trees and files are mirrored. One has a directory of 20,000 files, 800 directories in one another, a file of
// 9 MB, and two branches that differ in 3,000 files; one has pairs of branches whose comparisons were dear; one what makes archives
// dear.
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const FILES = 20_000;
const CHANGED = 3000;
const DEPTH = 400;
const SIMILAR = 75;
const LONG_PATCHES = 200;
const NAMES = 200_000;
const LINES = 131_072;

const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
const file = (path, text) => `M 644 inline ${path}\n${data(text)}`;
const commit = (branch, from, files) => `commit refs/heads/${branch}\ncommitter A <a@x> 1700000000 +0000\n${data(branch)}${from}${files}\n`;
const many = (count, text) => Array.from({ length: count }, (_, n) => file(`dir/f${String(n).padStart(5, "0")}`, text(n))).join("");

const names = (count, letter, mark) =>
  Array.from({ length: count }, (_, n) => `M 644 :${mark} ${letter}${String(n).padStart(6, "0")}\n`).join("");
const blob = (mark, lines) => `blob\nmark :${mark}\n${data(`${lines.join("\n")}\n`)}`;
const LETTERS = [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO"];
const distinct = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).slice(0, LINES);
/** Two kinds of lines in an order that looks random. */
const mixed = (seed) => Array.from({ length: LINES }, (_, n) => String(Math.imul(n + seed, 2654435761) >>> 31));

/** Branches `NAME-1` and `NAME-2` of one repository, as git's fast import reads them. */
const PAIRS = {
  // 75 deleted files of one content, and 75 new ones of another: similar files are looked for in pairs
  similar: [names(SIMILAR, "a", 1), names(SIMILAR, "b", 2)],
  // files whose patches are all too long
  patches: [names(LONG_PATCHES, "f", 1), names(LONG_PATCHES, "f", 2)],
  // few different lines, which match in many ways
  lines: [names(10, "f", 3), names(10, "f", 4)],
};
const comparisons = () => {
  const contents = [distinct, distinct.map((line) => line.slice(1) + line[0]), mixed(1), mixed(LINES * 3)];
  /** @type {(pair: [string, string[]]) => string} */
  const pair = ([name, [first, second]]) =>
    commit(`${name}-1`, "", first) + commit(`${name}-2`, `from refs/heads/${name}-1\n`, `deleteall\n${second}`);
  return contents.map((lines, n) => blob(n + 1, lines)).join("") + Object.entries(PAIRS).map(pair).join("");
};

/**
 * Branches `names-1` and `names-2`: directories of 7 MB, whose files all have the same content. Fast import takes minutes for these,
 * and so would a diff between them, so that neither is the parent of the other.
 */
function addNames(git) {
  const id = git("x\n", "hash-object", "-w", "--stdin");
  for (const [at, letter] of ["a", "b"].entries()) {
    const entries = Array.from({ length: NAMES }, (_, n) => `100644 blob ${id}\t${letter}${String(n).padStart(6, "0")}\n`);
    const tree = git(entries.join(""), "mktree");
    git("", "update-ref", `refs/heads/names-${at + 1}`, git("names", "-c", "user.name=A", "-c", "user.email=a@x", "commit-tree", tree));
  }
}

/** Pushes what fast import reads into a project, as the hook sends it. Returns what `more` returns of the repository. */
async function push({ address, hook, token }, project, branch, input, more) {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const git = (input, ...args) =>
    execFileSync("git", ["-C", folder, ...args], { input, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "ignore"] }).trim();
  try {
    git("", "init", "--quiet", "--bare", `--initial-branch=${branch}`);
    git(input, "fast-import", "--quiet");
    const found = more(git);
    const options = ["--repository", folder, "--server", address, "--project", project, "--contents", "tips"];
    // not in one go, so that this program keeps its connections to the server
    await promisify(execFile)(hook, ["sync", ...options], { env: { ...process.env, EDGEFORGE_TOKEN: token } });
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ARCHIVED = 99_000;
const [LISTED, LISTED_IN] = [99_300, 300];
const STARS = 679;
const LEVELS = 899;
const [ZEROS, BOMBS, BOMB] = [99_000_000, 6, 10_000_000];

/** Archives and files that cost more than they have: branches with many names, with a long pattern, and with files that pack well. */
export async function makeArchives(makes) {
  const { projects, say } = makes;
  const zeros = (length) => "\0".repeat(length);
  // one blob for all names
  const wide = `blob\nmark :1\n${data("x")}${commit("wide", "", Array.from({ length: ARCHIVED }, (_, n) => `M 644 :1 n${n}\n`).join(""))}`;
  const many = commit("many", "", Array.from({ length: LISTED }, (_, n) => `M 644 :1 d${n % LISTED_IN}/n${n}\n`).join(""));
  const stars = commit("stars", "", file(".gitattributes", `${"**/".repeat(STARS)}x text\n`) + file(`${"a/".repeat(LEVELS)}a`, "x"));
  const six = (branch, content) => commit(branch, "", Array.from({ length: BOMBS }, (_, n) => file(`b${n}`, content(n))).join(""));
  const bombs = six("bombs", (n) => n + zeros(BOMB - 1));
  // the dearest to pack: four letters in no order, and bytes that save an eighth
  const letters = six("letters", () => Array.from(randomBytes(BOMB), (byte) => "acgt"[byte & 3]).join(""));
  const noise = six("noise", () => Buffer.from(randomBytes(BOMB).map((byte) => byte & 127)).toString("latin1"));
  const stream =
    commit("master", "", file("README.md", "# Read me\n")) +
    wide +
    many +
    stars +
    bombs +
    letters +
    noise +
    commit("zeros", "", file("zeros", zeros(ZEROS)));
  const tip = await push(makes, "hostile/archives", "master", stream, (git) => git("", "rev-parse", "zeros"));
  Object.assign(projects.archives, { "commits/{sha}": [tip], "files/{file_path}": ["README.md"], "archive/{format}": ["tar", "zip"] });
  say(
    `archives: ${ARCHIVED} names of one file, a pattern of ${STARS} stars and ${LEVELS} levels, files of ${ZEROS} zeros and ${BOMBS} times ${BOMB} of zeros, letters, noise`,
  );
}

export async function makeContents(makes) {
  const { owner, projects, say } = makes;
  const [project] = projects.contents["projects/{id}"];
  const deep = `${"d/".repeat(DEPTH)}leaf`;
  const first =
    many(FILES, (n) => `file ${n}\n`) +
    file(deep, "deep\n") +
    file("big.txt", "a line of a long file\n".repeat(400_000)) +
    file("README.md", "# Read me\n");
  const input =
    commit("master", "", first) +
    commit(
      "topic-1",
      "from refs/heads/master\n",
      many(CHANGED, (n) => `another ${n}\n`),
    );
  const [tip, small, big] = await push(makes, "hostile/contents", "master", input, (git) =>
    ["master", "master:dir/f00001", "master:big.txt"].map((name) => git("", "rev-parse", name)),
  );
  Object.assign(projects.contents, {
    "commits/{sha}": [tip],
    "files/{file_path}": ["dir/f00001", "big.txt", deep],
    // v4 has the hash of a file here, v3 that of a commit
    "blobs/{sha}": [small, big, tip],
    "archive/{format}": ["tar.gz", "tar", "zip"],
    "raw/{name}": ["master/dir/f00001", "master/big.txt"],
    "raw_blobs/{sha}": [small, big],
  });
  const tree = await owner("GET", `/api/v4/projects/${project}/repository/tree`);
  say(`contents: ${FILES} files in a directory, ${DEPTH} directories in one another; the root has ${tree.length} entries`);
  await push(makes, "hostile/comparisons", "similar-1", comparisons(), addNames);
  say(`comparisons: ${Object.keys(PAIRS).join(", ")}, names`);
}
