// A log file. Lines are appended; a long file becomes `<name>.1`; a failure to write does not stop the caller.
import { appendFileSync, renameSync, statSync } from "node:fs";

/** In bytes. */
const LONG = 10 << 20;

export class LogFile {
  #name;
  #size = -1;
  #long;
  #reported = false;

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
      this.#reported = false;
    } catch (error) {
      // once, until writing works again
      if (!this.#reported)
        console.error(`the log ${this.#name} cannot be written: ${error.code === "ENOSPC" ? "no space left" : error.message}`);
      this.#reported = true;
    }
  }
}
