// Copies the state of a stopped server, with the tables and records of peer.sql in place of ours. Objects stay.
//
//   node lab/bench/peer-data.mjs --from STATE --to STATE
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { databaseFile } from "../../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
cpSync(given.from, given.to, { recursive: true });
const file = databaseFile(given.to);
for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });

const iso = (millis) => (millis === null ? null : new Date(Number(millis)).toISOString());
const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
db.function("iso", iso);
db.function("avatar", (email) => {
  const hash = createHash("md5").update(String(email).trim().toLowerCase()).digest("hex");
  return `http://www.gravatar.com/avatar/${hash}?s=80&d=identicon`;
});
// a commit's time in its own zone, of so many minutes
db.function("zoned", (seconds, minutes) => {
  const [hours, rest] = [Math.trunc(Math.abs(Number(minutes)) / 60), Math.abs(Number(minutes)) % 60];
  const zone = `${Number(minutes) < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
  return iso((Number(seconds) + Number(minutes) * 60) * 1000).replace(".000Z", zone);
});
db.prepare("attach ? as ours").run(databaseFile(given.from));
db.exec("pragma journal_mode = wal");
db.exec(`begin; ${readFileSync(join(import.meta.dirname, "peer.sql"), "utf8")}; commit`);
db.exec("detach ours; pragma wal_checkpoint(truncate)");
db.close();
