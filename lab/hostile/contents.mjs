// Repositories whose trees and files are mirrored. One has a directory of 20,000 files, 400 directories in one another, a file of
// 9 MB, and two branches that differ in 3,000 files; the other what makes archives dear.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const FILES = 20_000;
const CHANGED = 3000;
const DEPTH = 400;

const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
const file = (path, text) => `M 644 inline ${path}\n${data(text)}`;
const commit = (branch, from, files) => `commit refs/heads/${branch}\ncommitter A <a@x> 1700000000 +0000\n${data(branch)}${from}${files}\n`;
const many = (count, text) => Array.from({ length: count }, (_, n) => file(`dir/f${String(n).padStart(5, "0")}`, text(n))).join("");

/** Makes a bare repository of a stream for fast-import, sends it, and calls `then` with git in it. */
async function mirror({ address, hook, token }, path, stream, then) {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const git = (input, ...args) => execFileSync("git", ["-C", folder, ...args], { input, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "ignore"] });
  try {
    git("", "init", "--quiet", "--bare", "--initial-branch=master");
    git(stream, "fast-import", "--quiet");
    const options = ["--repository", folder, "--server", address, "--project", path, "--contents", "tips"];
    // not in one go, so that this program keeps its connections to the server
    await promisify(execFile)(hook, ["sync", ...options], { env: { ...process.env, EDGEFORGE_TOKEN: token } });
    await then(git);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function makeContents(makes) {
  const { owner, projects, say } = makes;
  const [project] = projects.contents["projects/{id}"];
  const deep = `${"d/".repeat(DEPTH)}leaf`;
  const first = many(FILES, (n) => `file ${n}\n`) + file(deep, "deep\n") + file("big.txt", "a line of a long file\n".repeat(400_000)) + file("README.md", "# Read me\n");
  const stream = commit("master", "", first) + commit("topic-1", "from refs/heads/master\n", many(CHANGED, (n) => `another ${n}\n`));
  await mirror(makes, "hostile/contents", stream, async (git) => {
    const id = (name) => git("", "rev-parse", `master:${name}`).trim();
    const tip = git("", "rev-parse", "master").trim();
    Object.assign(projects.contents, {
      "commits/{sha}": [tip],
      "files/{file_path}": ["dir/f00001", "big.txt", deep],
      // v4 has the hash of a file here, v3 that of a commit
      "blobs/{sha}": [id("dir/f00001"), id("big.txt"), tip],
      "archive/{format}": ["tar.gz", "tar", "zip"],
      "raw/{name}": ["master/dir/f00001", "master/big.txt"],
      "raw_blobs/{sha}": [id("dir/f00001"), id("big.txt")],
    });
    const tree = await owner("GET", `/api/v4/projects/${project}/repository/tree`);
    say(`contents: ${FILES} files in a directory, ${DEPTH} directories in one another; the root has ${tree.length} entries`);
  });
}

const NAMES = 99_000;
const STARS = 679;
const LEVELS = 899;
const [ZEROS, BOMBS, BOMB] = [99_000_000, 6, 10_000_000];

/** Archives and files that cost more than they have: branches with many names, with a long pattern, and with files that pack well. */
export async function makeArchives(makes) {
  const { projects, say } = makes;
  const zeros = (length) => "\0".repeat(length);
  // one blob for all names
  const wide = `blob\nmark :1\n${data("x")}` + commit("wide", "", Array.from({ length: NAMES }, (_, n) => `M 644 :1 n${n}\n`).join(""));
  const stars = commit("stars", "", file(".gitattributes", `${"**/".repeat(STARS)}x text\n`) + file(`${"a/".repeat(LEVELS)}a`, "x"));
  const bombs = commit("bombs", "", Array.from({ length: BOMBS }, (_, n) => file(`b${n}`, n + zeros(BOMB - 1))).join(""));
  const stream = commit("master", "", file("README.md", "# Read me\n")) + wide + stars + bombs + commit("zeros", "", file("zeros", zeros(ZEROS)));
  await mirror(makes, "hostile/archives", stream, (git) => {
    const tip = git("", "rev-parse", "zeros").trim();
    Object.assign(projects.archives, { "commits/{sha}": [tip], "files/{file_path}": ["README.md"], "archive/{format}": ["tar", "zip"] });
  });
  say(`archives: ${NAMES} names of one file, a pattern of ${STARS} stars and ${LEVELS} levels, files of ${ZEROS} zeros and ${BOMBS} times ${BOMB}`);
}
