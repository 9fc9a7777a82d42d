// Repositories that are made to be odd: names, modes, sizes and histories.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { env, feed, git } from "./world.mjs";

const NOBODY = "A <a@example.com> 1700000000 +0000";
const data = (content) => Buffer.concat([Buffer.from(`data ${content.length}\n`), Buffer.from(content), Buffer.from("\n")]);
/** A name as fast-import takes it: in quotation marks, odd bytes as octal numbers. */
const quoted = (name) =>
  `"${[...Buffer.from(name)].map((byte) => (byte < 33 || byte > 126 || byte === 34 || byte === 92 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte))).join("")}"`;
const file = (name, content, mode = "100644") =>
  Buffer.concat([Buffer.from(`M ${mode} inline ${quoted(name)}\n`), data(Buffer.from(content))]);
const gone = (name) => Buffer.from(`D ${quoted(name)}\n`);
const commit = (branch, parents, ...changes) => {
  const from = parents.map((parent, at) => `${at ? "merge" : "from"} refs/heads/${parent}\n`).join("");
  return Buffer.concat([
    Buffer.from(`commit refs/heads/${branch}\ncommitter ${NOBODY}\n`),
    data(Buffer.from(`to ${branch}\n`)),
    Buffer.from(from),
    ...changes,
    Buffer.from("\n"),
  ]);
};

const numbered = (count, word) => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join("");
const latin = (text) => Buffer.from(text, "latin1");
/** A path of 3,950 bytes: with the directory of an archive it is nearly as long as Linux allows. */
const LONG = `${Array.from({ length: 19 }, (_, n) => `${n}`.padEnd(199, "d")).join("/")}/${"f".repeat(150)}`;
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;

function oddFiles(length) {
  const names = [
    "with space.txt",
    " lead",
    "trail ",
    " both /in side ",
    "new\nline",
    "tab\there",
    'quote"d',
    "back\\slash",
    "apo'strophe",
    "#hash",
    "per%cent",
    "%2F",
    "a+b",
    "a&b=c",
    "que?ry",
    "star*[x]",
    "-dash",
    "--",
    "...",
    "..two",
    ".gitattributes.txt",
    "semi;colon",
    "ü/ñ/日本語 😀.txt",
    "e\u0301 combined",
    "\u00e9 single",
    "foo.bar",
    "foo/bar",
    "foo-bar/x",
    "foo0",
    "raw",
    "blame",
    "nested/raw/blame/raw",
    "CON",
    "<b>&amp;",
    "\u202ereversed",
    "\x7f\x01control",
  ];
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

/** A bare repository in that folder, of the format sha1 or sha256: its branches differ in each kind of change. */
export function odd(work, format) {
  const folder = join(work, `odd-${format}.git`);
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
    commit(
      "some-moved",
      ["many"],
      ...many.slice(0, 60).flatMap((n) => [gone(`many/${n}`), file(`moved/${n}`, `${numbered(29, `of ${n},`)}end\n`)]),
    ),
    commit("apart", [], file("with space.txt", "another history\n")),
    commit("nothing", []),
  ];
  feed(folder, Buffer.concat(input), "fast-import", "--quiet");
  git(folder, "tag", "--annotate", "--message=a tag", "v1.0", "main");
  git(folder, "tag", "plain", "changed");
  return folder;
}
