// Imports a folder of dump.mjs into an empty database, file by file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { literal, quoted } from "./literals.mjs";
import { Parts } from "./parts.mjs";

/** Attempts at a file. D1 may be reset during an import, and then nothing of the file is there. */
const TRIES = 3;

const PROGRESS = "restore_progress";

/**
 * Imports the files of a complete backup in order. Each is one transaction that also records itself, so that a restore
 * continues where `signal` or a failure stopped it. `ending(database)` returns SQL that belongs to the last one. Returns
 * the manifest.
 * @param {any} database
 * @param {string} folder
 * @param {{ progress?: (step: string) => void, signal?: AbortSignal, ending?: (database: any) => string | Promise<string> }} [options]
 */
export async function load(database, folder, { progress = () => {}, signal, ending = () => "" } = {}) {
  const manifest = Parts.manifest(folder);
  const work = mkdtempSync(join(tmpdir(), "edgeforge-restore-"));
  try {
    await take(database, folder, manifest, work, { progress, signal, ending });
    await check(database, manifest.rows);
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * What a copy has of its own. It reads the original's objects, and puts and deletes only its own
 * (src/areas/retention/objects.sql). Its indexes of words are empty.
 */
export async function ownRows(database) {
  const [found] = await database.query([
    `SELECT 'object_sweeps' AS name FROM pragma_table_info('object_sweeps') WHERE name = 'own'
    UNION ALL SELECT name FROM sqlite_master WHERE name IN ('issue_index', 'note_index', 'commit_index')`,
  ]);
  return found
    .map(({ name }) => {
      if (name === "object_sweeps") return "UPDATE object_sweeps SET own = lower(hex(randomblob(8))) WHERE id = 1;\n";
      return `UPDATE ${name} SET below = (SELECT coalesce(max(id), 0) + 1 FROM ${name.replace("_index", "s")});\n`;
    })
    .join("");
}

async function tablesOf(database) {
  const [rows] = await database.query([
    "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_'",
  ]);
  return rows.map(({ name }) => name);
}

/** The hashes of the files that this database already has, in order. */
async function taken(database) {
  const tables = await tablesOf(database);
  if (!tables.includes(PROGRESS)) return tables.length ? null : [];
  const [rows] = await database.query([`SELECT sha256 FROM ${PROGRESS} ORDER BY n`]);
  return rows.map(({ sha256 }) => sha256);
}

/** Objects before the first file: wrangler creates an empty table of migrations even when it only lists them. */
async function before(database) {
  const tables = await tablesOf(database);
  if (tables.length !== 1 || tables[0] !== "d1_migrations") return null;
  const [[{ rows }]] = await database.query(["SELECT count(*) AS rows FROM d1_migrations"]);
  return rows === 0 ? "DROP TABLE d1_migrations;\n" : null;
}

async function take(database, folder, { files }, work, { progress, signal, ending }) {
  const emptied = await before(database);
  const done = emptied ? [] : await taken(database);
  if (done === null) throw new Error(`${database.title} is not empty: restore into a new database`);
  if (done.some((sha256, at) => files[at]?.sha256 !== sha256))
    throw new Error(`${database.title} has part of another backup: restore into a new database`);
  if (done.length) progress(`going on after ${files[done.length - 1].name}`);

  for (const [n, { name, sha256 }] of files.entries()) {
    if (n < done.length) continue;
    signal?.throwIfAborted();
    const last = n === files.length - 1;
    const file = join(work, name);
    const end = last ? await ending(database) : "";
    for (let attempt = 1; ; attempt++) {
      const head = n === 0 ? `${emptied ?? ""}CREATE TABLE ${PROGRESS} (n INTEGER PRIMARY KEY, sha256 TEXT NOT NULL) STRICT;\n` : "";
      const note = last ? `${end}DROP TABLE ${PROGRESS}` : `INSERT INTO ${PROGRESS} VALUES (${n}, ${literal(sha256)})`;
      // D1 skips an import whose bytes it has seen before
      writeFileSync(file, `-- ${crypto.randomUUID()}\n${head}${readFileSync(join(folder, name), "utf8")}${note};\n`, { mode: 0o600 });
      let failure;
      try {
        await database.apply(file);
      } catch (error) {
        failure = error;
      }
      // trust the content of the database, not the answer of the import
      const now = await taken(database);
      if (last ? now === null : now?.at(n) === sha256) break;
      if (attempt === TRIES) throw failure ?? new Error(`${name} was imported, but its rows are missing: run the restore again`);
    }
    rmSync(file);
    progress(`${name} of ${files.length}`);
  }
}

async function check(database, rows) {
  const names = Object.keys(rows);
  for (const name of names) {
    const [[{ found }]] = await database.query([`SELECT count(*) AS found FROM ${quoted(name)}`]);
    if (found !== rows[name]) throw new Error(`${name} has ${found} rows, but the backup has ${rows[name]}: restore into a new database`);
  }
}
