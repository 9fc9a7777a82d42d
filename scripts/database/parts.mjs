// The files of a backup: 0001.sql, 0002.sql .. in the order of import, and manifest.json. The manifest lists them and
// is written last.
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The size of a file in bytes and statements. An import is one transaction and blocks other queries, so files are small. */
const BYTES = 8_000_000;
const STATEMENTS = 5_000;

export class Parts {
  #folder;
  #files = [];
  #open;

  constructor(folder) {
    this.#folder = folder;
  }

  add(statement) {
    const text = `${statement};\n`;
    if (this.#open && (this.#open.bytes + Buffer.byteLength(text) > BYTES || this.#open.statements === STATEMENTS)) this.next();
    this.#open ??= this.#begin();
    writeSync(this.#open.handle, text);
    this.#open.hash.update(text);
    this.#open.bytes += Buffer.byteLength(text);
    this.#open.statements += 1;
  }

  next() {
    if (!this.#open) return;
    const { handle, hash, name, bytes } = this.#open;
    closeSync(handle);
    this.#files.push({ name, bytes, sha256: hash.digest("hex") });
    this.#open = undefined;
  }

  /** All files as `{ name, bytes, sha256 }`. */
  end() {
    this.next();
    return this.#files;
  }

  #begin() {
    const name = `${String(this.#files.length + 1).padStart(4, "0")}.sql`;
    const handle = openSync(join(this.#folder, name), "w", 0o600);
    return { handle, name, hash: createHash("sha256"), bytes: 0, statements: 0 };
  }

  static seal(folder, manifest) {
    writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  }

  /** The manifest of a complete backup. Throws if a file is missing or changed. */
  static manifest(folder) {
    let manifest;
    try {
      manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    } catch {
      throw new Error(`${folder} is not a complete backup: manifest.json is missing`);
    }
    for (const { name, sha256 } of manifest.files) {
      let content;
      try {
        content = readFileSync(join(folder, name));
      } catch {
        throw new Error(`${folder} is not a complete backup: ${name} is missing`);
      }
      if (createHash("sha256").update(content).digest("hex") !== sha256)
        throw new Error(`${join(folder, name)} was changed after the backup: use another copy`);
    }
    return manifest;
  }
}
