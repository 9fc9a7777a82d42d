// Trees and files of refs, compared with git's.
import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { bytesOf, dice, feed, get, inLanes } from "./world.mjs";

const RANK = { tree: 0, blob: 1, commit: 2 };
const LANES = 6;
/** Files whose last commit is compared, because git walks the history for each. */
const LAST_COMMITS = 60;
/** The longest file that the server takes (FILE_BYTES). */
const LONGEST_FILE = 100_000_000;

/** The entries of all directories of a ref, in the contract's order: directories, files, submodules, each by the bytes of its path. */
export function entriesOf(repository, ref) {
  const listed = bytesOf(repository, "ls-tree", "-r", "-t", "-l", "-z", ref);
  const entries = [];
  for (let at = 0; at < listed.length; ) {
    const end = listed.indexOf(0, at);
    const tab = listed.indexOf(9, at);
    const [mode, type, id, size] = listed.toString("latin1", at, tab).split(/ +/);
    const raw = listed.subarray(tab + 1, end);
    entries.push({ mode, type, id, size: Number(size) || 0, raw, path: raw.toString() });
    at = end + 1;
  }
  return entries.sort((a, b) => RANK[a.type] - RANK[b.type] || Buffer.compare(a.raw, b.raw));
}

/** All pages of a list of entries, or the refusal. */
async function follow(server, path) {
  const found = { entries: [], pages: 0, rows: 0, refused: "" };
  for (let next = path; next; ) {
    const answer = await get(server, next);
    if (answer.status !== 200) return { ...found, refused: answer.said() };
    found.entries.push(...answer.json());
    found.pages++;
    found.rows = Math.max(found.rows, answer.rows);
    next = answer.next;
  }
  return found;
}

/** Where the server refuses to list everything at once, each directory by itself. */
async function byDirectory(server, root, ref, wanted) {
  const entries = [];
  const directories = ["", ...wanted.filter(({ type }) => type === "tree").map(({ path }) => path)];
  await inLanes(directories, LANES, async (path) => {
    const found = await follow(server, `${root}/tree?per_page=100&ref=${encodeURIComponent(ref)}&path=${encodeURIComponent(path)}`);
    if (found.refused) throw new Error(`${path}: ${found.refused}`);
    entries.push(...found.entries);
  });
  const raw = (entry) => Buffer.from(entry.path);
  return {
    entries: entries.sort((a, b) => RANK[a.type] - RANK[b.type] || Buffer.compare(raw(a), raw(b))),
    pages: directories.length,
    rows: 0,
    refused: "",
  };
}

const line = ({ mode, type, id, path }) => `${mode} ${type} ${id} ${JSON.stringify(path)}`;

export async function trees({ server, repository, root, findings }, refs) {
  for (const [at, ref] of refs.entries()) {
    const wanted = entriesOf(repository, ref.sha);
    const paging = at % 2 ? "legacy" : "keyset";
    let found = await follow(server, `${root}/tree?recursive=true&per_page=100&pagination=${paging}&ref=${encodeURIComponent(ref.name)}`);
    let how = `${paging} pages`;
    if (found.refused.startsWith("422") && / below this directory/.test(found.refused)) {
      how = `directories one by one, because: ${found.refused}`;
      found = await byDirectory(server, root, ref.name, wanted);
    }
    const differ = wanted.findIndex((entry, at) => !found.entries[at] || line(found.entries[at]) !== line(entry));
    const holds = !found.refused && differ < 0 && wanted.length === found.entries.length;
    const named = found.entries.every(({ name, path }) => name === path.slice(path.lastIndexOf("/") + 1));
    findings.check(
      holds && named,
      `tree of ${ref.name}: ${wanted.length} entries as git ls-tree has them, ${found.pages} ${how}, at most ${found.rows} rows`,
    );
    if (!holds)
      console.log(
        `       ${found.refused ?? ""} ${found.entries.length} entries; the first that differs: ${wanted[differ] && line(wanted[differ])} is ${found.entries[differ] && line(found.entries[differ])}`,
      );
  }
}

export const hashOf = (id, bytes) =>
  createHash(id.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");

/** What is wrong with the answer that should have the bytes of this file. Empty: nothing. */
function faultOf(answer, { id, size }) {
  if (size > LONGEST_FILE) return answer.status === 422 ? "" : `${answer.status} for a file over the limit`;
  if (answer.status !== 200) return answer.said();
  const { body, headers } = answer;
  const isText = isUtf8(body) && !body.includes(0);
  const wanted = {
    "content-length": String(size),
    "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
  };
  if (hashOf(id, body) !== id) return `${body.length} other bytes`;
  const differ = Object.entries(wanted).filter(([name, value]) => headers.get(name) !== value);
  return differ.map(([name, value]) => `${name} is ${headers.get(name)}, not ${value}`).join(", ");
}

/**
 * The newest commit of a ref that changed a path against its first parent, as lists of commits have it, and the one that
 * git log shows first: for a file that a merge brought, not the merge.
 */
function lastCommits(repository, ref, path) {
  const asked = Buffer.concat([Buffer.from(`${ref}\n--\n`), path, Buffer.from("\n")]);
  const log = (...options) => feed(repository, asked, "--literal-pathspecs", "log", "--format=%x00%H", "--stdin", ...options).toString();
  const all = log("--full-history", "--raw", "--no-renames", "--diff-merges=first-parent", "--max-count=500").split("\0").slice(1);
  return {
    index: all.find((commit) => commit.includes("\n:"))?.slice(0, ref.length),
    git: log("--no-patch", "--max-count=1").trim().slice(1),
  };
}

/** The bytes of all files of the refs by hash, and of a sample by path. */
export async function files({ server, repository, root, findings }, refs, sample) {
  const all = refs.flatMap((ref) =>
    entriesOf(repository, ref.sha)
      .filter(({ type }) => type === "blob")
      .map((entry) => ({ ...entry, ref })),
  );
  const blobs = [...new Map(all.map((entry) => [entry.id, entry])).values()];
  const faults = [];
  let [bytes, leftOut] = [0, 0];
  const began = performance.now();
  await inLanes(blobs, LANES, async (entry) => {
    const answer = await get(server, `${root}/blobs/${entry.id}/raw`);
    const fault = faultOf(answer, entry);
    leftOut += Number(answer.status === 422);
    bytes += answer.body.length;
    if (fault) faults.push(`blobs/${entry.id}/raw: ${fault}`);
  });
  const seconds = (performance.now() - began) / 1000;
  findings.check(
    !faults.length,
    `${blobs.length} files of ${refs.length} refs by hash, ${bytes} bytes as git has them, ${seconds.toFixed(1)} s; over the limit ${leftOut}; wrong ${faults.length}`,
  );
  const roll = dice(1);
  const some = all.length <= sample ? all : Array.from({ length: sample }, () => all[roll(all.length)]);
  const wrong = [];
  const last = { same: 0, merges: 0, empty: 0, other: [], left: LAST_COMMITS };
  await inLanes(some, LANES, async (entry) => {
    const { path, ref, id, mode, size } = entry;
    const answer = await get(server, `${root}/files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref.name)}`);
    const fault = faultOf(answer, entry);
    const headers = {
      size,
      "blob-id": id,
      "commit-id": ref.sha,
      "execute-filemode": mode === "100755",
      "content-sha256": createHash("sha256").update(answer.body).digest("hex"),
    };
    const differ =
      answer.status === 200 ? Object.keys(headers).filter((name) => answer.headers.get(`x-gitlab-${name}`) !== String(headers[name])) : [];
    if (fault || differ.length) wrong.push(`files/${JSON.stringify(path)}/raw?ref=${ref.name}: ${fault} ${differ.join()}`);
    // git log takes paths by lines
    if (answer.status !== 200 || path.includes("\n") || last.left-- <= 0) return;
    const changed = answer.headers.get("x-gitlab-last-commit-id");
    if (!changed) {
      last.empty++;
      return;
    }
    const wanted = lastCommits(repository, ref.sha, entry.raw);
    if (changed !== wanted.index) last.other.push(`${path} of ${ref.name}: ${changed} is not ${wanted.index}`);
    else if (changed === wanted.git) last.same++;
    else last.merges++;
  });
  findings.check(!wrong.length, `${some.length} files by path and ref, with the headers of size, hashes and mode; wrong ${wrong.length}`);
  for (const text of [...faults, ...wrong].slice(0, 20)) console.log(`       ${text}`);
  findings.check(
    !last.other.length,
    `their last commits: ${last.same} as git log -1 has them, ${last.merges} merges that brought the file, ${last.empty} not found in the bound; others ${last.other.length}`,
  );
  for (const text of last.other.slice(0, 5)) console.log(`       ${text}`);
}
