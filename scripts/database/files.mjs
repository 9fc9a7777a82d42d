// The files of people in the bucket: those of issues (uploads), of packages and of reports. No repository has them, so a
// backup takes them along, in files/PROJECT/uploads/SECRET, files/PROJECT/packages/NAME and files/PROJECT/reports/NAME.
// Restored rows name the keys of the original, and the files are put there.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";

const ROWS = 1000;

/** Requests at once. */
const JOBS = 4;

/** The folder of each table, the end of its keys, and the unpacked length of what is packed. */
const TABLES = {
  uploads: ["uploads", "f.secret", "null"],
  package_files: ["packages", "f.object", "null"],
  reports: ["reports", "f.job_id || '.' || f.kind || '.' || f.object", "f.length"],
};

const query = (table, after) => {
  const [place, name, length] = TABLES[table];
  return `SELECT f.id, f.project_id || '/${place}/' || ${name} AS path, coalesce(f.store, w.store) AS store, f.size, f.sha256,
    ${length} AS length FROM ${table} f CROSS JOIN object_sweeps w ON w.id = 1
    WHERE f.id > ${after} AND f.size > 0 ORDER BY f.id LIMIT ${ROWS}`;
};

/** Pages of the files that a database names. */
async function* filesOf(database) {
  const [tables] = await database.query([`SELECT name FROM sqlite_master WHERE name IN ('${Object.keys(TABLES).join("', '")}')`]);
  for (const { name } of tables) {
    for (let after = 0; ; ) {
      const [rows] = await database.query([query(name, after)]);
      if (rows.length) yield rows;
      if (rows.length < ROWS) break;
      after = rows.at(-1).id;
    }
  }
}

/** Packed bytes have a sum of their own. */
const unpacks = (length, bytes) => {
  try {
    return inflateSync(bytes, { maxOutputLength: length + 1 }).length === length;
  } catch {
    return false;
  }
};

const isWhole = ({ size, sha256, length }, bytes) =>
  bytes.length === size && (length === null ? createHash("sha256").update(bytes).digest("hex") === sha256 : unpacks(length, bytes));

/**
 * Does something with each file that a database names, a few at a time. Returns the numbers of files by what `act` returns of
 * them, and their bytes.
 */
async function each(database, { progress, signal }, act) {
  const sums = { files: 0, bytes: 0 };
  for await (const rows of filesOf(database)) {
    const waiting = rows.values();
    const work = async () => {
      for (const row of waiting) {
        signal?.throwIfAborted();
        const word = await act(row);
        sums[word] = (sums[word] ?? 0) + 1;
        sums.files += 1;
        sums.bytes += row.size;
        progress(`${sums.files} files of issues, packages and reports`);
      }
    };
    await Promise.all(Array.from({ length: JOBS }, work));
  }
  return sums;
}

export const countOf = async (database) => await each(database, { progress: () => {}, signal: undefined }, () => "counted");

/** Copies the files of a database from its bucket into a folder. Those that the bucket has lost are `lost`. */
export async function copyFiles(database, bucket, folder, options) {
  return await each(database, options, async (row) => {
    const bytes = await bucket.get(`${row.store}/${row.path}`);
    if (!bytes || !isWhole(row, bytes)) return "lost";
    const file = join(folder, "files", row.path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes, { mode: 0o600 });
    return "copied";
  });
}

/** Puts the files of a backup that the bucket does not have. What neither has is `missing`. */
export async function putFiles(database, bucket, folder, options) {
  return await each(database, options, async (row) => {
    const key = `${row.store}/${row.path}`;
    if (await bucket.has(key)) return "kept";
    const file = join(folder, "files", row.path);
    const bytes = existsSync(file) && readFileSync(file);
    if (!bytes || !isWhole(row, bytes)) return "missing";
    await bucket.put(key, bytes);
    return "put";
  });
}
