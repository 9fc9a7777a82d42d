// The files of a backup: 0001.sql, 0002.sql .. in the order in which they are imported, and manifest.json, which is
// written last and says what must be there.
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Bytes and statements of a file, beyond which the next one begins: an import is one transaction and lets nobody else in. */
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

  /** Ends the file at hand. */
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

  /** The manifest of a whole backup; an error where something is missing or not as it was written. */
  static manifest(folder) {
    let manifest;
    try {
      manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    } catch {
      throw new Error(`${folder} is no whole backup: it has no manifest.json`);
    }
    for (const { name, sha256 } of manifest.files) {
      let content;
      try {
        content = readFileSync(join(folder, name));
      } catch {
        throw new Error(`${folder} is no whole backup: ${name} is missing`);
      }
      if (createHash("sha256").update(content).digest("hex") !== sha256) throw new Error(`${join(folder, name)} is not as it was written`);
    }
    return manifest;
  }
}
