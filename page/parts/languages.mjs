// Which language a file or a block of code is in, and its colours, which are loaded when there is some to colour.

// biome-ignore format: a table
const BY_ENDING = {
  bash: "bash", c: "c", cc: "cpp", cjs: "javascript", cpp: "cpp", css: "css", diff: "diff", go: "go", h: "c", hpp: "cpp", htm: "xml", html: "xml", ini: "ini",
  java: "java", js: "javascript", json: "json", jsonc: "json", jsx: "javascript", kt: "kotlin", md: "markdown", mjs: "javascript", patch: "diff", php: "php", py: "python",
  rb: "ruby", rs: "rust", sh: "bash", sql: "sql", svg: "xml", toml: "ini", ts: "typescript", tsx: "typescript", xml: "xml", yaml: "yaml", yml: "yaml", zsh: "bash",
};
const BY_NAME = { makefile: "makefile", dockerfile: "dockerfile", "cargo.lock": "ini", ".gitconfig": "ini" };
const NAMES = new Set([...Object.values(BY_ENDING), ...Object.values(BY_NAME)]);

/** In characters. Longer texts have no colours. */
const LONGEST = 200_000;
/** Milliseconds. Some texts take a grammar very long, so a worker reads them, and is ended after this time. */
const PATIENCE = 3000;

/** The language of a file, or null if it is not known. */
export function languageOf(path) {
  const name = path.split("/").at(-1).toLowerCase();
  return (
    BY_NAME[name] ?? (name.includes(".") && Object.hasOwn(BY_ENDING, name.split(".").at(-1)) ? BY_ENDING[name.split(".").at(-1)] : null)
  );
}

/** The language of the word after the fence of a block. */
export function languageNamed(word) {
  const name = word.toLowerCase();
  return NAMES.has(name) ? name : Object.hasOwn(BY_ENDING, name) ? BY_ENDING[name] : null;
}

/** @type {any} */
let address = null;
/** @type {any} */
let worker = null;
let waiting = new Map();
let asked = 0;

function end() {
  worker?.terminate();
  worker = null;
  for (const answer of waiting.values()) answer(null);
  waiting = new Map();
}

async function start() {
  if (!address) {
    const colours = await import("./colours.mjs");
    address ??= globalThis.trustedTypes
      ? trustedTypes.createPolicy("colours", { createScriptURL: () => colours.address }).createScriptURL("")
      : colours.address;
  }
  if (worker) return;
  worker = new Worker(address, { type: "module" });
  worker.onerror = end;
  worker.onmessage = ({ data: { id, lines } }) => {
    waiting.get(id)?.(lines);
    waiting.delete(id);
  };
}

/** The lines of a text as pieces `{ text, kind }`, or null if it stays without colours. */
export async function coloured(text, language) {
  if (!language || text.length > LONGEST) return null;
  try {
    await start();
  } catch {
    // the server was not reached: the text is there without colours
    return null;
  }
  return new Promise((answer) => {
    const id = asked++;
    waiting.set(id, answer);
    worker.postMessage({ id, text, language });
    setTimeout(() => waiting.has(id) && end(), PATIENCE);
  });
}
