// Shared by `backup`, `restore` and `revoke-since`: arguments, the database, and how they end.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openBucket } from "./bucket.mjs";
import { open } from "./d1.mjs";

const DATABASE = { local: { type: "boolean" }, state: { type: "string" }, database: { type: "string" }, help: { type: "boolean" } };

const USAGE = "FOLDER [--local] [--state DIR] [--database NAME]";

/** Runs `act(database, folder, { progress, signal, bucket })` for a command with one folder. `help`: what it does. */
export const main = (command, help, act) =>
  run(
    command,
    `scripts/${command} ${USAGE}\n\n${help}`,
    {},
    (_, positionals) => {
      if (positionals.length !== 1) throw new Error(`name one folder: ${command} ${USAGE}`);
      return resolve(positionals[0]);
    },
    act,
  );

/**
 * Runs `act(database, wanted, { progress, signal, bucket })` and prints the text that it returns. `read(values, positionals)`
 * returns `wanted`, or throws before the database is opened. `bucket()` opens the bucket beside the database. `help`: what --help prints. An error is one line and exit code 1. The first Ctrl-C or
 * TERM stops it cleanly, the second at once.
 */
export async function run(command, help, options, read, act) {
  try {
    /** @type {{ values: any, positionals: string[] }} */
    const { values: given, positionals } = parseArgs({ allowPositionals: true, options: { ...DATABASE, ...options } });
    if (given.help) return console.log(help);
    const wanted = read(given, positionals);
    const local = given.local || given.state !== undefined;
    const state = local ? (given.state ?? (process.env.STATE || ".wrangler/state")) : undefined;
    const database = await open({ name: given.database, state });
    const stop = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort(new Error(`${command} was stopped`)));
    try {
      const summary = await act(database, wanted, { progress, signal: stop.signal, bucket: () => openBucket({ state }) });
      progress("");
      console.log(summary);
    } finally {
      await database.close();
    }
  } catch (error) {
    progress("");
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

/** One line that is overwritten, if a person watches. */
function progress(text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text && `    ${text}`}`);
}
