// Dependencies have the versions and the hashes of a lock file.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const text = (path) => readFileSync(path, "utf8");

test("every npm package has its hash, for every platform", () => {
  for (const lock of ["package-lock.json", "tests/clients/recipes/package-lock.json"]) {
    const packages = Object.entries(JSON.parse(text(lock)).packages).filter(([path]) => path);
    // the hash of a package holds what comes inside of it
    const bare = packages
      .filter(([, of]) => !of.inBundle && !/^sha512-/.test(of.integrity ?? ""))
      .map(([path, of]) => `${path}@${of.version}`);
    assert.ok(packages.length > 200);
    assert.deepEqual(bare, [], lock);
  }
});

test("every npm package of the recipes has one version", () => {
  const { dependencies, optionalDependencies } = JSON.parse(text("tests/clients/recipes/package.json"));
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

// npm locks an optional package without a hash if the registry lacks its version. That platform could then not install
test("workerd comes once, with its hash, for every platform that it is made for", () => {
  const packages = Object.entries(JSON.parse(text("package-lock.json")).packages);
  const found = packages.filter(([path]) => /\/workerd-[a-z0-9-]+$/.test(path));
  const platforms = ["darwin-64", "darwin-arm64", "linux-64", "linux-arm64", "windows-64"];
  assert.deepEqual(
    found.map(([path]) => path).sort(),
    platforms.map((name) => `node_modules/@cloudflare/workerd-${name}`),
  );
  assert.equal(new Set(found.map(([, { version }]) => version)).size, 1);
  for (const [path, { integrity }] of found) assert.match(integrity ?? "", /^sha512-/, path);
});

test("every crate has its hash and comes from crates.io, but for our own", () => {
  for (const [lock, own] of /** @type {[string, string[]][]} */ ([
    ["Cargo.lock", ["edgeforge", "edgeforge-mirror", "edgeforge-row", "edgeforge-wire"]],
    ["scripts/bindgen/Cargo.lock", ["bindgen"]],
    ["tests/clients/hooks/verify/Cargo.lock", ["verify"]],
  ])) {
    const crates = text(lock).split("[[package]]").slice(1);
    const foreign = crates.filter((crate) => !/\nchecksum = "[0-9a-f]{64}"/.test(crate));
    assert.deepEqual(
      foreign.map((crate) => crate.match(/name = "(.*)"/)[1]),
      own,
      lock,
    );
    const from = new Set(crates.map((crate) => crate.match(/source = "(.*)"/)?.[1]).filter(Boolean));
    assert.deepEqual([...from], ["registry+https://github.com/rust-lang/crates.io-index"], lock);
  }
});

test("every Python package has its hash", () => {
  for (const file of [
    "tests/clients/requirements.txt",
    "tests/clients/v4/python-gitlab.txt",
    "tests/clients/v4/buildbot.txt",
    "tests/clients/v4/hooks.txt",
    "tests/fuzz/requirements.txt",
  ]) {
    const lines = text(file)
      .replaceAll("\\\n", " ")
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    assert.ok(lines.length > 1, file);
    for (const line of lines) assert.match(line, /^[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}/, file);
  }
});

test("wasm-bindgen is of one version on both sides", () => {
  const version = (lock, name) => text(lock).match(new RegExp(`name = "${name}"\nversion = "(.*)"`))[1];
  assert.equal(version("scripts/bindgen/Cargo.lock", "wasm-bindgen-cli-support"), version("Cargo.lock", "wasm-bindgen"));
});

test("no script installs anything without a lock file", () => {
  const files = (folder) =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? files(path) : [path];
    });
  const installs = /\bnpx\b.*(?:--yes|-y\b)|\bnpm (?:i|install|exec)\b|\bcargo install\b|\bpip"? install\b|\bcurl\b.*\| *(?:ba)?sh\b/;
  const lawful = /--package-lock-only|cargo install .*--locked|--require-hashes/;
  const scripts = [...files("scripts"), ...files(".ci"), ...files("release"), "Makefile"].filter((path) => !path.endsWith(".lock"));
  const lines = scripts.flatMap((path) =>
    text(path)
      .split("\n")
      .map((line) => `${path}: ${line}`),
  );
  assert.deepEqual(
    lines.filter((line) => installs.test(line) && !lawful.test(line)),
    [],
  );
  assert.ok(lines.some((line) => /npm ci/.test(line)) && lines.filter((line) => lawful.test(line)).length >= 3);
});
