// Kinds of objects, trees and histories that are not what they say. Forged ones must be refused, with nothing stored; odd
// ones may be stored, and must then be shown as what they are, in bounded answers and in archives that lead nowhere.
import { randomBytes } from "node:crypto";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { deny, namesOfTar, namesOfZip } from "./archives.mjs";
import { blob, bytes, commit, idOf, object, record, sorted, tree } from "./objects.mjs";

const ZERO = "0".repeat(40);
const honest = (text = `honest ${randomBytes(8).toString("hex")}\n`) => blob(text);
const heading = (line, packed = deflateSync("x")) => Buffer.concat([Buffer.from(line), packed]);
const varied = (change) => () => {
  const one = honest();
  return { id: one.id, body: record({ ...one, ...change(one) }) };
};
/** A zlib stream of so many equal bytes, and the id that these bytes have. */
const bomb = (size) => {
  const whole = Buffer.alloc(size, 97);
  return { ...object("blob", whole), content: null };
};
const delta = (base) => Buffer.concat([Buffer.from(base, "hex"), deflateSync(Buffer.from([6, 6, 0x90, 6]))]);

/** Bodies of `POST mirror/objects`. `id`: what must not be stored afterwards. */
export const FORGED = [
  ["a file that hashes to something else", varied(() => ({ packed: deflateSync("forged") }))],
  ["a file of the same length that hashes to something else", varied((one) => ({ packed: deflateSync(Buffer.alloc(one.size, 98)) }))],
  ["a file under the id of a tree", () => ({ id: tree([]).id, body: record({ ...honest(""), id: tree([]).id }) })],
  ["a tree under the id of a file", varied((one) => ({ kind: "tree" }))],
  ["a commit under the id of a file", varied(() => ({ kind: "commit" }))],
  ["a tag", varied(() => ({ kind: "tag" }))],
  ["a file that says to be longer", varied((one) => ({ size: one.size + 1 }))],
  ["a file that says to be shorter", varied((one) => ({ size: one.size - 1 }))],
  ["a file that says to have no bytes", varied(() => ({ size: 0 }))],
  ["10 GB that are announced", varied(() => ({ size: 10_000_000_000 }))],
  ["2^64 bytes that are announced", varied(() => ({ size: "18446744073709551616" }))],
  ["a negative length", varied(() => ({ size: -1 }))],
  ["a length with a sign", varied((one) => ({ size: `+${one.size}` }))],
  ["a length in hexadecimal digits", varied((one) => ({ size: `0x${one.size.toString(16)}` }))],
  ["a thousandfold bomb that says to be short", () => {
    const one = bomb(10_000_000);
    return { id: one.id, body: record({ ...one, size: 100 }) };
  }],
  ["a bomb of 200 MB in 200 kB", () => {
    const one = bomb(200_000_000);
    return { id: one.id, body: record(one) };
  }],
  ["ten bombs of 90 MB in one request", () => {
    const all = Array.from({ length: 10 }, (_, at) => object("blob", Buffer.alloc(90_000_000, at)));
    return { id: all[9].id, body: Buffer.concat(all.map(record)) };
  }],
  ["a zlib stream that ends early", varied((one) => ({ packed: one.packed.subarray(0, -5) }))],
  ["a zlib stream without its sum", varied((one) => ({ packed: one.packed.subarray(0, -4) }))],
  ["a zlib stream with a wrong sum", varied((one) => ({ packed: Buffer.concat([one.packed.subarray(0, -4), Buffer.from("sum!")]) }))],
  ["garbage after a zlib stream", varied((one) => ({ packed: Buffer.concat([one.packed, Buffer.from("garbage")]) }))],
  ["a second zlib stream after the first", varied((one) => ({ packed: Buffer.concat([one.packed, one.packed]) }))],
  ["a pack", varied((one) => ({ packed: Buffer.concat([Buffer.from("PACK\0\0\0\x02\0\0\0\x01"), one.packed]) }))],
  ["a delta on another object", varied((one) => ({ packed: delta(honest().id) }))],
  ["a delta packed as an object", varied(() => ({ packed: deflateSync(delta(honest().id)) }))],
  ["gzip", varied((one) => ({ packed: gzipSync(one.content) }))],
  ["a bare stream of deflate", varied((one) => ({ packed: deflateRawSync(one.content) }))],
  ["zlib with a dictionary", varied((one) => ({ packed: deflateSync(one.content, { dictionary: one.content }) }))],
  ["an object as git stores it loose", varied((one) => ({ packed: deflateSync(Buffer.concat([Buffer.from(`blob ${one.size}\0`), one.content])) }))],
  ["no zlib stream", varied((one) => ({ packed: Buffer.from("plain text") }))],
  ["an id of SHA-256 for a hash of SHA-1", varied((one) => ({ id: one.id.padEnd(64, "0") }))],
  ["an id in capital letters", () => {
    const one = honest();
    return { id: one.id, body: record({ ...one, id: one.id.toUpperCase() }) };
  }],
  ["an id that is a path", varied(() => ({ id: "../../../1/objects/aaaaaaaaaaaaaaaaaaaaaa" }))],
  ["a heading without an end", () => ({ id: honest().id, body: heading("blob ".padEnd(4096, "a")) })],
  ["a heading with NUL", varied((one) => ({ id: `${one.id.slice(0, 39)}\0` }))],
  ["an honest file before a forged one", () => {
    const [one, other] = [honest(), honest()];
    return { id: one.id, body: Buffer.concat([record(one), record({ ...other, packed: deflateSync("forged") })]) };
  }],
];

const bad = (content) => () => {
  const one = object("tree", content);
  return { id: one.id, body: record(one) };
};
const entry = (mode, name) => Buffer.concat([Buffer.from(`${mode} `), bytes(name), Buffer.from([0]), Buffer.from(ZERO, "hex")]);

/** Trees that git does not check out. */
export const BROKEN = [
  ["a tree with `..`", bad(entry("40000", ".."))],
  ["a tree with `.`", bad(entry("40000", "."))],
  ["a tree with an empty name", bad(entry("100644", ""))],
  ["a tree with an absolute name", bad(entry("100644", "/etc/passwd"))],
  ["a tree with a path for a name", bad(entry("100644", "../../etc/passwd"))],
  ["a tree with NUL in a name", bad(Buffer.concat([entry("100644", "a"), Buffer.from("b\0")]))],
  ["a tree without a mode", bad(entry("", "a"))],
  ["a tree with a mode that is no number", bad(entry("9x", "a"))],
  ["a tree with a mode of 40 digits", bad(entry("1".repeat(40), "a"))],
  ["a tree whose last id is short", bad(entry("100644", "a").subarray(0, -1))],
  ["a tree that is a text", bad("no tree at all")],
  ["a tree of 9 MiB", bad(entry("100644", "a".repeat(9 << 20)))],
];

/** Commits that are not what their hash says, or no commits. `[kind, commit]`; the ids are what must not be there. */
export const COMMITS = [
  ["a commit with another hash", () => ({ id: "1".repeat(40), text: commit(ZERO).content.toString() })],
  ["a commit without a root", () => plain("author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nm")],
  // the commit is what its hash says, so it is taken, and it has no files
  ["a commit whose root is a path", () => ({ ...plain("tree ../../../etc/passwd\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nm"), isHonest: true })],
  ["a commit whose parent is not there", () => plain(`tree ${ZERO}\nparent ${"2".repeat(40)}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nm`)],
  ["a commit with 10,000 parents", () => plain(`tree ${ZERO}\n${`parent ${"2".repeat(40)}\n`.repeat(10_000)}author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nm`)],
  ["a file as a commit", () => plain("no commit at all")],
];
const plain = (text) => ({ id: idOf("commit", Buffer.from(text)), text });

const SECRET_LINKS = { "/etc/passwd": "a link to /etc/passwd", "../../../../etc/passwd": "a link that leads up", "/proc/self/environ": "a link into /proc", ".git/config": "a link into .git", "a\0b": "a link with NUL" };

/**
 * Trees that git can have: `[kind, make]`, where `make` returns the objects and the entries of the root. `denies`: names that
 * no archive has.
 */
export const ODD = [
  ...Object.entries(SECRET_LINKS).map(([target, kind]) => [kind, () => {
    const link = blob(target);
    return { objects: [link], entries: [["120000", "link", link.id]] };
  }]),
  ["a file below a link of the same name", () => {
    const [link, file] = [blob("/tmp"), blob("x")];
    const below = tree([["100644", "passwd", file.id]]);
    return { objects: [link, file, below], entries: [["120000", "a", link.id], ["40000", "a", below.id]] };
  }],
  ["a file below a link of the same name in other letters", () => {
    const [link, file] = [blob("/tmp"), blob("x")];
    const below = tree([["100644", "passwd", file.id]]);
    return { objects: [link, file, below], entries: [["120000", "A", link.id], ["40000", "a", below.id]] };
  }],
  ...[".git", ".GIT", ".Git", "git~1", "GIT~1", ".git.", ".git ", ".g\u200cit", ".\u200dgit", ".git\ufeff", ".git::$INDEX_ALLOCATION"].map((name) => [`a directory ${JSON.stringify(name)}`, () => {
    const file = blob("[core]\n\tfsmonitor = touch /tmp/ran\n");
    const below = tree([["100644", "config", file.id]]);
    return { objects: [file, below], entries: [["40000", name, below.id]] };
  }]),
  ["a name that is a path on Windows", named("..\\..\\windows\\x")],
  ["a name with a drive", named("C:x")],
  ["a name that is a device", named("con")],
  ["the same name twice", () => {
    const [one, other] = [blob("one"), blob("other")];
    return { objects: [one, other], entries: [["100644", "a", one.id], ["100644", "a", other.id]] };
  }],
  ["a file and a directory of the same name", () => {
    const file = blob("x");
    const below = tree([["100644", "b", file.id]]);
    return { objects: [file, below], entries: [["100644", "a", file.id], ["40000", "a", below.id]] };
  }],
  ["names in the wrong order", () => {
    const file = blob("x");
    return { objects: [file], entries: [["100644", "z", file.id], ["100644", "a", file.id], ["100644", "m", file.id]], unsorted: true };
  }],
  ...["100777", "0", "777777", "1", "060000", "020000", "104755", "140000"].map((mode) => [`the mode ${mode}`, () => {
    const file = blob("#!/bin/sh\n");
    return { objects: [file], entries: [[mode, "a", file.id]] };
  }]),
  ["a name of 64 kB", () => {
    const file = blob("x");
    return { objects: [file], entries: [["100644", "n".repeat(65_536), file.id], ["100644", "z", file.id]] };
  }],
  ["a submodule of a hostile address", () => {
    const list = blob('[submodule "a"]\n\tpath = a\n\turl = --upload-pack=touch /tmp/ran\n[submodule "../../x"]\n\tpath = -x\n\turl = ext::sh -c touch% /tmp/ran\n\tupdate = !touch /tmp/ran\n');
    return { objects: [list], entries: [["100644", ".gitmodules", list.id], ["160000", "a", "3".repeat(40)]] };
  }],
  ["settings of git that run programs", () => {
    const file = blob("* filter=x diff=x merge=x\n");
    return { objects: [file], entries: [["100644", ".gitattributes", file.id]] };
  }],
  ["10,000 directories in one another", () => {
    const file = blob("deep");
    const objects = [file];
    let at = ["100644", "d", file.id];
    for (let level = 0; level < 10_000; level++) {
      const one = tree([at]);
      objects.push(one);
      at = ["40000", "d", one.id];
    }
    return { objects, entries: [at], path: Array(400).fill("d").join("/") };
  }],
  ["50,000 entries in a directory", () => {
    const file = blob("x");
    const below = tree(Array.from({ length: 50_000 }, (_, at) => ["100644", `f${String(at).padStart(6, "0")}`, file.id]));
    return { objects: [file, below], entries: [["40000", "many", below.id]], path: "many" };
  }],
  ["ten to the power of ten files in ten trees", () => {
    const file = blob("x");
    let [at, mode] = [file.id, "100644"];
    const objects = [file];
    for (let level = 0; level < 10; level++) {
      const one = tree(Array.from({ length: 10 }, (_, name) => [mode, `${name}`, at]));
      objects.push(one);
      [at, mode] = [one.id, "40000"];
    }
    return { objects, entries: [["40000", "bomb", at]] };
  }],
  ["an archive of 60 GB: 6,000 names of one file of 10 MB", () => {
    const file = blob(Buffer.alloc(10_000_000, 97));
    return { objects: [file], entries: Array.from({ length: 6000 }, (_, at) => ["100644", `f${String(at).padStart(5, "0")}`, file.id]) };
  }],
  ["a file where a directory should be", () => {
    const inner = blob("inner");
    const file = object("blob", tree([["100644", "believed", inner.id]]).content);
    return { objects: [inner, file], entries: [["40000", "a", file.id]], isNoDirectory: "a" };
  }],
  ["a directory where a file should be", () => {
    const inner = blob("inner");
    const below = tree([["100644", "x", inner.id]]);
    return { objects: [inner, below], entries: [["100644", "a", below.id]], isNoFile: "a" };
  }],
  ["a root that is a file", () => ({ objects: [], entries: [], root: object("blob", tree([["100644", "believed", blob("inner").id]]).content) })],
];

function named(name) {
  return () => {
    const file = blob("x");
    return { objects: [file], entries: [["100644", name, file.id]] };
  };
}

/** Whether the project has an object. */
async function has(project, id) {
  if (!/^[0-9a-f]{40}$/.test(id)) return false;
  const [lacking, raw] = [await project.ask("POST", "/mirror/objects/lacking", { body: { objects: [id] } }), await project.ask("GET", `/repository/blobs/${id}/raw`)];
  return !lacking.json.objects.includes(id) || raw.status === 200;
}

export async function checkForged(project, tally) {
  for (const [kind, make] of [...FORGED, ...BROKEN]) {
    tally.kind(kind);
    const { id, body } = make();
    const answer = await project.ask("POST", "/mirror/objects", { body });
    if (answer.status < 400 || answer.status > 499) tally.believed(`${answer.status} ${answer.text.slice(0, 100)}`);
    if (await has(project, id)) tally.believed(`${id} is stored`);
  }
  for (const [kind, make] of COMMITS) {
    tally.kind(kind);
    const { id, text, isHonest } = make();
    const answer = await project.ask("POST", "/mirror/commits", { body: { commits: [{ id, object: text, additions: 0, deletions: 0, diff: "[]" }] } });
    if (isHonest) {
      const listed = await project.ask("GET", `/repository/tree?ref=${id}`);
      if (listed.status < 400) tally.believed(short(listed));
      continue;
    }
    if (answer.status < 400 || answer.status > 499) tally.believed(`${answer.status} ${answer.text.slice(0, 100)}`);
    const shown = await project.ask("GET", `/repository/commits/${id}`);
    if (shown.status !== 404) tally.believed(`the commit is answered ${shown.status}`);
  }
}

const short = (answer) => `${answer.status} ${answer.text.slice(0, 120)}`;

export async function checkOdd(project, tally, { isMeasured = true } = {}) {
  for (const [at, [kind, make]] of ODD.entries()) {
    tally.kind(kind);
    const { objects, entries, unsorted, path = "", isNoDirectory, isNoFile, root = tree(unsorted ? entries : sorted(entries)) } = make();
    const unique = [...new Map([...objects, root].map((one) => [one.id, one])).values()];
    const answers = [];
    for (let from = 0; from < unique.length; from += 500) answers.push(await project.send(unique.slice(from, from + 500).map(record)));
    const refused = answers.find(({ status }) => status !== 201);
    if (refused) {
      if (refused.status > 499) tally.wrong(short(refused));
      if (await has(project, root.id)) tally.believed("its root is refused and stored");
      continue;
    }
    const ref = `odd-${at}`;
    await project.push(root.id, [`refs/heads/${ref}`], { message: kind });
    const query = new URLSearchParams({ ref, path, per_page: "100" });
    const shown = {};
    const began = performance.now();
    for (const [what, rest] of [
      ["tree", `/repository/tree?${query}`],
      ["recursive", `/repository/tree?${query}&recursive=true`],
      ["keyset", `/repository/tree?${new URLSearchParams({ ref, path, per_page: "1" })}&pagination=keyset`],
      ["tar", `/repository/archive.tar?sha=${ref}`],
      ["zip", `/repository/archive.zip?sha=${ref}`],
      ["compare", `/repository/compare?from=main&to=${ref}&straight=true`],
      ["v3", `/repository/tree?ref_name=${ref}&recursive=true`],
    ]) {
      const address = what === "v3" ? `/api/v3/projects/${project.id}${rest}` : project.at(rest);
      const answer = await project.client.ask(project.token, "GET", address);
      shown[what] = answer;
      // a 503 promises that the object comes: it never does, because the hook has sent all there is
      if (answer.status >= 500 || answer.status === 0) tally.wrong(`${what}: ${short(answer)}`);
      if (answer.bytes.length > 16 << 20 && what !== "tar" && what !== "zip") tally.wrong(`${what}: ${answer.bytes.length} bytes`);
      if (answer.bytes.length > 80 << 20) tally.wrong(`${what}: ${answer.bytes.length} bytes`);
      if (Number(answer.headers.link?.length ?? 0) > 16_384) tally.wrong(`${what}: a header of ${answer.headers.link.length} bytes`);
    }
    const took = performance.now() - began;
    if (isMeasured && took > 20_000) tally.wrong(`its answers took ${Math.round(took / 1000)} s`);
    for (const [what, read] of [["tar", namesOfTar], ["zip", namesOfZip]]) {
      if (shown[what].status !== 200) continue;
      for (const flaw of deny(read(shown[what].bytes))) tally.believed(`${what}: ${flaw}`);
    }
    if (isNoDirectory) {
      const listed = await project.ask("GET", `/repository/tree?ref=${ref}&path=${isNoDirectory}`);
      if (listed.status === 200) tally.believed(`a file is listed as a directory: ${short(listed)}`);
    }
    if (isNoFile) {
      const read = await project.ask("GET", `/repository/files/${isNoFile}/raw?ref=${ref}`);
      if (read.status === 200) tally.believed(`a directory is sent as a file: ${short(read)}`);
    }
    if (kind === "a root that is a file" && shown.tree.status === 200) tally.believed(`it is listed: ${short(shown.tree)}`);
    for (const answer of Object.values(shown)) if (answer.text.includes("root:x:0")) tally.foreign("a file of the server is shown");
  }
}
