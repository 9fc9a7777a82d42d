// The files of each crate and of the pages import each other in one direction: none reaches itself through its imports.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { join, relative } from "node:path";

const root = new URL("../../", import.meta.url).pathname;
const src = join(root, "src");
const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => name.replaceAll("\\", "/"));
/** `a/b.rs` and `a/b/mod.rs` are the module `a::b`. */
const moduleOf = (file) =>
  file
    .replace(/\.rs$/, "")
    .replace(/(^|\/)mod$/, "")
    .split("/")
    .filter(Boolean);

/** Every path of a `use` tree, `a::{b, c::d}` as `a::b` and `a::c::d`. */
function leaves(tree) {
  const brace = tree.indexOf("{");
  if (brace < 0) return [tree.replace(/\s+as\s+\w+$/, "").trim()];
  const prefix = tree.slice(0, brace).trim();
  const inner = tree.slice(brace + 1, tree.lastIndexOf("}"));
  const parts = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= inner.length; at += 1) {
    if (inner[at] === "{") depth += 1;
    if (inner[at] === "}") depth -= 1;
    if (at === inner.length || (inner[at] === "," && depth === 0)) {
      if (inner.slice(from, at).trim()) parts.push(inner.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts.flatMap((part) => leaves(prefix + part));
}

/** The files that a file names by `use` or by a path in its code. `mod` in a parent is not an import. */
function imports(folder, files, fileOf, file) {
  const here = moduleOf(file);
  const text = readFileSync(join(folder, file), "utf8")
    .replace(/\/\/.*$/gm, "")
    .replace(/#\[cfg\(test\)\]\s*mod tests \{[\s\S]*$/, "");
  const used = [...text.matchAll(/\b(?:pub(?:\([^)]*\))? )?use ([^;]+);/g)].flatMap(([, tree]) => leaves(tree.replace(/\s+/g, " ")));
  const named = [...text.matchAll(/\b((?:crate|super|self)(?:::\w+)+)/g)].map(([, path]) => path);
  const own = new Set(
    files
      .map(moduleOf)
      .filter((path) => path.length === here.length + 1 && here.every((part, at) => part === path[at]))
      .map((path) => path.at(-1)),
  );
  const found = new Set();
  for (const path of [...used, ...named]) {
    let parts = path.split("::").map((part) => part.trim());
    if (parts[0] === "crate") parts = parts.slice(1);
    else if (parts[0] === "super") {
      let base = here;
      while (parts[0] === "super") [base, parts] = [base.slice(0, -1), parts.slice(1)];
      parts = [...base, ...parts];
    } else if (parts[0] === "self") parts = [...here, ...parts.slice(1)];
    else if (own.has(parts[0])) parts = [...here, ...parts];
    else continue;
    while (parts.length && !fileOf.has(parts.join("::"))) parts = parts.slice(0, -1);
    const target = fileOf.get(parts.join("::"));
    if (target && target !== file && target !== "lib.rs") found.add(target);
  }
  return found;
}

/** The imports of each file of a crate. */
function graphOf(folder) {
  const files = filesIn(folder, /\.rs$/);
  const fileOf = new Map(files.map((file) => [moduleOf(file).join("::"), file]));
  fileOf.set("", "lib.rs");
  return new Map(files.filter((file) => file !== "lib.rs").map((file) => [file, imports(folder, files, fileOf, file)]));
}

/** The same of the pages, with what they load later by `import()`. */
function graphOfPages(folder) {
  const files = filesIn(folder, /\.(mjs|jsx)$/);
  const named = (file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) => path);
  const inFolder = (file, path) => relative(folder, join(folder, file, "..", path));
  return new Map(files.map((file) => [file, new Set(named(file).map((path) => inFolder(file, path)))]));
}

const graph = graphOf(src);

/** Groups of files that reach each other (Tarjan's algorithm). */
export function circles(edges) {
  const [index, low, onStack, stack, groups] = [new Map(), new Map(), new Set(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    onStack.add(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (onStack.has(next)) low.set(node, Math.min(low.get(node), index.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    for (const member of group) onStack.delete(member);
    if (group.length > 1) groups.push(group);
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return groups;
}

const circlesIn = (edges) =>
  circles(edges).map((group) => {
    const within = group.flatMap((file) => [...edges.get(file)].filter((to) => group.includes(to)).map((to) => `${file} -> ${to}`));
    return `${group.length} files: ${within.join(", ")}`;
  });

for (const folder of ["src", "mirror/src", "wire/src", "row/src"]) {
  test(`no file of ${folder} imports itself through others`, () => {
    const edges = graphOf(join(root, folder));
    assert.ok([...edges.values()].some((named) => named.size > 0));
    assert.deepEqual(circlesIn(edges), []);
  });
}

test("no file of page imports itself through others", () => {
  const edges = graphOfPages(join(root, "page"));
  assert.ok(edges.get("main.jsx").has("pages/browsing.mjs"));
  assert.deepEqual(circlesIn(edges), []);
});

/** `kernel/call/gate/mod.rs` is in the room `kernel/call`, `routes/v3.rs` is in the room `routes`. */
const room = (file) =>
  file
    .split("/")
    .slice(0, /^(kernel|areas)\//.test(file) ? 2 : 1)
    .join("/")
    .replace(/\.rs$/, "");

test("no room of src/ imports itself through others", () => {
  const rooms = new Map();
  for (const [file, named] of graph) {
    const others = [...named].map(room).filter((other) => other !== room(file));
    rooms.set(room(file), new Set([...(rooms.get(room(file)) ?? []), ...others]));
  }
  assert.deepEqual(circles(rooms), []);
});

/** From low to high. */
const STOREYS = ["kernel", "areas"];
const storey = (file) => (STOREYS.indexOf(file.split("/")[0]) + STOREYS.length + 1) % (STOREYS.length + 1);

test("the kernel imports no area, and no area imports what is above", () => {
  assert.deepEqual(["kernel/a.rs", "areas/a.rs", "routes/v3.rs"].map(storey), [0, 1, 2]);
  const up = [...graph].flatMap(([file, named]) => [...named].filter((to) => storey(to) > storey(file)).map((to) => `${file} -> ${to}`));
  assert.deepEqual(up, []);
});

test("a circle is found", () => {
  assert.equal(
    circles(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ).length,
    1,
  );
});

/** The most lines that a handler has between its braces. */
const MOST_LINES = 15;
const LONG = [];

/** The name and the number of lines of each handler: a public function of a call, the segments of its path and the values of its route. */
function handlers(text) {
  const found = [];
  const pattern =
    /^pub async fn (\w+)\(\s*call: &Call<'_>(?:,\s*\w+: (?:&(?:'static )?str|bool|Option<[^>]*>))*,?\s*\) -> Result<Reply> \{\n([\s\S]*?)\n\}\n/gm;
  for (const [, name, body] of text.matchAll(pattern)) found.push([name, body.split("\n").length]);
  return found;
}

test("no handler is longer than fifteen lines", () => {
  const all = [...graph.keys()].flatMap((file) =>
    handlers(`${readFileSync(join(src, file), "utf8")}\n`).map(([name, lines]) => [`${file}: ${name}`, lines]),
  );
  assert.ok(all.length > 340, `${all.length} handlers`);
  const long = all.filter(([name, lines]) => lines > MOST_LINES && !LONG.includes(name));
  assert.deepEqual(long, [], "a handler only parses, authorizes, queries and answers: move the rest to a function");
});

test("a long handler is found", () => {
  const text = `pub async fn a(call: &Call<'_>) -> Result<Reply> {\n${"    x();\n".repeat(16)}}\n`;
  assert.deepEqual(handlers(text), [["a", 16]]);
});
