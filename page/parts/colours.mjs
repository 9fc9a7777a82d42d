// The colours of code. Loaded with the first code that is shown, and each language with the first code in it. The page reads the
// address of this script, and starts it as a worker.
import { createLowlight } from "lowlight";

const LANGUAGES = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const lowlight = createLowlight();

/** The lines of a tree of lowlight as pieces `{ text, kind }`; `kind` is a class of base.css, or undefined. */
function linesOf(tree) {
  /** @type {{ text: string, kind?: string }[][]} */
  const lines = [[]];
  const walk = (node, kind) => {
    if (node.type !== "text") return node.children.forEach((child) => walk(child, child.properties?.className?.[0] ?? kind));
    node.value.split("\n").forEach((text, at) => {
      if (at) lines.push([]);
      if (text) lines[lines.length - 1].push({ text, kind });
    });
  };
  walk(tree);
  return lines;
}

async function colour(text, language) {
  if (!lowlight.registered(language)) lowlight.register(language, (await LANGUAGES[language]()).default);
  return linesOf(lowlight.highlight(language, text, { prefix: "hl-" }));
}

export const address = import.meta.url;

if (!globalThis.document) {
  globalThis.onmessage = async ({ data: { id, text, language } }) =>
    postMessage({ id, lines: await colour(text, language).catch(() => null) });
}
