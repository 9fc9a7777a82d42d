// The table costs.txt: what each GET route cost at most. A mark of route and figures shows that a run wrote them, and
// nobody typed them. No check measures them again, because the worlds take minutes to make.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { MEASURES } from "./bounds.mjs";

const FILE = new URL("costs.txt", import.meta.url);
const widths = MEASURES.map((name) => (name === "ms" ? 5 : 11));
const inLine = (cells, mark, route) => `${cells.map((text, index) => text.padStart(widths[index])).join("")}  ${mark.padEnd(6)}  ${route}`;

export const markOf = (route, cells) =>
  createHash("sha256")
    .update([...cells, route].join(" "))
    .digest("hex")
    .slice(0, 6);

/** Figures and mark of each route, as they are written. */
export function kept(text = readFileSync(FILE, "utf8")) {
  const [, ...lines] = text.trimEnd().split("\n");
  const costs = new Map();
  for (const line of lines) {
    const words = line.trim().split(/\s+/);
    const [cells, mark, route] = [words.slice(0, MEASURES.length), words[MEASURES.length], words.slice(MEASURES.length + 1).join(" ")];
    costs.set(route, { cells, mark });
  }
  return costs;
}

/** Writes figures of routes, which may be few: the other routes keep theirs. */
export function keep(measured) {
  const costs = kept();
  for (const [route, figures] of measured) {
    const cells = figures.map((figure) => Math.round(figure).toLocaleString("en"));
    costs.set(route, { cells, mark: markOf(route, cells) });
  }
  const lines = [...costs.keys()].sort().map((route) => inLine(costs.get(route).cells, costs.get(route).mark, route));
  writeFileSync(FILE, [inLine(MEASURES, "mark", "route"), ...lines, ""].join("\n"));
}
