// The blocks of code of a document, for tests that run them as they stand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Reads a document, and returns what finds the first block of a language after a line that ends with this text. */
export function snippets(path) {
  const page = readFileSync(path, "utf8");
  return (heading, language) => {
    const at = page.indexOf(`${heading}\n`);
    assert.ok(at >= 0, `${path}: no line ends with ${heading}`);
    const [, code] =
      new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page.slice(at)) ??
      assert.fail(`${path}: no ${language} under ${heading}`);
    return code;
  };
}
