// Objects of git made by hand, also such as git would never make, and the records in which the mirror takes them.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export const bytes = (content) => (Buffer.isBuffer(content) ? content : Buffer.from(content));
export const idOf = (kind, content) => createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest("hex");

/** `packed` is what is sent for it. */
export function object(kind, content) {
  const whole = bytes(content);
  return { kind, id: idOf(kind, whole), size: whole.length, content: whole, packed: deflateSync(whole) };
}

export const blob = (content) => object("blob", content);

/** Entries are `[mode, name, id]`, in the order in which they are given: a tree may be unsorted. */
export function tree(entries) {
  const parts = entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} `), bytes(name), Buffer.from([0]), Buffer.from(id, "hex")]);
  return object("tree", Buffer.concat(parts));
}

export function commit(root, { parents = [], author = "A <a@example.com>", message = "made by hand\n", at = 1_790_000_000 } = {}) {
  const lines = [`tree ${root}`, ...parents.map((parent) => `parent ${parent}`), `author ${author} ${at} +0000`, `committer ${author} ${at} +0000`, "", message];
  return object("commit", lines.join("\n"));
}

/** A record of `POST mirror/objects`. Each part may be forged. */
export const record = ({ kind, id, size, packed }) => Buffer.concat([Buffer.from(`${kind} ${id} ${size}\n`), packed]);

/** What git calls a sorted tree. */
export const sorted = (entries) => {
  const key = ([mode, name]) => Buffer.concat([bytes(name), Buffer.from(mode === "40000" ? "/" : "")]);
  return entries.toSorted((one, other) => Buffer.compare(key(one), key(other)));
};
