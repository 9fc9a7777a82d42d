// A repository whose trees and files are mirrored: a directory of 20,000 files, 800 directories in one another, a file of 9 MB, and
// two branches that differ in 3,000 files.
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

export async function makeContents({ address, hook, token, owner, projects, say }) {
  const [project] = projects.contents["projects/{id}"];
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const git = (input, ...args) => execFileSync("git", ["-C", folder, ...args], { input, encoding: "utf8", maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "ignore"] });
  try {
    git("", "init", "--quiet", "--bare", "--initial-branch=master");
    const deep = `${"d/".repeat(DEPTH)}leaf`;
    const first = many(FILES, (n) => `file ${n}\n`) + file(deep, "deep\n") + file("big.txt", "a line of a long file\n".repeat(400_000)) + file("README.md", "# Read me\n");
    git(commit("master", "", first) + commit("topic-1", "from refs/heads/master\n", many(CHANGED, (n) => `another ${n}\n`)), "fast-import", "--quiet");
    const options = ["--repository", folder, "--server", address, "--project", "hostile/contents", "--contents", "tips"];
    // not in one go, so that this program keeps its connections to the server
    await promisify(execFile)(hook, ["sync", ...options], { env: { ...process.env, EDGEFORGE_TOKEN: token } });
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
  } finally {
    rmSync(folder, { recursive: true });
  }
}
