// The repositories of the hostile worlds: many parents, many files, one long line, and long messages.
import { readFileSync } from "node:fs";
import { history, Repository } from "./git.mjs";
import { texts } from "./texts.mjs";

const limits = readFileSync("wire/src/limits.rs", "utf8");
const limit = (name) => Number(new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(limits)[1].replaceAll("_", ""));
/** Parents of a commit, and parents beyond the second of each commit of a project. */
const [MOST_PARENTS, EXTRA] = [limit("PARENTS"), limit("EXTRA_PARENTS")];
const DENSE = 5000;
const ASKED_PARENTS = 600;
const FILES = 16_000;
const LISTED = 28_000;
const CHANGED = 200;
const LINE = 12_000;
const REFS = 900;
const MESSAGES = 60;

const refusalsOf = ({ refusals }) =>
  Object.entries(refusals)
    .map(([reason, times]) => `; ${times} times ${reason}`)
    .join("");

export async function makeRepositories({ address, token, owner, projects, say }) {
  const repositoryOf = (name) => new Repository(address, token, projects[name]["projects/{id}"][0]);
  /** Branches and tags at commits all over the history. */
  const refs = (shas) =>
    Array.from({ length: REFS }, (_, n) => [
      n % 3 ? `refs/heads/topic-${n}` : `refs/tags/v${n}.0`,
      shas[Math.floor((n / REFS) * shas.length)],
    ]);
  const keep = (name, shas) => {
    const [first, tip] = [shas[0], shas.at(-1)];
    Object.assign(projects[name], {
      "commits/{sha}": [tip, first],
      "branches/{name}": ["master"],
      "protected_branches/{name}": ["master"],
      "tags/{name}": ["v0.0"],
      "badges/{git_ref}": ["master"],
      "feeds/{git_ref}": ["master"],
    });
  };

  // the first commits have two parents each, so that the many parents are at the tip, where every list begins
  const dense = repositoryOf("dense");
  const base = history(DENSE - Math.floor(EXTRA / (MOST_PARENTS - 2)), 2);
  const plain = await dense.push(base, 500);
  const after = base.map(({ id }) => id);
  const refused = await dense.push(history(DENSE, ASKED_PARENTS, { after }), 100);
  say(`dense: of ${DENSE} commits with ${ASKED_PARENTS} parents ${refused.stored} are stored${refusalsOf(refused)}`);
  const asked = history(DENSE, MOST_PARENTS, { after });
  const many = await dense.push(asked, 10);
  say(
    `dense: of ${DENSE} commits with ${MOST_PARENTS} parents ${many.stored} are stored, on top of ${plain.stored} with 2 parents${refusalsOf(many)}`,
  );
  const stored = [...after, ...asked.slice(0, many.stored).map(({ id }) => id)];
  await dense.swap(stored.at(-1), refs(stored));
  keep("dense", stored);
  say("dense: every commit has its branch");

  const names = Array.from({ length: FILES }, (_, n) => `a${String(n).padStart(5, "0")}`);
  const entry = (name) => ({
    diff: "",
    old_path: name,
    new_path: name,
    a_mode: null,
    b_mode: null,
    new_file: false,
    renamed_file: false,
    deleted_file: false,
  });
  const changes = history(CHANGED, 1, { diff: JSON.stringify(names.map(entry)) });
  const files = await repositoryOf("files").push(changes, 3);
  const shas = changes.map(({ id }) => id);
  await repositoryOf("files").swap(shas.at(-1), refs(shas));
  keep("files", shas);
  // paths that are too long for a row
  const [longest] = history(1, 1, {
    diff: JSON.stringify(Array.from({ length: LISTED }, (_, n) => entry(`directory/of/files/${names[0]}${n}`))),
  });
  await repositoryOf("files").push([longest], 1);
  projects.files.longest = longest.id;
  say(`files: of ${CHANGED} commits of ${FILES} files ${files.stored} are stored${refusalsOf(files)}`);

  const line = history(LINE, 1);
  const straight = await repositoryOf("line").push(line, 1000);
  const all = line.map(({ id }) => id);
  await repositoryOf("line").swap(all.at(-1), refs(all));
  keep("line", all);
  say(`line: of ${LINE} commits in one line ${straight.stored} are stored${refusalsOf(straight)}`);

  for (const [name, text] of Object.entries(texts)) {
    const commits = history(MESSAGES, 1, { message: text(600_000), name: text(24_000), email: text(24_000) });
    const pushed = await repositoryOf(name).push(commits, 5);
    const ids = commits.map(({ id }) => id);
    await repositoryOf(name).swap(ids.at(-1), refs(ids));
    keep(name, ids);
    await build(projects[name], ids.at(-1), owner, text);
    say(
      `${name}: of ${MESSAGES} commits with messages of 600 kB and four names of 24 kB as JSON ${pushed.stored} are stored${refusalsOf(pushed)}; statuses, deployments and comments`,
    );
  }
}

/** What CI and people add to a commit: texts as long as allowed, more of them than fit one page of 3 MB. */
async function build(project, sha, owner, text) {
  const at = `/api/v3/projects/${project["projects/{id}"][0]}`;
  const v4 = at.replace("v3", "v4");
  const address = `https://ci.example.com/${"\u{1F980}".repeat(16_000)}`;
  const name = (n) => `${n} ${"\u{1F980}".repeat(245)}`;
  for (let n = 0; n < 400; n++) {
    const ref = n < 300 ? "master" : name(n);
    await owner("POST", `${at}/statuses/${sha}`, {
      state: "success",
      name: name(n),
      ref,
      target_url: address,
      description: text(90_000).slice(0, 16_000),
    });
  }
  for (let n = 0; n < 100; n++) {
    const { id } = await owner("POST", `${v4}/environments`, {
      name: name(n),
      description: text(50_000).slice(0, 10_000),
      external_url: "https://example.com/",
    });
    await owner("POST", `${at}/deployments`, { environment: name(n), name: name(n), sha, ref: "master", status: "success" });
    project["environments/{environment_id}"] = [id];
  }
  for (let n = 0; n < 30; n++) await owner("POST", `${at}/repository/commits/${sha}/comments`, { note: text(899_000) });
  project["discussions/{discussion_id}"] = [(await owner("GET", `${v4}/repository/commits/${sha}/discussions`))[0].id];
  project["deployments/{deployment_id}"] = [(await owner("GET", `${v4}/deployments`))[0].id];
  project["pipelines/{pipeline_id}"] = [(await owner("GET", `${v4}/pipelines`))[0].id];
  project["jobs/{job_id}"] = [(await owner("GET", `${v4}/jobs`))[0].id];
}
