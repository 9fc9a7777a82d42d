// Lays out a release after the Worker, the templates and the hook are built: node scripts/release.mjs FOLDER
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const folder = process.argv[2];
const tools = JSON.parse(readFileSync("package.json", "utf8"));
const [, version] = /^version = "(.+)"$/m.exec(readFileSync("Cargo.toml", "utf8")) ?? [];

/** The commands of a release, and their scripts. */
const commands = { dev: "local", deploy: "deploy", backup: "backup", restore: "restore", "revoke-since": "revoke-since" };

/** A description of each binding of the Worker, for tools that ask the operator. */
const bindings = {
  DB: "All data but license templates. Say where most requests will come from: a database cannot be moved.",
  DIFFS: "Diffs of more than 1 KB. Without it they are in the database.",
  TEMPLATES: "The license templates, loaded anew by every deploy.",
  ADMIN_TOKEN: "The private token of root, the administrator: 20 random characters or more, for example of `openssl rand -base64 24`.",
  PROFILE: 'Which of the two readings of the v3 API to answer with, where they differ: "spec" or "gitlab".',
  EXTERNAL_URL: "The base address to put into links, for a domain of your own; empty: that of the request.",
  REPOSITORY_STORAGES: "The names that the setting repository_storage may take, with commas between.",
};

function put(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function copy(path, to = path) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  cpSync(path, join(folder, to), { recursive: true });
}

/** A script and the files beside it that it imports or runs, recursively. */
function scripts(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(path, "utf8");
  for (const [, name] of text.matchAll(/\bfrom "(\.[^"]+)"/g)) scripts(join(dirname(path), name), found);
  for (const [, name] of text.matchAll(/"(scripts\/[a-z/-]+\.mjs)"/g)) scripts(name, found);
  return found;
}

/** wrangler.toml without its build command. */
function configuration() {
  const text = readFileSync("wrangler.toml", "utf8");
  const without = text.replace(/^\[build\]\n(?:.+\n)*\n/m, "");
  if (without === text || /scripts\/build/.test(without))
    throw new Error("wrangler.toml has no [build] section to leave out: update scripts/release.mjs");
  return without.replaceAll("make deploy", "npm run deploy");
}

/** For npm; the versions that this project is built and tested with. */
function manifest() {
  const { wrangler, miniflare } = tools.devDependencies;
  return {
    name: "edgeforge",
    version,
    description: "A project-hosting API at the edge (/api/v4 and /api/v3): issues, commits, statuses, settings, deployments, licenses",
    private: true,
    license: "Apache-2.0",
    engines: { node: ">=22.12" },
    scripts: Object.fromEntries(Object.entries(commands).map(([name, script]) => [name, `node --no-warnings scripts/run.mjs ${script}`])),
    dependencies: { miniflare, wrangler },
    cloudflare: {
      label: "edgeforge",
      bindings: Object.fromEntries(Object.entries(bindings).map(([name, description]) => [name, { description }])),
    },
  };
}

const used = new Set(["run", ...Object.values(commands)].flatMap((name) => [...scripts(`scripts/${name}.mjs`)]));
for (const path of used) copy(path);
for (const path of [
  "build/index.js",
  "build/index_bg.wasm",
  "build/licenses.json",
  "build/page",
  "migrations",
  "docs",
  "LICENSE",
  "NOTICE",
])
  copy(path);
copy("release/dev.vars.example", ".dev.vars.example");
put(".gitignore", "/node_modules/\n/.wrangler/\n/.dev.vars\n/wrangler.deploy-*.toml\n/backups/\n");
put("wrangler.toml", configuration());
put("package.json", `${JSON.stringify(manifest(), null, 2)}\n`);
copy("package-lock.json");
put("README.md", readFileSync("release/README.md", "utf8").replaceAll("VERSION", version));

const sums = readdirSync("build/hook")
  .sort()
  .map((name) => {
    const to = join("hook", basename(name));
    copy(join("build/hook", name), to);
    chmodSync(join(folder, to), 0o755);
    return `${createHash("sha256")
      .update(readFileSync(join(folder, to)))
      .digest("hex")}  ${name}\n`;
  });
put("hook/SHA256SUMS", sums.join(""));

for (const binding of Object.keys(bindings)) {
  const isBound = ["wrangler.toml", ".dev.vars.example"].some((file) => readFileSync(join(folder, file), "utf8").includes(binding));
  if (!isBound) throw new Error(`wrangler.toml does not bind ${binding}: remove its description in scripts/release.mjs`);
}
if (existsSync(join(folder, "build/.inputs"))) throw new Error("the release contains build/.inputs, which only the build needs");
