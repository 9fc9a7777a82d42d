// Commits of made-up repositories, and their pushes as the hook sends them.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { ask, must } from "./client.mjs";

const TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The commit with that number, whose tree is empty. */
export function commit(
  number,
  parents,
  { diff = "[]", message = `Change ${number}\n`, name = "Ann Author", email = "ann@example.com" } = {},
) {
  const who = `${name} <${email}> ${1_500_000_000 + number * 60} +0000`;
  const object = `tree ${TREE}\n${parents.map((parent) => `parent ${parent}\n`).join("")}author ${who}\ncommitter ${who}\n\n${message}`;
  const id = createHash("sha1")
    .update(`commit ${Buffer.byteLength(object)}\0${object}`)
    .digest("hex");
  return { id, object, additions: 1, deletions: 0, diff };
}

/**
 * A history of that many commits; each has the `parents` commits before it as its parents, as far as they exist.
 * @param {number} count
 * @param {number} parents
 * @param {{ after?: any[], [content: string]: any }} [more]
 */
export function history(count, parents, { after = [], ...content } = {}) {
  const before = [...after];
  return Array.from({ length: count }, (_, n) => {
    const made = commit(after.length + n, before.slice(-parents).reverse(), content);
    before.push(made.id);
    return made;
  });
}

export class Repository {
  #server;
  #token;
  #place;

  constructor(server, token, project) {
    [this.#server, this.#token, this.#place] = [server, token, `/api/v3/projects/${project}/mirror`];
  }

  /** Pushes the commits, so many at once. Returns how many were stored, and how often each refusal was the answer. */
  async push(commits, atOnce) {
    let stored = 0;
    const refusals = {};
    for (let from = 0; from < commits.length; from += atOnce) {
      const some = commits.slice(from, from + atOnce);
      const packed = gzipSync(JSON.stringify({ commits: some }), { level: 1 });
      const answer = await ask(this.#server, this.#token, "POST", `${this.#place}/commits`, packed, { "Content-Encoding": "gzip" });
      if (answer.status === 201) stored += some.length;
      else {
        // numbers and hashes differ from answer to answer
        const text = answer
          .json()
          .message.replace(/commit \d+ \(\w+\)/, "commit N")
          .replace(/have \d+/g, "have N");
        const reason = `${answer.status} "${text}"`;
        refusals[reason] = (refusals[reason] ?? 0) + 1;
      }
    }
    return { stored, refusals };
  }

  /** Points master and the other refs at commits, and waits until every commit has its branch. */
  async swap(tip, others) {
    const change = ([name, sha]) => ({
      name,
      old: null,
      new: sha,
      message: name.startsWith("refs/tags/") ? "A release" : null,
      tag_sha: null,
    });
    const changes = [["refs/heads/master", tip], ...others].map(change);
    for (let from = 0; from < changes.length; from += 500) {
      await must(this.#server, this.#token, "PUT", `${this.#place}/refs`, {
        default_branch: "master",
        changes: changes.slice(from, from + 500),
      });
    }
    for (let pending = true; pending; ) {
      ({ pending } = await must(this.#server, this.#token, "PUT", `${this.#place}/refs`, { default_branch: "master", changes: [] }));
    }
  }
}
