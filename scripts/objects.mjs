// Made-up commits for worlds without files: git's objects with their hashes.
import { createHash } from "node:crypto";

/** A chain of commits, each the parent of the next, for POST /projects/:id/mirror/commits. */
export function chain(count, diff = "[]") {
  const commits = [];
  for (let number = 1; number <= count; number++) {
    const parent = commits.length ? `parent ${commits.at(-1).id}\n` : "";
    const who = `Ann <ann@example.com> ${1_400_000_000 + number} +0200`;
    // the empty tree
    const tree = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";
    const object = `${tree}${parent}author ${who}\ncommitter ${who}\n\nChange ${number}\n`;
    const id = createHash("sha1").update(`commit ${object.length}\0${object}`).digest("hex");
    commits.push({ id, object, additions: 1, deletions: 0, diff });
  }
  return commits;
}
