// A log file that is appended to, is put aside as `<name>.1` when it is long, and never ends whoever writes it.
import { appendFileSync, renameSync, statSync } from "node:fs";

/** Bytes. */
const LONG = 10 << 20;

export class LogFile {
  #name;
  #size = -1;
  #long;
  #told = false;

  constructor(name, long = LONG) {
    this.#name = name;
    this.#long = long;
    this.write("");
  }

  write(line) {
    try {
      if (this.#size < 0) this.#size = statSync(this.#name, { throwIfNoEntry: false })?.size ?? 0;
      if (this.#size > this.#long) {
        renameSync(this.#name, `${this.#name}.1`);
        this.#size = 0;
      }
      appendFileSync(this.#name, line);
      this.#size += Buffer.byteLength(line);
      this.#told = false;
    } catch (error) {
      // once, until it can be written again
      if (!this.#told) console.error(`the log ${this.#name} cannot be written: ${error.code === "ENOSPC" ? "no space left" : error.message}`);
      this.#told = true;
    }
  }
}
