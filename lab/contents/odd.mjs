// Repositories that are made to be odd: names, modes, sizes and histories.
import { execFileSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../hostile/inspector.mjs";
import { freePort, token } from "../../scripts/workerd.mjs";
import { archives } from "./archives.mjs";
import { Compares } from "./compares.mjs";
import { files, LONGEST_FILE, trees } from "./fidelity.mjs";
import { begin, env, feed, fresh, get, git, hook, mebi, peakOf, refsOf } from "./world.mjs";

const NOBODY = "A <a@example.com> 1700000000 +0000";
const data = (content) => Buffer.concat([Buffer.from(`data ${content.length}\n`), Buffer.from(content), Buffer.from("\n")]);
/** A name as fast-import takes it: in quotation marks, odd bytes as octal numbers. */
const quoted = (name) => `"${[...Buffer.from(name)].map((byte) => (byte < 33 || byte > 126 || byte === 34 || byte === 92 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte))).join("")}"`;
const file = (name, content, mode = "100644") => Buffer.concat([Buffer.from(`M ${mode} inline ${quoted(name)}\n`), data(Buffer.from(content))]);
const gone = (name) => Buffer.from(`D ${quoted(name)}\n`);
const commit = (branch, parents, ...changes) => {
  const from = parents.map((parent, at) => `${at ? "merge" : "from"} refs/heads/${parent}\n`).join("");
  return Buffer.concat([Buffer.from(`commit refs/heads/${branch}\ncommitter ${NOBODY}\n`), data(Buffer.from(`to ${branch}\n`)), Buffer.from(from), ...changes, Buffer.from("\n")]);
};

const numbered = (count, word) => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join("");
const latin = (text) => Buffer.from(text, "latin1");
/** A path of 3,950 bytes: with the directory of an archive it is nearly as long as Linux allows. */
const LONG = `${Array.from({ length: 19 }, (_, n) => `${n}`.padEnd(199, "d")).join("/")}/${"f".repeat(150)}`;
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;

function oddFiles(length) {
  const names = ["with space.txt", " lead", "trail ", " both /in side ", "new\nline", "tab\there", 'quote"d', "back\\slash", "apo'strophe", "#hash", "per%cent", "%2F", "a+b", "a&b=c", "que?ry", "star*[x]", "-dash", "--", "...", "..two", ".gitattributes.txt", "semi;colon", "ü/ñ/日本語 😀.txt", "e\u0301 combined", "\u00e9 single", "foo.bar", "foo/bar", "foo-bar/x", "foo0", "raw", "blame", "nested/raw/blame/raw", "CON", "<b>&amp;", "\u202ereversed", "\x7f\x01control"];
  return [
    ...names.map((name) => file(name, `the file ${JSON.stringify(name)}\n`)),
    file(latin("caf\xe9 \xff\xfe"), "a name that is not UTF-8\n"),
    file(latin("d\xffr/f\xffle"), "and in a directory\n"),
    file(LONG, "a path of 3,950 bytes\n"),
    file("run.sh", "#!/bin/sh\n", "100755"),
    file("links/to file", "../with space.txt", "120000"),
    file("links/absolute", "/etc/passwd", "120000"),
    file("links/above", "../../../..", "120000"),
    file("links/nowhere", latin("caf\xe9"), "120000"),
    file("links/long", "x/".repeat(1000), "120000"),
    file(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ../sub\n'),
    Buffer.from(`M 160000 ${"1".repeat(length)} sub\nM 160000 ${"2".repeat(length)} "deep/sub module"\n`),
    file("crlf.txt", "one\r\ntwo\r\nthree\r\n"),
    file("mixed.txt", "one\r\ntwo\nthree\rfour"),
    file("no end", "no line end"),
    file("empty", ""),
    file("binary", Buffer.from([0, 1, 2, 255, 254, 13, 10, 0])),
    file("late binary", `${numbered(2000, "a line of text")}\0`),
    file("latin1.txt", latin("caf\xe9\nna\xefve\n")),
    file("bom.txt", "\ufefftext\n"),
    file("page.html", "<script>alert(1)</script>\n"),
    file("lfs.bin", POINTER),
    file("code.c", numbered(300, "int f() { return")),
    file("moved.c", numbered(100, "void moved")),
    file("turns into a link", numbered(50, "of a link")),
    file("turns into a directory", "short\n"),
    file("turns/into/a/file", "short\n"),
  ];
}

/** Changes of each kind, some that could be taken for renames. */
const changes = (length) => [
  gone("moved.c"),
  file("dir/moved here.c", `${numbered(90, "void moved")}changed\n`),
  file("turns into a link", "no end", "120000"),
  // has the bytes of the file that became a link
  file("was no link", numbered(50, "of a link")),
  gone("turns into a directory"),
  file("turns into a directory/file", "short\n"),
  gone("turns/into/a/file"),
  file("turns", "short\n"),
  file("run.sh", "#!/bin/sh\n", "100644"),
  file("no end", "no line end\n"),
  file("crlf.txt", "one\ntwo\r\nthree\n"),
  file("latin1.txt", latin("caf\xe9\nna\xefve\nd\xe9j\xe0\n")),
  file("code.c", numbered(300, "int f() { return").replace("return 7\n", "return 8\nand more\n").replace("return 250\n", "")),
  file("binary", Buffer.from([0, 1, 2, 3])),
  file("lfs.bin", POINTER.replace("12345", "12346")),
  file(latin("caf\xe9 \xff\xfe"), "other text\n"),
  file("new\nline", "other text\n"),
  gone("links/nowhere"),
  file("links/somewhere", latin("caf\xe9"), "120000"),
  gone("empty"),
  file("another empty", ""),
  Buffer.from(`M 160000 ${"3".repeat(length)} sub\n`),
  gone("deep/sub module"),
  file("deep/sub module", "no module any more\n"),
];

/** A bare repository of that format with the branches main, changed, moved and others. */
function make(folder, format) {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", `--object-format=${format}`, folder], { env });
  const length = format === "sha256" ? 64 : 40;
  const many = Array.from({ length: 120 }, (_, n) => n);
  const input = [
    commit("main", [], ...oddFiles(length)),
    commit("changed", ["main"], ...changes(length)),
    commit("feature/with#odd+%name", ["main"], file("added", "added\n")),
    commit("merged", ["changed", "feature/with#odd+%name"], file("of the merge", "x\n")),
    // two commits where both met
    commit("left", ["changed", "feature/with#odd+%name"], file("left", "l\n")),
    commit("right", ["feature/with#odd+%name", "changed"], file("added", "added\n"), file("right", "r\n")),
    commit("many", ["main"], ...many.map((n) => file(`many/${n}`, numbered(30, `of ${n},`)))),
    commit("many-moved", ["many"], ...many.flatMap((n) => [gone(`many/${n}`), file(`moved/${n}`, `${numbered(29, `of ${n},`)}end\n`)])),
    commit("some-moved", ["many"], ...many.slice(0, 60).flatMap((n) => [gone(`many/${n}`), file(`moved/${n}`, `${numbered(29, `of ${n},`)}end\n`)])),
    commit("apart", [], file("with space.txt", "another history\n")),
    commit("nothing", []),
  ];
  feed(folder, Buffer.concat(input), "fast-import", "--quiet");
  git(folder, "tag", "--annotate", "--message=a tag", "v1.0", "main");
  git(folder, "tag", "plain", "changed");
  return folder;
}

/** A branch with a file that is just short enough, and one that is a byte too long. */
function addLong(folder) {
  const content = randomFillSync(Buffer.allocUnsafe(LONGEST_FILE));
  const hash = createHash("sha256").update(content).digest("hex");
  feed(folder, commit("long", ["main"], file("long/file", content), file("long/run.sh", "x\n", "100755")), "fast-import", "--quiet");
  feed(folder, commit("longer", ["main"], file("longer/file", Buffer.alloc(LONGEST_FILE + 1, "x")), file("longer/small", "x\n")), "fast-import", "--quiet");
  return hash;
}

/** Reads the long file as a stream, and measures the isolate meanwhile. */
async function readLong({ findings }, state, root, wanted) {
  const port = await freePort();
  const server = await begin(state, ["--inspector", String(port)]);
  await get(server, `${root}/tree?ref=long`);
  const inspector = await inspect(port);
  await inspector.find();
  const before = await inspector.sizes();
  let most = before;
  const [began, rest] = [performance.now(), peakOf(server)];
  const answer = await fetch(`${server.address}/api/v4${root}/files/long%2Ffile/raw?ref=long`, { headers: { "PRIVATE-TOKEN": token } });
  const hash = createHash("sha256");
  let [bytes, measured] = [0, 0];
  for await (const chunk of answer.body) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes < (measured + 1) * 5e6) continue;
    measured++;
    const sizes = await inspector.sizes();
    if (sizes.all > most.all) most = sizes;
  }
  const same = hash.digest("hex") === wanted && answer.headers.get("x-gitlab-content-sha256") === wanted;
  findings.check(answer.status === 200 && bytes === LONGEST_FILE && same, `a file of ${LONGEST_FILE} bytes as git has it, ${(performance.now() - began).toFixed(0)} ms`);
  console.log(`       the isolate ${mebi(before.all)} before, at most ${mebi(most.all)} (wasm ${mebi(most.wasm)}) at ${measured} points of the stream; workerd with its R2 ${mebi(rest)}, then ${mebi(peakOf(server))}`);
  findings.check(most.all < 128 * 2 ** 20, "below the 128 MiB of an isolate");
  const part = await get(server, `${root}/files/long%2Ffile/raw?ref=long`, { Range: `bytes=${LONGEST_FILE - 10}-` });
  findings.check(part.status === 206 && part.body.length === 10 && part.headers.get("content-range") === `bytes ${LONGEST_FILE - 10}-${LONGEST_FILE - 1}/${LONGEST_FILE}`, `its last ten bytes: ${part.status}, ${part.headers.get("content-range")}`);
  const refused = await get(server, `${root}/files/long%2Ffile?ref=long`);
  findings.check(refused.status === 413, `as JSON: ${refused.said()}`);
  const over = await get(server, `${root}/files/longer%2Ffile/raw?ref=longer`);
  findings.check(over.status === 422, `a byte more: ${over.said()}`);
  inspector.close();
  await server.stop();
}

/** All checks of one repository. */
async function checkAll(world, program, project) {
  const { server, repository, root, findings } = world;
  const synced = await hook(program, repository, server.address, project, "sync").ended;
  findings.check(synced.code === 0, `${world.name}: sync: ${synced.said.split("\n").join("; ")}`);
  const refs = refsOf(repository);
  await trees(world, refs);
  await files(world, refs, 500);
  await archives(world, refs.filter(({ name }) => ["main", "changed", "feature/with#odd+%name", "nothing", "long"].includes(name)));
  const all = new Compares(world);
  for (const from of refs) for (const to of refs) for (const straight of [false, true]) await all.one(from, to, straight);
  all.end(`all pairs of ${refs.length} refs`);
  const verified = await hook(program, repository, server.address, project, "verify", "--contents", "--sample", "1000").ended;
  findings.check(verified.code === 0, `verify --contents: ${verified.said.split("\n").join("; ")}`);
}

/** Without any commit. */
async function empty(world, program, project) {
  const { server, repository, root, findings } = world;
  execFileSync("git", ["init", "--quiet", "--bare", repository], { env });
  const synced = await hook(program, repository, server.address, project, "sync").ended;
  const verified = await hook(program, repository, server.address, project, "verify", "--contents").ended;
  const asked = { tree: 404, "tree?recursive=true": 404, "files/a?ref=HEAD": 404, "files/a/raw": 404, "archive.tar.gz": 404, "compare?from=a&to=b": 404, [`blobs/${"0".repeat(40)}`]: 404 };
  const answers = await Promise.all(Object.keys(asked).map((path) => get(server, `${root}/${path}`)));
  const wrong = Object.entries(asked).flatMap(([path, status], at) => (answers[at].status === status ? [] : [`${path} ${answers[at].status}`]));
  findings.check(synced.code === 0 && verified.code === 0 && !wrong.length, `an empty repository: ${synced.said}; ${verified.said.split("\n").join("; ")}; all 404 ${wrong.join()}`);
}

export async function odd({ hook: program, base, work, findings }) {
  console.log("odd repositories");
  const state = join(work, "odd");
  const server = await fresh(base, state);
  const worlds = {};
  for (const name of ["odd", "odd256", "empty"]) {
    const { id } = await server.make("/projects", { name });
    worlds[name] = { server, name, id, findings, repository: join(work, `${name}.git`), root: `/projects/${id}/repository`, work: join(work, "unpacked") };
    rmSync(worlds[name].repository, { recursive: true, force: true });
  }
  mkdirSync(worlds.odd.work, { recursive: true });
  make(worlds.odd.repository, "sha1");
  make(worlds.odd256.repository, "sha256");
  const hash = addLong(worlds.odd.repository);
  await checkAll(worlds.odd, program, "root/odd");
  await checkAll(worlds.odd256, program, "root/odd256");
  await empty(worlds.empty, program, "root/empty");
  await server.stop();
  await readLong(worlds.odd, state, worlds.odd.root, hash);
  rmSync(state, { recursive: true });
}
