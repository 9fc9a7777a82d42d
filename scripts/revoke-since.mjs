// Going back to an older state revives tokens that were revoked since, and blocked users. This ends such access again:
//
//   node scripts/revoke-since.mjs --note FILE                        before going back: writes who may do what
//   node scripts/revoke-since.mjs TIME --as-in FILE                  afterwards: ends what the file does not have
//   node scripts/revoke-since.mjs TIME                               without a file: revokes all tokens made until TIME
//
// TIME is the time of the state that came back. Options: [--local] [--state DIR] [--database NAME], as for backup.mjs. YES=1
// answers the question that the command asks without a file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ask, attended } from "./cloudflare.mjs";
import { accessIn, endAgain, ended } from "./database/access.mjs";
import { run } from "./database/command.mjs";

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function timeOf(text) {
  if (!text) throw new Error("name the time of the state that came back, for example 2026-11-22T10:00:00Z");
  const time = FORM.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new Error(`${text} is no time with its zone, such as 2026-11-22T10:00:00Z`);
  if (time > Date.now()) throw new Error(`${text} is in the future`);
  return time;
}

/** The arguments, checked before the database is opened. */
function read(given, positionals) {
  if (positionals.length > 1) throw new Error("name one time");
  if (given.note !== undefined) {
    if (positionals.length || given["as-in"] !== undefined) throw new Error("--note only writes a file: leave out the time and --as-in");
    if (existsSync(given.note)) throw new Error(`${given.note} exists already: name a new file`);
    return { file: given.note };
  }
  const time = timeOf(positionals[0]);
  if (given["as-in"] === undefined) return { time, note: null };
  let note;
  try {
    note = JSON.parse(readFileSync(given["as-in"], "utf8"));
  } catch (error) {
    throw new Error(`${given["as-in"]} cannot be read: ${error.message}`);
  }
  if (note.made < time) throw new Error(`${given["as-in"]} was made before ${positionals[0]}, so it does not have what ended since`);
  return { time, note };
}

async function confirm(count, title) {
  const what = `without a file of --note, all ${count} tokens of ${title} made until then are revoked, those of hooks and CI too`;
  if ((process.env.YES || "0") !== "0") return;
  if (!attended()) throw new Error(`${what}: set YES=1 to do that`);
  if (!/^y/i.test(await ask(`${what}. Go on?`, "no"))) throw new Error("nothing was changed");
}

const options = { note: { type: "string" }, "as-in": { type: "string" } };

const HELP = `Ends the access that going back to an older state revives.

scripts/revoke-since --note FILE          before going back: writes who may do what
scripts/revoke-since TIME --as-in FILE    afterwards: ends what the file does not have
scripts/revoke-since TIME                 without a file: revokes all tokens made until TIME

  --local, --state DIR, --database NAME   as for scripts/backup

docs/backup.md says more.`;

await run("revoke-since", HELP, options, read, async (database, { file, time, note }, { signal }) => {
  const now = await accessIn(database, { signal });
  if (file) {
    writeFileSync(file, `${JSON.stringify(now)}\n`, { mode: 0o600, flag: "wx" });
    return `${file} has the access of ${now.users.length} users and ${now.tokens.length} tokens`;
  }
  const ends = ended(note, now, time);
  if (!note) await confirm(ends.tokens.length, database.title);
  const counts = await endAgain(database, ends, Date.now(), { signal });
  const lines = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what}: ${count}`);
  return [`in ${database.title}:`, ...(lines.length ? lines : ["nothing was left to end"])].join("\n");
});
