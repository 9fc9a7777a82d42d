// Commits made up for worlds that need no files: each one's object, with the hash that git gives it.
import { createHash } from "node:crypto";

/** As many commits as asked for, each the parent of the next, as POST /projects/:id/mirror/commits takes them. */
export function chain(count, diff = "[]") {
  const commits = [];
  for (let number = 1; number <= count; number++) {
    const parent = commits.length ? `parent ${commits.at(-1).id}\n` : "";
    const who = `Ann <ann@example.com> ${1_400_000_000 + number} +0200`;
    // the tree without a file
    const tree = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";
    const object = `${tree}${parent}author ${who}\ncommitter ${who}\n\nChange ${number}\n`;
    const id = createHash("sha1").update(`commit ${object.length}\0${object}`).digest("hex");
    commits.push({ id, object, additions: 1, deletions: 0, diff });
  }
  return commits;
}
